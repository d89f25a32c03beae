// What a shop of any release does before its data is kept: a scene for each part of the trade. A scene ends where its
// release does not know the operation.

import { picture } from "../support/pictures.ts";
import type { Answered } from "../support/shop.ts";
import { NotThere, type OldShop } from "./old-shop.ts";

type Scene = (shop: OldShop, goods: Goods) => Promise<void>;

interface Goods {
  readonly product: string;
  readonly variant: string;
  readonly customer: string;
}

const address = {
  name: "Ama Mensah",
  line1: "4 Oxford Street",
  city: "Accra",
  country: "GH",
  phone: "+233244000001",
};
const taxi = { label: "Taxi", amount: "4.99" };
const DAY_S = 86_400;

/** Afterwards the test shop has something of everything that its release knows, and the live one has sold once. */
export async function trade(shop: OldShop): Promise<void> {
  const goods = await stock(shop);
  for (const scene of shop.isLive ? [oneSale] : scenes) {
    await scene(shop, goods).catch((error: unknown) => {
      if (!(error instanceof NotThere)) throw error;
    });
  }
}

async function stock(shop: OldShop): Promise<Goods> {
  await shop.act("PUT /v2/store", {
    name: "Makola",
    currency: "GHS",
    timezone: "Africa/Accra",
    country: "GH",
    deposit_percent: 30,
  });
  const mug = await shop.act("POST /v2/products", {
    name: "Enamel mug",
    description: "Holds 350 ml and survives the floor.",
    status: "active",
    category: "Kitchen",
    tags: ["mug", "gift"],
    metadata: { shelf: 4 },
    options: [{ name: "Color", values: ["Blue", "White", "Red"] }],
    variants: ["Blue", "White"].map((color) => ({
      sku: `MUG-${color.toUpperCase()}`,
      options: { Color: color },
      prices: [
        { currency: "GHS", amount: "33.33", compare_at: "40.00" },
        { currency: "USD", amount: "2.99" },
      ],
      stock: 500,
    })),
  });
  const ama = await shop.act("POST /v2/customers", {
    name: "Ama Mensah",
    email: "ama@example.com",
    phone: "+233244000001",
    addresses: [address],
    tags: ["regular"],
    marketing_consent: true,
  });
  return { product: mug.id, variant: mug.string("/variants/1/id"), customer: ama.id };
}

/** An order of three units at 33.33 with a ride for 4.99: 104.98, and taxes where there are some. */
function order(shop: OldShop, { variant, customer }: Goods, more: object = {}): Promise<Answered> {
  return shop.act("POST /v2/orders", {
    line_items: [{ variant_id: variant, quantity: 3 }],
    customer_id: customer,
    payment_method: "cash",
    shipping_address: address,
    shipping: taxi,
    ...more,
  });
}

/** What begins a payment over the counter. */
export const cash = (orderId: string, amount: string) => ({
  order_id: orderId,
  method: "cash",
  amount,
});

/** Money over the counter for an order. */
async function takeCash(shop: OldShop, { id }: Answered, amount: string): Promise<Answered> {
  const begun = await shop.act("POST /v2/payments/initialize", cash(id, amount));
  return shop.act("POST /v2/payments/{ref}/confirm", { amount }, begun.id);
}

async function sale(shop: OldShop, goods: Goods): Promise<Answered> {
  const placed = await order(shop, goods);
  await takeCash(shop, placed, String(placed.number("/total")));
  return placed;
}

const lineOf = (placed: Answered, quantity: number) => ({
  line_items: [{ line_item_id: placed.string("/line_items/0/id"), quantity }],
});

async function oneSale(shop: OldShop, goods: Goods): Promise<void> {
  const { id } = await sale(shop, goods);
  await shop.act("PUT /v2/orders/{id}/fulfill", {}, id);
}

/** A payment by card of the simulated gateway. */
async function payByCard(shop: OldShop, goods: Goods, token: string): Promise<Answered> {
  const placed = await order(shop, goods, { payment_method: "card" });
  const terms = { order_id: placed.id, method: "card", card_token: token };
  return shop.act("POST /v2/payments/initialize", terms);
}

/** Of test mode: the last ones need its gateway, its inbox and its clock. */
const scenes: readonly Scene[] = [
  async function goodsChange(shop, { product, variant }) {
    await shop.act(
      "POST /v2/products/{id}/variants",
      {
        sku: "MUG-RED",
        options: { Color: "Red" },
        prices: [{ currency: "GHS", amount: "35" }],
        stock: 3,
        low_stock_threshold: 5,
      },
      product,
    );
    await shop.act(
      "PUT /v2/products/{id}/variants/{variant_id}",
      { barcode: "6001234567890", weight_grams: 320 },
      product,
      variant,
    );
    await shop.act("PUT /v2/products/{id}", { slug: "mug", metadata: { shelf: 5 } }, product);
    const lamp = { name: "Lamp", price: "120.00", currency: "GHS", status: "draft" };
    await shop.act("POST /v2/products", lamp);
    const gone = await shop.act("POST /v2/products", { ...lamp, name: "Stool", status: "active" });
    await shop.act("PUT /v2/products/{id}", { status: "archived" }, gone.id);
    await shop.act(
      "PUT /v2/inventory/{variant_id}",
      { adjust: -2, reason: "damage", note: "Fell." },
      variant,
    );
    const rows = [{ variant_id: variant, adjust: 20, reason: "received" }];
    await shop.act("POST /v2/inventory/batch", { rows });
  },

  async function people(shop) {
    const kofi = { name: "Kofi Asante", email: "kofi@example.com", phone: "+233244000002" };
    const { id } = await shop.act("POST /v2/customers", kofi);
    await shop.act("PUT /v2/customers/{id}", { tags: ["wholesale"] }, id);
    const gone = await shop.act("POST /v2/customers", { name: "Esi", email: "esi@example.com" });
    await shop.act("POST /v2/customers/{id}/erase", {}, gone.id);
  },

  async function keys(shop) {
    await shop.act("POST /v2/keys", { name: "Shop window", kind: "publishable" });
    const till = await shop.act("POST /v2/keys", { name: "Till", scopes: ["orders:write"] });
    await shop.act("DELETE /v2/keys/{id}", {}, till.id);
  },

  async function priceTerms(shop) {
    await shop.act("POST /v2/discounts", {
      title: "A tenth",
      target: "lines",
      percent: 10,
      codes: ["TENTH"],
    });
    await shop.act("POST /v2/discounts", {
      title: "Five off",
      target: "order",
      amounts: [{ currency: "GHS", amount: "5.00" }],
      minimum: { amounts: [{ currency: "GHS", amount: "50.00" }] },
      codes: ["FIVE"],
    });
    const zone = await shop.act("POST /v2/shipping-zones", {
      name: "Accra",
      places: [{ country: "GH" }],
    });
    await shop.act("POST /v2/shipping-rates", {
      zone_id: zone.id,
      name: "Rider",
      kind: "flat",
      tiers: [{ from: 0, amounts: [{ currency: "GHS", amount: "5.00" }] }],
    });
    await shop.act("POST /v2/pickup-locations", { name: "Osu", address });
    await shop.act("POST /v2/tax-rates/presets", { country: "GH" });
  },

  async function collections(shop, { product }) {
    const rule = { title: "Gifts", rule: { tags: ["gift"] }, published: true };
    await shop.act("POST /v2/collections", rule);
    const chosen = await shop.act("POST /v2/collections", { title: "Window", published: true });
    await shop.act("PUT /v2/collections/{id}/products", { product_ids: [product] }, chosen.id);
    const { buffer } = Uint8Array.from(await picture("png"));
    const { id } = await shop.upload(new Uint8Array(buffer));
    await shop.act("PUT /v2/media/{id}", { alt: "A mug" }, id);
    const images = [{ media_id: id, alt: "A mug on a table" }];
    await shop.act("PUT /v2/products/{id}", { images }, product);
  },

  async function carts(shop, { variant }) {
    const lines = { line_items: [{ variant_id: variant, quantity: 2 }], shipping_address: address };
    const bought = await shop.act("POST /v2/carts", { ...lines, email: "kofi@example.com" });
    await shop.act("PUT /v2/carts/{id}", { shipping: taxi }, bought.id);
    await shop.act("POST /v2/carts/{id}/checkout", {}, bought.id);
    await shop.act("POST /v2/carts/{id}/complete", { payment_method: "cash" }, bought.id);
    await shop.act("POST /v2/carts", { ...lines, email: "ama@example.com", shipping: taxi });
  },

  async function ordersGoOut(shop, goods) {
    const whole = await sale(shop, goods);
    const sent = await shop.act("PUT /v2/orders/{id}/fulfill", {}, whole.id);
    const tracking = { carrier: "DHL", number: "GH123", url: "https://example.com/GH123" };
    await shop.act(
      "PUT /v2/orders/{id}/fulfillments/{fulfillment_id}",
      { tracking },
      whole.id,
      sent.string("/fulfillments/0/id"),
    );
    const part = await sale(shop, goods);
    await shop.act("PUT /v2/orders/{id}/fulfill", lineOf(part, 1), part.id);
    const atTheDoor = await order(shop, goods, { payment_method: "cash_on_delivery" });
    await shop.act("PUT /v2/orders/{id}/fulfill", { force: true }, atTheDoor.id);
  },

  async function moneyIsOwed(shop, goods) {
    await takeCash(shop, await order(shop, goods), "40.00");
    const forgiven = await order(shop, goods);
    await takeCash(shop, forgiven, "100.00");
    await shop.act(
      "POST /v2/orders/{id}/write-off",
      { amount: "4.98", note: "Friend." },
      forgiven.id,
    );
    const wrong = await takeCash(shop, await order(shop, goods), "104.98");
    await shop.act("POST /v2/payments/{ref}/correct", { amount: "94.98" }, wrong.id);
  },

  async function moneyGoesBack(shop, goods) {
    const part = await sale(shop, goods);
    const reason = "requested_by_customer";
    await shop.act("POST /v2/orders/{id}/refunds", { ...lineOf(part, 1), reason }, part.id);
    const returned = await sale(shop, goods);
    await shop.act("PUT /v2/orders/{id}/fulfill", {}, returned.id);
    await shop.act(
      "POST /v2/orders/{id}/returns",
      { ...lineOf(returned, 2), restock: true, reason: "damaged", refund: true },
      returned.id,
    );
    const cancelled = await sale(shop, goods);
    await shop.act("PUT /v2/orders/{id}/cancel", { reason: "customer" }, cancelled.id);
    const unpaid = await order(shop, goods, { notes: "Ring twice.", channel: "phone" });
    await shop.act("PUT /v2/orders/{id}", { metadata: { gift: true } }, unpaid.id);
    await shop.act("PUT /v2/orders/{id}/cancel", { reason: "merchant" }, unpaid.id);
  },

  async function hooks(shop, goods) {
    const events = ["order.*", "payment.*"];
    const { id } = await shop.act("POST /v2/webhooks", { url: shop.inbox, events });
    await shop.act("POST /v2/webhooks/{id}/ping", {}, id);
    await order(shop, goods);
    await shop.act("POST /v2/test/clock/advance", { seconds: 60 });
    // The port of its address is soon that of another program.
    await shop.act("PUT /v2/webhooks/{id}", { status: "disabled" }, id);
  },

  async function cards(shop, goods) {
    const paid = await payByCard(shop, goods, "pm_card_visa");
    await shop.act("POST /v2/payments/{ref}/refunds", { amount: "20.00" }, paid.id);
    await payByCard(shop, goods, "pm_card_visa_chargeDeclined");
    const short = await payByCard(shop, goods, "pm_test_amountShort");
    await shop.act("POST /v2/payments/{ref}/accept", {}, short.id);
    await payByCard(shop, goods, "pm_test_wrongCurrency");
    const stuck = await payByCard(shop, goods, "pm_test_refundFails");
    await shop.act("POST /v2/payments/{ref}/refunds", { amount: "7.00" }, stuck.id);
    const doubtful = await payByCard(shop, goods, "pm_test_refundNeedsAttention");
    await shop.act("POST /v2/payments/{ref}/refunds", { amount: "8.00" }, doubtful.id);
    await shop.act("POST /v2/test/trigger", { event: "product.archived" });
  },

  async function phones(shop, goods) {
    const placed = await order(shop, goods, { payment_method: "mobile_money" });
    const payer = { method: "mobile_money", provider: "mtn", phone: "+233551234982" };
    await shop.act("POST /v2/payments/initialize", { order_id: placed.id, ...payer });
  },

  async function timePasses(shop, goods) {
    await shop.act("POST /v2/test/clock/advance", { seconds: 3 * DAY_S });
    const stopped = await shop.read("/v2/refunds?status=needs_attention");
    await shop.act("POST /v2/refunds/{id}/close", { note: "Gone." }, stopped.string("/data/0/id"));
    const { id } = await order(shop, goods, { payment_method: "card" });
    const terms = { order_id: id, method: "card", card_token: "pm_card_authenticationRequired" };
    await shop.act("POST /v2/payments/initialize", terms);
    await order(shop, goods);
  },
];

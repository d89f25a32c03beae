// The ways to pay of a shop: its settings, and which orders it takes.

import { describe, expect, test } from "bun:test";

import { mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

/** Takes all money by hand. */
const byHand = sharedShop({ gateways: [] });

const noGateway = async () => {
  const shop = await openTestShop({ gateways: [] });
  const { variantId } = await mug(shop);
  return { shop, variantId };
};

const terms = async (shop: TestShop, method: string) =>
  (await shop.get("/v2/store")).at(`/payment_methods/${method}`);

const place = (shop: TestShop, variantId: string, payment_method?: string) =>
  shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    ...(payment_method === undefined ? {} : { payment_method }),
  });

describe("the settings of payment methods", () => {
  test("offer every method at first, by the gateway where it takes the method, else by hand", async () => {
    const methods = Object(await (await shop.get("/v2/store")).at("/payment_methods"));

    const takers = Object.entries(methods).map(([method, one]) => [method, Object(one).by]);
    expect(takers).toEqual([
      ["mobile_money", "gateway"],
      ["card", "gateway"],
      ["gateway", "gateway"],
      ["cash_on_delivery", "hand"],
      ["bank_transfer", "hand"],
      ["cash", "hand"],
    ]);
    expect(methods.cash).toEqual({
      enabled: true,
      by: "hand",
      label: "Cash",
      instructions: null,
      expires_minutes: null,
      storefront: false,
    });
  });

  test("are all by hand in a live shop without a gateway", async () => {
    const key = await shop.createKey({ mode: "live" });

    const store = await shop.get("/v2/store", { key });

    const methods = Object.values(Object(store.at("/payment_methods")));
    expect(methods.map((one) => Object(one).by)).toEqual(methods.map(() => "hand"));
    expect(store.at("/version")).toBe(1);
  });

  test("of one method change without those of the others", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { payment_methods: { card: { enabled: false } } });

    const changed = await shop.put("/v2/store", {
      payment_methods: { mobile_money: { by: "hand", instructions: "Till 55 123" } },
    });

    expect(changed.at("/payment_methods")).toMatchObject({
      card: { enabled: false },
      mobile_money: { enabled: true, by: "hand", instructions: "Till 55 123" },
      gateway: { enabled: true, by: "gateway" },
    });
  });

  test("of one method change field by field, and null restores the default", async () => {
    await using shop = await openTestShop();
    const card = { by: "hand", label: "Card at the door", expires_minutes: 90 };
    await shop.put("/v2/store", { payment_methods: { card } });

    await shop.put("/v2/store", { payment_methods: { card: { by: null, label: null } } });

    expect(await terms(shop, "card")).toEqual({
      enabled: true,
      by: "gateway",
      label: "Card",
      instructions: null,
      expires_minutes: 90,
      storefront: true,
    });
  });

  test("cannot leave cash to a gateway", async () => {
    const refused = await shop.put("/v2/store", {
      payment_methods: { cash: { by: "gateway" }, cash_on_delivery: { by: "gateway" } },
    });

    expect([refused.status, refused.faults]).toEqual([
      422,
      [
        "#/payment_methods/cash_on_delivery/by invalid_choice",
        "#/payment_methods/cash/by invalid_choice",
      ],
    ]);
  });

  test("follow the gateways of the next start", async () => {
    await using first = await openTestShop();
    expect(await terms(first, "card")).toMatchObject({ by: "gateway" });
    await first.duka.stop();

    await using second = await openTestShop({ folder: first.folder, gateways: [] });

    expect(await terms(second, "card")).toMatchObject({ by: "hand" });
  });
});

describe("an order", () => {
  test("of the interface document is taken by a live shop without a gateway", async () => {
    const key = await shop.createKey({ mode: "live" });
    const goods = await shop.post("/v2/products", { name: "Mug", price: 12.5, stock: 3 }, { key });

    const placed = await shop.post(
      "/v2/orders",
      {
        line_items: [{ variant_id: goods.at("/variants/0/id"), quantity: 2 }],
        payment_method: "mobile_money",
        currency: "USD",
        metadata: { source: "website" },
      },
      { key },
    );

    expect([placed.status, placed.at("/payment_method")]).toEqual([201, "mobile_money"]);
  });

  test("in a disabled method is refused with the methods that the shop takes", async () => {
    await using shop = await openTestShop();
    const { variantId } = await mug(shop);
    const disabled = { enabled: false };
    await shop.put("/v2/store", { payment_methods: { card: disabled, cash: disabled } });

    const refused = await place(shop, variantId, "card");

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: "payment_method_unavailable",
      method: "card",
      available_methods: ["mobile_money", "gateway", "cash_on_delivery", "bank_transfer"],
    });
    expect((await shop.get("/v2/orders")).list("/data")).toEqual([]);
  });

  test("in a method left to a gateway is refused while no gateway takes it", async () => {
    const { shop: opened, variantId } = await noGateway();
    await using shop = opened;
    await shop.put("/v2/store", { payment_methods: { gateway: { by: "gateway" } } });

    const refused = await place(shop, variantId);

    expect([refused.code, refused.at("/method")]).toEqual([
      "payment_method_unavailable",
      "gateway",
    ]);
  });

  test("of a cart in a disabled method is refused, and the cart stays open", async () => {
    await using shop = await openTestShop();
    const { variantId } = await mug(shop);
    await shop.put("/v2/store", { payment_methods: { card: { enabled: false } } });
    const line_items = [{ variant_id: variantId, quantity: 1 }];
    const cart = await shop.post("/v2/carts", { line_items, payment_method: "card" });

    const refused = await shop.post(`/v2/carts/${cart.id}/complete`);

    expect([refused.status, refused.code]).toEqual([409, "payment_method_unavailable"]);
    expect((await shop.get(`/v2/carts/${cart.id}`)).at("/status")).toBe("active");
  });
});

describe("a payment by hand", () => {
  test("shows the shop's till number to the customer", async () => {
    const { shop: opened, variantId } = await noGateway();
    await using shop = opened;
    await shop.put("/v2/store", {
      payment_methods: { mobile_money: { instructions: "MTN 055 123 4987, Adwoa's" } },
    });
    const order = await place(shop, variantId, "mobile_money");

    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });

    expect(payment.status).toBe(201);
    expect(payment.body).toMatchObject({
      status: "pending",
      gateway: null,
      authorization_url: null,
      next_action: {
        type: "pay_by_hand",
        display_text: "MTN 055 123 4987, Adwoa's",
        url: null,
      },
    });
  });

  test("is confirmed by the merchant, whatever its method is", async () => {
    const { variantId } = await mug(byHand);
    const order = await place(byHand, variantId, "card");
    const payment = await byHand.post("/v2/payments/initialize", { order_id: order.id });

    const confirmed = await byHand.post(`/v2/payments/${payment.id}/confirm`, {
      amount: 12.5,
      currency: "USD",
    });

    expect(confirmed.body).toMatchObject({ status: "succeeded", next_action: null });
    expect((await byHand.get(`/v2/orders/${order.id}`)).body).toMatchObject({
      payment_status: "paid",
      payment_method: "card",
    });
  });

  test("is refunded by hand, whatever its method is", async () => {
    const { variantId } = await mug(byHand);
    const order = await place(byHand, variantId, "card");
    const payment = await byHand.post("/v2/payments/initialize", { order_id: order.id });
    await byHand.post(`/v2/payments/${payment.id}/confirm`, { amount: 12.5, currency: "USD" });

    const refund = await byHand.post(`/v2/payments/${payment.id}/refunds`, { amount: 2.5 });

    expect([refund.status, refund.at("/status")]).toEqual([201, "succeeded"]);
  });

  test("is answered again while it is open, whatever phone the second request names", async () => {
    const { variantId } = await mug(byHand);
    const order = await place(byHand, variantId, "mobile_money");
    const first = await byHand.post("/v2/payments/initialize", { order_id: order.id });

    const second = await byHand.post("/v2/payments/initialize", {
      order_id: order.id,
      phone: "+233551234987",
    });

    expect([second.status, second.id]).toEqual([200, first.id]);
  });

  test("in another method that the shop disabled is refused", async () => {
    const { shop: opened, variantId } = await noGateway();
    await using shop = opened;
    await shop.put("/v2/store", { payment_methods: { cash: { enabled: false } } });
    const order = await place(shop, variantId, "card");

    const refused = await shop.post("/v2/payments/initialize", {
      order_id: order.id,
      method: "cash",
    });

    expect([refused.status, refused.code]).toEqual([409, "payment_method_unavailable"]);
  });

  test("in the order's own method is taken, also after the shop disabled it", async () => {
    const { shop: opened, variantId } = await noGateway();
    await using shop = opened;
    const order = await place(shop, variantId, "card");
    await shop.put("/v2/store", { payment_methods: { card: { enabled: false } } });

    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });

    expect([payment.status, payment.at("/method")]).toEqual([201, "card"]);
  });
});

// The resources that can be changed, each with a body of a new one and a value of every member of a change.

import { picture } from "../support/pictures.ts";
import type { Answered, TestShop } from "../support/shop.ts";
import { UNHEARD } from "./operations.ts";

type Members = Readonly<Record<string, unknown>>;

export interface Resource {
  /** The path of a new one, with the ids of what it belongs to; that of the route if undefined. */
  readonly at?: () => Promise<string>;
  /** Members that the answer has elsewhere or otherwise: where, and what is then there. */
  readonly elsewhere?: Readonly<Record<string, readonly [pointer: string, value: unknown]>>;
  /** Members that a change has only beside these. */
  readonly beside?: Readonly<Record<string, Members>>;
  /** The body of a new one. */
  readonly made: () => Promise<Members>;
  /** What each member is changed to. */
  readonly members: () => Promise<Members>;
}

const usd = (amount: number) => [{ currency: "USD", amount }];

/** The resources of a shop, by the path of a new one. */
export function resourcesOf(shop: TestShop): Readonly<Record<string, Resource>> {
  async function zone(country: string): Promise<string> {
    return (await shop.post("/v2/shipping-zones", { name: country, places: [{ country }] })).id;
  }

  let number = 0;

  async function product(): Promise<Answered> {
    number += 1;
    const prices = ["USD", "EUR"].map((currency) => ({ currency, amount: 12 }));
    return shop.post("/v2/products", {
      name: `Bowl ${number}`,
      variants: [{ prices, stock: 900 }],
    });
  }

  const variant = async () => (await product()).string("/variants/0/id");

  async function medium(): Promise<string> {
    number += 1;
    const text = Uint8Array.from(await picture("png", 8 + number));
    return (
      await shop.send("POST", "/v2/media", { text, headers: { "Content-Type": "image/png" } })
    ).id;
  }

  return {
    "/v2/customers": {
      made: async () => ({ email: "kofi.boateng@example.com" }),
      members: async () => ({
        email: "ama.boateng@example.com",
        phone: "+233551234987",
        name: "Ama B.",
        first_name: "Ama",
        last_name: "Boateng",
        addresses: [{ city: "Kumasi", country: "GH" }],
        marketing_consent: true,
        tags: ["regular"],
        metadata: { table: "4" },
        tax_id: "C0001234567",
        tax_exemption: "exempt",
      }),
    },
    "/v2/tax-rates": {
      made: async () => {
        await shop.put("/v2/store", { country: "GH" });
        return { country: "GH", name: "VAT", rate: 15 };
      },
      members: async () => ({
        metadata: { erp: "A-17" },
        valid_until: "2031-01-01T00:00:00.000Z",
      }),
    },
    "/v2/pickup-locations": {
      made: async () => ({ name: "Till", address: { country: "GH" } }),
      members: async () => ({
        name: "Gate",
        address: { line1: "12 Oxford Street", country: "KE" },
        instructions: "Ring twice.",
        amounts: usd(3),
        active: false,
      }),
    },
    "/v2/receiving-accounts": {
      made: async () => ({ method: "bank_transfer", label: "Ecobank", instructions: "GH12" }),
      members: async () => ({
        label: "Stanbic",
        instructions: "GH34",
        currencies: ["USD"],
        active: false,
        position: 3,
      }),
    },
    "/v2/shipping-zones": {
      made: async () => ({ name: "Ghana", places: [{ country: "GH" }] }),
      members: async () => ({
        name: "Accra",
        places: [{ country: "GH", region: "Greater Accra" }],
      }),
    },
    "/v2/shipping-rates": {
      made: async () => ({
        zone_id: await zone("DE"),
        name: "Van",
        kind: "by_price",
        tiers: [{ from: 0, amounts: usd(9) }],
      }),
      members: async () => ({
        metadata: { erp: "A-17" },
        zone_id: await zone("FR"),
        name: "Bicycle",
        kind: "flat",
        tiers: [{ from: 0, amounts: usd(4) }],
        free_over: usd(90),
        min_days: 1,
        max_days: 9,
        active: false,
      }),
    },
    "/v2/products": {
      elsewhere: {
        price: ["/variants/0/prices/0/amount", 15],
        currency: ["/variants/0/prices/1/currency", "GHS"],
      },
      beside: { currency: { price: 7 } },
      made: async () => ({
        name: `Jug ${(number += 1)}`,
        options: [{ name: "Size", values: ["S"] }],
        variants: [{ options: { Size: "S" }, prices: usd(12) }],
      }),
      members: async () => ({
        name: "Pitcher",
        slug: `pitcher-${(number += 1)}`,
        description: "Holds a litre.",
        status: "draft",
        category: "Table",
        tags: ["glass"],
        images: [{ media_id: await medium(), alt: "A pitcher" }],
        options: [{ name: "Size", values: ["S", "M"] }],
        metadata: { kiln: "2" },
        tax_class: "exempt",
        brand: "Adinkra",
        seo: { title: "Pitchers", description: "Of glass." },
        related_product_ids: [(await product()).id],
        price: 15,
        currency: "GHS",
      }),
    },
    "/v2/products/{id}/variants": {
      at: async () => {
        const options = [{ name: "Size", values: ["S", "M", "L"] }];
        const variants = [{ options: { Size: "S" }, prices: usd(3) }];
        const shirt = { name: `Shirt ${(number += 1)}`, options, variants };
        return `/v2/products/${(await shop.post("/v2/products", shirt)).id}/variants`;
      },
      made: async () => ({ options: { Size: "M" }, prices: usd(4) }),
      members: async () => ({
        sku: `SHIRT-${(number += 1)}`,
        barcode: "5012345678900",
        title: "Large",
        options: { Size: "L" },
        prices: usd(5),
        weight_grams: 250,
        requires_shipping: false,
        image: { media_id: await medium() },
        metadata: { shelf: "4" },
      }),
    },
    "/v2/collections": {
      made: async () => ({ title: `Cups ${(number += 1)}`, rule: { tags: ["cup"] } }),
      members: async () => ({
        metadata: { erp: "A-17" },
        title: "Mugs",
        slug: `mugs-${(number += 1)}`,
        description: "With a handle.",
        image: { media_id: await medium(), alt: "Mugs" },
        rule: { tags: ["mug"] },
        sort: "name",
        seo: { title: "Mugs", description: "With a handle." },
        published: false,
        parent_id: (await shop.post("/v2/collections", { title: `Table ${(number += 1)}` })).id,
      }),
    },
    "/v2/discounts": {
      elsewhere: { archived: ["/status", "archived"] },
      made: async () => ({
        title: "Summer",
        target: "lines",
        percent: 10,
      }),
      members: async () => ({
        title: "Autumn",
        amounts: usd(2),
        per: "unit",
        buy_get: { buy: { quantity: 2 }, get: { quantity: 1, percent: 50 } },
        percent: 20,
        scope: { product_ids: [(await product()).id] },
        minimum: { quantity: 3 },
        automatic: false,
        stackable: true,
        starts_at: "2031-01-01T00:00:00.000Z",
        ends_at: "2032-01-01T00:00:00.000Z",
        usage_limit: 9,
        per_customer_limit: 2,
        customer_tags: ["regular"],
        metadata: { poster: "1" },
        target: "shipping",
        archived: true,
      }),
    },
    "/v2/carts": {
      made: async () => ({ line_items: [{ variant_id: await variant(), quantity: 1 }] }),
      members: async () => ({
        line_items: [{ variant_id: await variant(), quantity: 2 }],
        customer_id: (await shop.post("/v2/customers", { name: "Esi", phone: "+233551234988" })).id,
        customer: { email: "esi@example.com", phone: null, name: "Esi" },
        email: "esi.b@example.com",
        phone: "+233551234989",
        currency: "EUR",
        payment_method: "bank_transfer",
        shipping_address: { city: "Accra", country: "GH" },
        billing_address: { city: "Tema", country: "GH" },
        shipping: { label: "Courier", amount: 4 },
        discount_codes: ["NONE"],
        tax_id: "C0001234568",
        notes: "Ring twice.",
        channel: "social",
        external_id: `cart-${(number += 1)}`,
        metadata: { basket: "1" },
      }),
    },
    "/v2/orders": {
      elsewhere: { shipping: ["/shipping_total", 4] },
      made: async () => ({
        line_items: [{ variant_id: await variant(), quantity: 1 }],
        customer: { email: `order${(number += 1)}@example.com` },
      }),
      members: async () => ({
        customer: { name: "Yaa", phone: "+233551234990" },
        shipping_address: { city: "Accra", country: "GH" },
        billing_address: { city: "Tema", country: "GH" },
        notes: "Ring twice.",
        metadata: { bag: "1" },
        line_items: [{ variant_id: await variant(), quantity: 2 }],
        shipping: { label: "Courier", amount: 4 },
      }),
    },
    "/v2/webhooks": {
      made: async () => ({ url: UNHEARD, events: ["order.paid"] }),
      members: async () => ({
        url: `${UNHEARD}/2`,
        events: ["order.placed"],
        description: "Packing",
        status: "disabled",
      }),
    },
    "/v2/keys": {
      made: async () => ({ name: "Till" }),
      members: async () => ({ name: "Gate" }),
    },
  };
}

// What the audit log says of requests that change one record at the same moment.

import { describe, expect, test } from "bun:test";

import { atOnce } from "../../support/at-once.ts";
import { sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const UNHEARD = "http://127.0.0.1:9/hooks";

/** A record's path, and changes that each have a field of their own. */
interface Changed {
  readonly path: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

async function addMug(shop: TestShop) {
  const mug = { name: "Mug", price: "10.00", currency: "USD", stock: 6 };
  const product = await shop.post("/v2/products", mug);
  return { product: product.id, variant: product.string("/variants/0/id") };
}

const records: Readonly<Record<string, (shop: TestShop) => Promise<Changed>>> = {
  "the shop's settings": async () => ({
    path: "/v2/store",
    changes: { name: "Adwoa's", timezone: "Africa/Accra", low_stock_threshold: 2 },
  }),
  "a product": async (shop) => ({
    path: `/v2/products/${(await addMug(shop)).product}`,
    changes: { description: "White.", category: "Cups", tags: ["cup"] },
  }),
  "a variant": async (shop) => {
    const { product, variant } = await addMug(shop);
    return {
      path: `/v2/products/${product}/variants/${variant}`,
      changes: { sku: "CUP", barcode: "4006381333931", title: "White" },
    };
  },
  "a customer": async (shop) => ({
    path: `/v2/customers/${(await shop.post("/v2/customers", { email: "ada@example.com" })).id}`,
    changes: { phone: "+254733000455", tags: ["regular"], metadata: { till: "1" } },
  }),
  "an order": async (shop) => {
    const { variant } = await addMug(shop);
    const lines = { line_items: [{ variant_id: variant, quantity: 1 }] };
    return {
      path: `/v2/orders/${(await shop.post("/v2/orders", lines)).id}`,
      changes: {
        notes: "Ring twice.",
        metadata: { till: "1" },
        billing_address: { line1: "1 Ring Road", city: "Accra", country: "GH" },
      },
    };
  },
  "a webhook": async (shop) => ({
    path: `/v2/webhooks/${(await shop.post("/v2/webhooks", { url: UNHEARD })).id}`,
    changes: {
      url: "http://127.0.0.1:8/hooks",
      description: "Bookkeeping",
      events: ["order.paid"],
    },
  }),
};

/** The newest entries. */
async function entries(shop: TestShop, rows: number): Promise<unknown[]> {
  const { data } = Object((await shop.get(`/v2/audit?limit=${rows}`)).body);
  return Array.isArray(data) ? data : [];
}

describe("of several changes at once, each entry names its own field", () => {
  test.each(Object.entries(records))("of %s", async (_, open) => {
    const { path, changes } = await open(shop);

    const answers = await Promise.all(
      Object.entries(changes).map(([field, value]) => shop.put(path, { [field]: value })),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const named = (await entries(shop, 3)).map((entry) => String(Object(entry).changed_fields));
    expect(named.toSorted()).toEqual(Object.keys(changes).toSorted());
  });
});

test("a key that is renamed several times at once had each name once", async () => {
  const till = await shop.post("/v2/keys", { name: "Till" });

  await atOnce(5, (index) => shop.put(`/v2/keys/${till.id}`, { name: `Till ${index}` }));

  const before = (await entries(shop, 5)).map((entry) => Object(entry).before.name);
  expect(new Set(before).size).toBe(5);
});

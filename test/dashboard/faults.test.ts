// What a form is refused for is said at a field of its page, and the list of faults leads there.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { mug } from "../support/cast.ts";
import { type DashboardShop, openDashboard, type SeenPage } from "./dashboard-shop.ts";

const HOME = "/dashboard/test";

let dashboard: DashboardShop;
let orderId: string;
let shirtId: string;
let version: string;
let variantId: string;
let mugId: string;
let paidId: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  const shirt = await shop.post("/v2/products", {
    name: "Shirt",
    options: [{ name: "Size", values: ["S", "M"] }],
    variants: [{ options: { Size: "S" }, prices: [{ currency: "KES", amount: "10.00" }] }],
  });
  [shirtId, version] = [shirt.id, String(shirt.number("/version"))];
  variantId = shirt.string("/variants/0/id");
  const order = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 2 }],
    customer: { email: "ada@example.com" },
  });
  orderId = order.id;
  mugId = (await mug(shop)).variantId;
  const line_items = [{ variant_id: mugId, quantity: 1 }];
  paidId = (await shop.post("/v2/orders", { line_items, paid: { method: "cash" } })).id;
});

afterAll(() => dashboard[Symbol.asyncDispose]());

/** The links of the list of faults that lead to nothing. */
function deadEnds({ html }: SeenPage): string[] {
  const [note = ""] = /<div class="note stop".*?<\/div>\s*<\/div>/s.exec(html) ?? [];
  return [...note.matchAll(/href="#([^"]*)"/g)].flatMap(([, id = ""]) =>
    html.includes(`id="${id}"`) ? [] : [id],
  );
}

const cases: readonly (readonly [string, () => string, () => Record<string, string>])[] = [
  [
    "a discount of a percentage and an amount",
    () => "/settings/discounts/new/make",
    () => ({
      "/title": "Both",
      "/target": "order",
      "/percent": "10",
      "/amounts/0/currency": "USD",
      "/amounts/0/amount": "5",
    }),
  ],
  [
    "the second country of a zone",
    () => "/settings/shipping/zones/new/make",
    () => ({ "/name": "West", "/places/0/country": "GH XX" }),
  ],
  [
    "tags that are the same",
    () => `/products/${shirtId}/save`,
    () => ({ version, "/name": "Shirt", "/tags/": "[]", "/tags/0": "new", "/tags/1": "new" }),
  ],
  [
    "a variant of options that another one has",
    () => `/products/${shirtId}/add`,
    () => ({ version, "/options/Size": "S", "/prices/0/amount": "3" }),
  ],
  [
    "a SKU that another variant has",
    () => "/products/new/make",
    () => ({ form: "sku", "/name": "Cup", "/price": "2", "/sku": "MUG" }),
  ],
  [
    "more than is in stock",
    () => `/stock/${mugId}/take`,
    () => ({ form: "take", "/adjust": "99", "/reason": "damage" }),
  ],
  [
    "more money than was paid",
    () => `/orders/${paidId}/refund/check`,
    () => ({ form: "refund", "/amount": "99.00", "/reason": "other" }),
  ],
  [
    "an item without a price in the shop's currency",
    () => "/orders/new/total",
    () => ({
      "/line_items/0/variant_id": variantId,
      [`product_of_${variantId}`]: shirtId,
      "/line_items/0/quantity": "1",
    }),
  ],
];

test.each(cases)("%s is said at its field", async (_, path, fields) => {
  const page = await dashboard.owner.send(`${HOME}${path()}`, fields());

  expect(page.status).toBeGreaterThanOrEqual(400);
  expect(page.html).toContain('<a href="#');
  expect(deadEnds(page)).toEqual([]);
  expect(page.html).toMatch(/class="fault"/);
});

/** The texts of the list of faults. */
function listed({ html }: SeenPage): string[] {
  return [...html.matchAll(/<li><a href="#f-[^"]*">([^<]*)/g)].map(([, text = ""]) => text);
}

test("the list of faults names each field as its label does", async () => {
  const path = `${HOME}/products/new/make`;

  const page = await dashboard.owner.send(path, { "/name": "Cup", "/price": "2", "/stock": "-1" });

  expect(listed(page)).toEqual(["In stock: This must be at least 0."]);
});

test("the list of faults names the item whose number is wrong", async () => {
  const path = `${HOME}/orders/${orderId}/send`;
  const shown = await dashboard.owner.get(path);
  const named = ["version", "/line_items/0/line_item_id"].map((name) => [name, shown.field(name)]);

  const page = await dashboard.owner.send(`${path}/part`, {
    ...Object.fromEntries(named),
    "/line_items/0/quantity": "-1",
  });

  expect(listed(page)).toEqual(["Mug: This must be at least 1."]);
});

test("the list of faults names what a group of fields is about", async () => {
  const page = await dashboard.owner.send(`${HOME}/products/${shirtId}/save`, {
    version,
    "/name": "Shirt",
    "/tags/": "[]",
    "/tags/0": "new",
    "/tags/1": "new",
  });

  expect(listed(page)).toEqual([expect.stringMatching(/^Tags: /)]);
});

test.each(["/orders/new/total", "/orders/new/review"])(
  "%s without an item says so",
  async (path) => {
    const page = await dashboard.owner.send(`${HOME}${path}`, { form: "once" });

    expect(page.text).toContain("Type how many beside at least one item.");
    expect(deadEnds(page)).toEqual([]);
  },
);

test("an act on no unit says so", async () => {
  const path = `${HOME}/orders/${orderId}/cancel`;
  const fields = ["version", "/line_items/0/line_item_id"] as const;
  const shown = await dashboard.owner.get(path);

  const page = await dashboard.owner.send(`${path}/check`, {
    ...Object.fromEntries(fields.map((name) => [name, shown.field(name)])),
    "/line_items/0/quantity": "0",
  });

  expect(page.status).toBe(422);
  expect(page.text).toContain("Type how many beside at least one item.");
});

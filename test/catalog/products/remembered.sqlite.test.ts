// Products are told from memory: after each kind of write they are what a read without memory tells.

import { expect, test } from "bun:test";

import { findProducts } from "#catalog/products/lookups.ts";
import type { Reader } from "#platform/database/database.ts";

import { type Answered, sharedShop, type TestShop } from "../../support/shop.ts";
import { withoutMemory } from "../../support/without-memory.ts";

interface Goods {
  readonly product: string;
  /** The one that was ordered, and the product's other one. */
  readonly variant: string;
  readonly other: string;
  readonly order: string;
  readonly line: string;
}

const shop = sharedShop();

/** Two products, of which one was ordered. */
async function stocked(): Promise<Goods> {
  await shop.post("/v2/products", { name: "Kanga", price: 8, stock: 5, category: "Cloth" });
  const made = await shop.post("/v2/products", {
    name: "Mug",
    tags: ["clay"],
    variants: ["Small", "Large"].map((title) => ({ title, prices: [{ amount: 10 }], stock: 5 })),
  });
  const variant = made.string("/variants/0/id");
  const line_items = [{ variant_id: variant, quantity: 2 }];
  const placed = await shop.post("/v2/orders", { line_items, payment_method: "cash" });
  const line = placed.string("/line_items/0/id");
  const other = made.string("/variants/1/id");
  return { product: made.id, variant, other, order: placed.id, line };
}

const lists = [
  {},
  { statuses: ["active"] },
  { statuses: ["draft", "archived"] },
  { tag: ["clay"] },
  { category: ["Cloth"] },
  { category: ["Cloth", "Clay"] },
  { sku: "MUG-1" },
  { q: "mug" },
  { sorting: { byPrice: true, ascending: true, currency: "USD", walk: 9 } },
  { sorting: { byPrice: true, descending: true, currency: "USD", priceMost: 900, walk: 9 } },
  { sorting: { byName: true, ascending: true, walk: 9 } },
  { sorting: { descending: true, inStock: true, walk: 9 } },
] as const;

async function everyList(db: Reader): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const filters of lists) found.push(await findProducts(db, { ...filters, limit: 10 }));
  return found;
}

const line = ({ line: id }: Goods, quantity: number) => ({
  line_items: [{ line_item_id: id, quantity }],
});

const writes: [name: string, write: (shop: TestShop, goods: Goods) => Promise<Answered>][] = [
  [
    "a new product",
    (shop) => shop.post("/v2/products", { name: "Bowl", price: 3, tags: ["clay"] }),
  ],
  ["another name", (shop, { product }) => shop.put(`/v2/products/${product}`, { name: "Cup" })],
  [
    "other tags and another category",
    (shop, { product }) =>
      shop.put(`/v2/products/${product}`, { tags: ["stone"], category: "Cloth" }),
  ],
  [
    "a product as a draft",
    (shop, { product }) => shop.put(`/v2/products/${product}`, { status: "draft" }),
  ],
  [
    "another price and SKU",
    (shop, { product, variant }) =>
      shop.put(`/v2/products/${product}/variants/${variant}`, {
        sku: "MUG-1",
        prices: [{ amount: 11 }],
      }),
  ],
  [
    "a new variant",
    (shop, { product }) =>
      shop.post(`/v2/products/${product}/variants`, { title: "Huge", prices: [{ amount: 12 }] }),
  ],
  [
    "a variant that is archived",
    (shop, { product, variant }) => shop.delete(`/v2/products/${product}/variants/${variant}`),
  ],
  ["a product that is archived", (shop, { product }) => shop.delete(`/v2/products/${product}`)],
  ["a count of stock", (shop, { variant }) => shop.put(`/v2/inventory/${variant}`, { on_hand: 9 })],
  [
    "stock that is not tracked any more",
    (shop, { variant }) => shop.put(`/v2/inventory/${variant}`, { tracked: false }),
  ],
  [
    "an order",
    (shop, { variant }) =>
      shop.post("/v2/orders", {
        line_items: [{ variant_id: variant, quantity: 3 }],
        payment_method: "cash",
      }),
  ],
  ["a cancelled order", (shop, { order }) => shop.put(`/v2/orders/${order}/cancel`)],
  [
    "goods that were sent and came back",
    async (shop, goods) => {
      await shop.put(`/v2/orders/${goods.order}/fulfill`, line(goods, 2));
      return shop.post(`/v2/orders/${goods.order}/returns`, { ...line(goods, 1), restock: true });
    },
  ],
  ["a shop that was emptied", (shop) => shop.post("/v2/test/reset", {})],
];

test.each(writes)("products are told as they are after %s", async (_, write) => {
  const goods = await stocked();
  const { read } = shop.test.database;
  await everyList(read);

  const { status } = await write(shop, goods);

  expect(status).toBeLessThan(300);
  expect(await everyList(read)).toEqual(await everyList(withoutMemory(read)));
});

test("products are told as they were after an order that was refused in the middle", async () => {
  const goods = await stocked();
  const { read } = shop.test.database;
  const before = await everyList(read);
  const line_items = [
    { variant_id: goods.variant, quantity: 1 },
    { variant_id: goods.other, quantity: 9 },
  ];

  const refused = await shop.post("/v2/orders", { line_items, payment_method: "cash" });

  expect(refused.code).toBe("insufficient_stock");
  expect(await everyList(read)).toEqual(before);
});

test("a product that did not change is told as the same object", async () => {
  const goods = await stocked();
  const { read } = shop.test.database;
  const productsOf = async () => (await findProducts(read, { limit: 10 })).rows;
  const [mug, kanga] = await productsOf();

  await shop.put(`/v2/inventory/${goods.variant}`, { on_hand: 9 });
  const [counted, untouched] = await productsOf();

  expect(counted).not.toBe(mug);
  expect(untouched).toBe(kanga);
});

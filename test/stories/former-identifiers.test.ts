// Identifiers that a shop kept before they had a form: each is found as it was sent, and no second one is made beside it.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { exportSheet } from "#cli/exports/export-sheet.ts";
import { importCustomers } from "#cli/imports/import-file.ts";
import { importProducts } from "#cli/imports/import-products.ts";

import { wayTo } from "../cli/way-to-shop.ts";
import { tamper } from "../support/behind-the-shop.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const FORMER_SKU = "KT\u201301 ";
const FORMER_EMAIL = "ada\u200b@example.com";
/** As it stands in the database and in an address. */
const skuFilter = `sku=${encodeURIComponent(FORMER_SKU)}`;
const emailFilter = `email=${encodeURIComponent(FORMER_EMAIL)}`;

let shop: TestShop;
let made: Readonly<Record<"product" | "variant" | "customer" | "order", string>>;
const folder = openScratchFolder();

beforeAll(async () => {
  const before = await openTestShop({ folder });
  const { key } = before;
  const variants = [{ sku: "KT-0", prices: [{ currency: "USD", amount: 5 }], stock: 9 }];
  const product = await before.post("/v2/products", { name: "Kente", variants });
  const variant = product.string("/variants/0/id");
  const customer = await before.post("/v2/customers", { email: "former@example.com" });
  const order = await before.post("/v2/orders", {
    line_items: [{ variant_id: variant, quantity: 1 }],
    customer_id: customer.id,
  });
  made = { product: product.id, variant, customer: customer.id, order: order.id };
  await before[Symbol.asyncDispose]();
  await tamper(
    folder.path,
    `UPDATE variants SET sku = '${FORMER_SKU}'`,
    `UPDATE inventory_levels SET sku = '${FORMER_SKU}'`,
    `UPDATE order_lines SET sku = '${FORMER_SKU}'`,
    `UPDATE order_line_terms SET term = '${FORMER_SKU}' WHERE term = 'KT-0'`,
    `UPDATE customers SET email = '${FORMER_EMAIL}'`,
  );
  shop = await openTestShop({ folder, key });
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function idsOf(path: string): Promise<unknown[]> {
  const found = await shop.get(path);
  return found.list("/data").map((one) => Object(one).id ?? Object(one).variant_id);
}

test.each([
  ["products", `/v2/products?${skuFilter}`, "product"],
  ["the sorted products", `/v2/products?${skuFilter}&sort=name`, "product"],
  ["stock", `/v2/inventory?${skuFilter}`, "variant"],
  ["orders", `/v2/orders?${skuFilter}`, "order"],
  ["customers", `/v2/customers?${emailFilter}`, "customer"],
] as const)("lists of %s find it as it was sent", async (_, path, noun) => {
  expect(await idsOf(path)).toEqual([made[noun]]);
});

test("no other variant is made or changed with the SKU as it was sent", async () => {
  const other = await shop.post("/v2/products", { name: "Smock", sku: "SM-1" });
  const path = `/v2/products/${other.id}/variants`;
  const variant = `${path}/${other.string("/variants/0/id")}`;

  const answers = [
    await shop.post("/v2/products", { name: "Cloth", sku: FORMER_SKU }),
    await shop.post("/v2/products", { name: "Cloth", variants: [{ sku: FORMER_SKU }] }),
    await shop.put(variant, { sku: FORMER_SKU }),
  ];

  expect(answers.map(({ body }) => body)).toEqual(
    answers.map(() =>
      expect.objectContaining({
        type: expect.stringMatching(/sku_taken$/),
        existing_id: made.variant,
      }),
    ),
  );
});

test("a body that was read changes nothing of a variant and of a customer", async () => {
  const variant = `/v2/products/${made.product}/variants/${made.variant}`;
  const customer = `/v2/customers/${made.customer}`;
  const before = [await shop.get(`/v2/products/${made.product}`), await shop.get(customer)];

  await shop.put(variant, { sku: FORMER_SKU });
  await shop.put(customer, { email: FORMER_EMAIL });

  const after = [await shop.get(`/v2/products/${made.product}`), await shop.get(customer)];
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
});

test("no other customer is made or changed with the email as it was sent", async () => {
  const other = await shop.post("/v2/customers", { email: "kofi@example.com" });

  const answers = [
    await shop.post("/v2/customers", { email: FORMER_EMAIL }),
    await shop.post("/v2/customers", { email: FORMER_EMAIL.toUpperCase() }),
    await shop.put(`/v2/customers/${other.id}`, { email: FORMER_EMAIL }),
  ];

  expect(answers.map(({ body }) => body)).toEqual(
    answers.map(() =>
      expect.objectContaining({
        type: expect.stringMatching(/customer_exists$/),
        existing_id: made.customer,
        field: "email",
      }),
    ),
  );
});

test("an order that names the email is the customer's, and is mailed to its form", async () => {
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: made.variant, quantity: 1 }],
    customer: { email: FORMER_EMAIL },
  });

  expect(order.at("/customer")).toMatchObject({ id: made.customer, email: "ada@example.com" });
});

test.each(["products", "customers"] as const)(
  "an export of %s is imported unchanged",
  async (noun) => {
    const lines = await Array.fromAsync(exportSheet(wayTo(shop), noun, { mode: "test" }));
    using files = openScratchFolder();
    const path = files.file(`${noun}.csv`);
    await Bun.write(path, lines.join(""));
    const terms = { mode: "test", existing: "update", apply: true } as const;

    const report =
      noun === "products"
        ? await importProducts(wayTo(shop), path, terms)
        : await importCustomers(wayTo(shop), path, terms);

    const outcomes = "products" in report ? report.products : report.customers;
    expect([report.faults, outcomes]).toEqual([
      [],
      expect.objectContaining({ create: 0, update: 0, refuse: 0 }),
    ]);
  },
);

test.each([
  ["category", "Cloth "],
  ["brand", "Bonwire "],
  ["tag", "woven "],
])(
  "products with a former %s are found as it was sent, also beside others",
  async (name, former) => {
    const product = await shop.post("/v2/products", { name: "Strip", tags: ["new"] });
    const change =
      name === "tag"
        ? `UPDATE product_tags SET tag = '${former}' WHERE product_id = '${product.id}'`
        : `UPDATE products SET ${name} = '${former}' WHERE id = '${product.id}'`;
    await tamper(folder.path, change);

    const lists = [former, `none,${former}`].map((text) =>
      idsOf(`/v2/products?${name}=${encodeURIComponent(text)}`),
    );

    expect(await Promise.all(lists)).toEqual([[product.id], [product.id]]);
  },
);

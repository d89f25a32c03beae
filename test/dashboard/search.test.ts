// The search over the whole shop.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

const PATH = "/dashboard/test/search";

let dashboard: DashboardShop;
let number = 0;
let order = "";

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  const product = await shop.post("/v2/products", { name: "Indigo mug", price: "9.00", stock: 4 });
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
    customer: { name: "Esi Owusu", phone: "+233551234987" },
    payment_method: "cash_on_delivery",
  });
  number = placed.number("/number");
  order = placed.string("/id");
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function textOf(q: string): Promise<string> {
  return (await dashboard.owner.get(`${PATH}?q=${encodeURIComponent(q)}`)).text;
}

test("a word finds orders, products and stock", async () => {
  const text = await textOf("indigo");

  expect(text).toContain(`Orders #${number} Esi Owusu Indigo mug`);
  expect(text).toContain("Products Indigo mug");
  expect(text).toContain("Stock Indigo mug");
});

test("a name finds the customer, and leads to the orders of theirs", async () => {
  const { html } = await dashboard.owner.get(`${PATH}?q=owusu`);
  const way = /<ul class="rows customers">.*?href="([^"]*)"/s.exec(html)?.[1] ?? "";

  const { text } = await dashboard.owner.get(way);

  expect(text).toContain(`#${number} Esi Owusu`);
});

test("the reference of a transfer finds the order that it paid", async () => {
  const money = { method: "bank_transfer", amount: 9, transaction_reference: "FT-08 15" };
  await dashboard.shop.post(`/v2/orders/${order}/payments`, money);

  expect(await textOf("ft 0815")).toContain(
    `Payments #${number} Esi Owusu Bank transfer · FT-08 15`,
  );
});

test("a number that no order has finds nothing", async () => {
  expect(await textOf("#0")).toContain("Nothing in this shop matches “#0”.");
});

test("a number with its sign opens the order", async () => {
  const { status, location } = await dashboard.owner.get(`${PATH}?q=%23${number}`);

  expect(status).toBe(303);
  expect(location).toBe(`/dashboard/test/orders/${order}`);
});

test("a number that no order has finds nothing", async () => {
  expect(await textOf("#999999")).toContain("Nothing found");
});

test("five of a kind are shown, with the way to all of them", async () => {
  const { shop } = dashboard;
  for (const color of ["Red", "Blue", "Green", "White", "Black", "Amber"]) {
    await shop.post("/v2/products", { name: `${color} kettle`, price: "20.00", stock: 1 });
  }

  const { html } = await dashboard.owner.get(`${PATH}?q=kettle`);

  expect(html.match(/href="\/dashboard\/test\/products\/prod_/g)).toHaveLength(5);
  expect(html).toContain('href="/dashboard/test/products?q=kettle"');
  expect(html.match(/href="\/dashboard\/test\/stock\/var_/g)).toHaveLength(5);
});

test("a search for nothing says what can be searched for", async () => {
  const { text } = await dashboard.owner.get(PATH);

  expect(text).toContain("#1042 opens that order");
});

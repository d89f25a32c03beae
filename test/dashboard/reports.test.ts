// The reports: what was taken in chosen days, the taxes to report, and files for a spreadsheet.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

const PATH = "/dashboard/test/reports";
const TAX = "=VAT";

let dashboard: DashboardShop;
let today = "";

/** Three mugs and a bowl with a tax of 10 % on top, of which 11.00 are given back, and one sale in euros. */
beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  today = new Date(shop.clock.now()).toISOString().slice(0, 10);
  await shop.put("/v2/store", { country: "GH", timezone: "UTC" });
  await shop.post("/v2/tax-rates", { country: "GH", name: TAX, rate: 10 });
  const mug = await shop.post("/v2/products", {
    name: "Mug",
    variants: [
      {
        prices: [
          { currency: "USD", amount: "10.00" },
          { currency: "EUR", amount: "8.00" },
        ],
        stock: 9,
      },
    ],
  });
  const variant_id = mug.string("/variants/0/id");
  await shop.post("/v2/orders", {
    line_items: [{ variant_id, quantity: 3 }],
    channel: "pos",
    paid: { method: "cash" },
  });
  const second = await shop.post("/v2/orders", {
    line_items: [{ name: "Bowl", unit_price: "20.00", quantity: 1 }],
    channel: "pos",
    paid: { method: "bank_transfer" },
  });
  await shop.post(`/v2/orders/${second.id}/refunds`, { amount: "11.00" });
  await shop.post("/v2/orders", {
    currency: "EUR",
    line_items: [{ variant_id, quantity: 1 }],
    channel: "pos",
    paid: { method: "cash" },
  });
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function textOf(query = ""): Promise<string> {
  return (await dashboard.owner.get(`${PATH}${query}`)).text;
}

test("the last thirty days show the total, what it is made of, and the orders", async () => {
  const text = await textOf();

  expect(text).toContain("USD 44.00");
  expect(text).toContain("2 orders paid");
  expect(text).toContain("Items 50.00 Refunds -11.00 Tax on top 5.00 Total USD 44.00");
  expect(text).toContain("Units sold 4");
});

test("each tax has what is to be reported of it", async () => {
  expect(await textOf()).toContain(
    "=VAT 10 % GH Taxable sales 50.00 Tax on sales 5.00 Tax in refunds -1.00 Tax to report USD 4.00",
  );
});

test("the best sellers and the ways of payment are told with their sums", async () => {
  const text = await textOf();

  expect(text).toContain("Best sellers Mug 3 units 30.00");
  expect(text).toContain("Cash 1 order 30.00");
  expect(text).toContain("Bank transfer 1 order 9.00");
});

test("each currency has its own report", async () => {
  const { html } = await dashboard.owner.get(PATH);
  const euros = /href="([^"]*currency=EUR)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

  const { text } = await dashboard.owner.get(euros);

  expect(text).toContain("Total EUR 8.80");
  expect(text).not.toContain("44.00");
});

test("days in the wrong order are put right", async () => {
  expect(await textOf(`?from=${today}&to=2025-06-01`)).toContain("Total USD 44.00");
});

test("days without a sale say so", async () => {
  expect(await textOf("?from=2001-01-01&to=2001-01-31")).toContain("Nothing sold in these days");
});

test("a long time is drawn by months", async () => {
  const { html } = await dashboard.owner.get(`${PATH}?from=2025-06-01&to=${today}`);

  expect(html).toContain('<th scope="col">Month</th>');
});

test("the sales are a file with a row for each day and currency", async () => {
  const file = await dashboard.owner.send(`${PATH}/sales?from=${today}&to=${today}`);

  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("content-disposition")).toBe(
    `attachment; filename="sales_${today}_${today}.csv"`,
  );
  expect(file.html.split("\r\n")).toEqual([
    "currency,from,orders,units,gross,net,total",
    `EUR,${today},1,1,8.00,8.00,8.80`,
    `USD,${today},2,4,50.00,39.00,44.00`,
    "",
  ]);
});

test("the taxes are a file, in which a name is never a formula", async () => {
  const file = await dashboard.owner.send(`${PATH}/taxes?from=${today}&to=${today}`);

  expect(file.html).toContain("USD,'=VAT,10,GH,,false,50.00,5.00,10.00,1.00,4.00\r\n");
});

test("days that cannot be reported say why, beside the form for others", async () => {
  const page = await dashboard.owner.get(`${PATH}?from=1990-01-01&to=${today}`);

  expect(page.status).toBe(400);
  expect(page.text).toContain("2000");
  expect(page.html).toContain('name="from"');
});

test.each(["soon", "%2B275760-09-13", "9999-12-31"])(
  "the day %s is refused, and no file is made of it",
  async (day) => {
    const page = await dashboard.owner.get(`${PATH}?from=${day}&to=${day}`);
    const file = await dashboard.owner.send(`${PATH}/sales?from=${day}&to=${day}`);

    expect([page.status, file.status]).toEqual([400, 400]);
    expect(file.headers.get("content-disposition")).toBeNull();
  },
);

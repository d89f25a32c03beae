// Amounts that a shopkeeper types at the dashboard, without a script: read as people write them, and asked where a text
// can mean two.

import { describe, expect, test } from "bun:test";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

const NEW = "/dashboard/test/products/new";
const WHICH = "1.25 or 1,250.00? Type it with its decimals, or without a separator.";

async function make(
  { owner }: DashboardShop,
  fields: Readonly<Record<string, string>>,
): Promise<ReturnType<typeof owner.send>> {
  const form = (await owner.get(NEW)).field("form");
  return owner.send(`${NEW}/make`, { form, "/name": "Mug", "/stock": "3", ...fields });
}

async function pricesIn({ shop }: DashboardShop): Promise<unknown[]> {
  const { body } = await shop.get("/v2/products?limit=100");
  const { data } = body as { data: { variants: { prices: { amount_minor: number }[] }[] }[] };
  return data.map(({ variants }) => variants[0]?.prices[0]?.amount_minor);
}

describe("a price that is typed", () => {
  test.each([
    ["1,25", 125],
    ["1.250,00", 125_000],
    ["GHS 1 250", 125_000],
    ["GH₵0.250", 25],
  ])("%s is read", async (typed, minor) => {
    await using dashboard = await openDashboard();
    await dashboard.shop.put("/v2/store", { currency: "GHS", locale: "en-GH" });

    const page = await make(dashboard, { "/price": typed });

    expect([page.status, await pricesIn(dashboard)]).toEqual([303, [minor]]);
  });

  test.each(["1.250", "1,250"])("%s is asked, and nothing is made", async (typed) => {
    await using dashboard = await openDashboard();

    const page = await make(dashboard, { "/price": typed });

    expect(page.status).toBe(422);
    expect(page.text).toContain(WHICH);
    expect(page.field("/price")).toBe(typed);
    expect(await pricesIn(dashboard)).toEqual([]);
  });

  test("is asked of each variant of the options at its one field", async () => {
    await using dashboard = await openDashboard();

    const page = await make(dashboard, {
      "/price": "1.250",
      "/options/0/name": "Size",
      "/options/0/values": "S, M",
    });

    expect(page.text.match(/1\.25 or 1,250\.00\?/g)).toHaveLength(2);
    expect(page.html).toContain('id="f-price-fault"');
  });

  test("1.250 is what it is in a currency without digits, and in one with three", async () => {
    await using dashboard = await openDashboard();
    const { shop } = dashboard;
    await shop.put("/v2/store", { currency: "JPY" });
    await make(dashboard, { "/price": "1.250" });
    await shop.put("/v2/store", { currency: "KWD" });
    await make(dashboard, { "/price": "1.250" });

    expect(await pricesIn(dashboard)).toEqual([1250, 1250]);
  });

  test("in dinars stays as it is where a form is saved unchanged, whatever the locale", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    await shop.put("/v2/store", { currency: "TND", locale: "fr-TN" });
    const product = await shop.post("/v2/products", { name: "Mug", price: "1.250" });
    const path = `/dashboard/test/products/${product.id}`;
    const page = await owner.get(path);

    const saved = await owner.send(`${path}/save`, {
      version: page.field("version"),
      "/name": "Cup",
      "in:/price": page.field("in:/price"),
      "/price": page.field("/price"),
    });

    expect([page.field("/price"), saved.status]).toEqual(["1,250", 303]);
    expect(await pricesIn(dashboard)).toEqual([1250]);
  });
});

describe("a new product", () => {
  test("with a price of 0 and without a stock is asked for them once", async () => {
    await using dashboard = await openDashboard();
    const { owner } = dashboard;

    const asked = await make(dashboard, { "/price": "0,00", "/stock": "" });
    const none = await pricesIn(dashboard);
    const made = await owner.send(`${NEW}/make`, [
      ["form", asked.field("form")],
      ...[...asked.html.matchAll(/name="asked" value="([^"]+)"/g)].map(
        ([, field = ""]): [string, string] => ["asked", field],
      ),
      ["/name", "Mug"],
      ["/price", "0,00"],
      ["/stock", ""],
    ]);

    expect(asked.status).toBe(422);
    expect(asked.text).toContain("The price is 0, so customers pay nothing.");
    expect(asked.text).toContain("No number is typed, so none is in stock.");
    expect([none, made.status, await pricesIn(dashboard)]).toEqual([[], 303, [0]]);
  });

  test("that was asked for its stock is still asked for a price that became 0", async () => {
    await using dashboard = await openDashboard();

    const page = await make(dashboard, { asked: "/stock", "/price": "0", "/stock": "" });

    expect(page.text).toContain("The price is 0");
    expect(page.text).not.toContain("No number is typed");
  });

  test("of one more variant is asked for them, too", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const product = await shop.post("/v2/products", { name: "Mug", price: "5" });
    const path = `/dashboard/test/products/${product.id}`;

    const page = await owner.send(`${path}/add`, {
      version: "1",
      "/title": "Large",
      "/prices/0/amount": "0",
      "/stock": "",
    });

    expect(page.status).toBe(422);
    expect(page.text).toContain("The price is 0, so customers pay nothing.");
    expect(page.html).toContain('name="asked" value="/stock"');
  });
});

describe("money of an order", () => {
  test("that goes back is asked where it can mean two amounts, in the currency of the order", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const order = await shop.post("/v2/orders", {
      channel: "pos",
      line_items: [{ name: "Bed", unit_price: "2000", quantity: 1 }],
      paid: { method: "cash" },
    });
    const path = `/dashboard/test/orders/${order.id}/refund`;
    const form = (await owner.get(path)).field("form");

    const page = await owner.send(`${path}/check`, {
      form,
      "/amount": "1.250",
      "in:/amount": "USD",
    });
    const read = await owner.send(`${path}/check`, { form, "/amount": "1.250,5" });

    expect([page.status, read.status]).toEqual([422, 200]);
    expect(page.text).toContain(WHICH);
    expect(read.text).toContain("USD 1,250.50");
  });
});

describe("an amount that is being typed", () => {
  test.each([
    ["1.25", "USD 1.25"],
    ["1.250", "1.25 or 1,250.00?"],
    ["1.255", "1.255 or 1,255.00?"],
    ["a lot", ""],
  ])("%s is shown as it is read", async (typed, shown) => {
    await using dashboard = await openDashboard();
    const query = new URLSearchParams({ q: typed, currency: "USD" });

    const page = await dashboard.owner.get(`/dashboard/test/typed?${query.toString()}`);

    expect(/<output>(.*?)<\/output>/.exec(page.html)?.[1]).toBe(shown);
  });
});

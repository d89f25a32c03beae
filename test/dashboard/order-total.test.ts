// What a new order comes to is told before it is sold, with its taxes and discounts, and without a script.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { discount, levies, tax } from "../sales/pricing/priced-shop.ts";
import { type DashboardShop, openDashboard, type SeenPage } from "./dashboard-shop.ts";

const PAGE = "/dashboard/test/orders/new";

let dashboard: DashboardShop;
let mug: { readonly id: string; readonly product: string };

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  const methods = { cash_on_delivery: { enabled: true }, cash: { enabled: true } };
  await shop.put("/v2/store", { payment_methods: methods });
  await tax(shop, "GH", { rates: levies });
  await discount(shop, { title: "Opening week" });
  const made = await shop.post("/v2/products", { name: "Blue mug", price: "12.50", stock: 500 });
  mug = { id: made.string("/variants/0/id"), product: made.id };
});

beforeEach(() => dashboard.shop.put(`/v2/products/${mug.product}`, { price: "12.50" }));

afterAll(() => dashboard[Symbol.asyncDispose]());

/** The fields of a form in which so many mugs are picked. */
function pick(quantity: number, more: object = {}) {
  return {
    form: crypto.randomUUID(),
    q: "mug",
    "/line_items/0/variant_id": mug.id,
    "/line_items/0/quantity": quantity,
    [`product_of_${mug.id}`]: mug.product,
    [`name_of_${mug.id}`]: "Blue mug",
    "/line_items/1/variant_id": mug.id,
    "/line_items/1/quantity": "",
    "/customer/phone": "",
    "/customer/name": "",
    "/notes": "",
    ...more,
  };
}

/** What a browser sends of the page's form, with what was typed. */
function fieldsOf({ html }: SeenPage, typed: Readonly<Record<string, string>> = {}) {
  const inputs = html.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  const hidden = inputs.map((tag): [string, string] => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? "",
    /value="([^"]*)"/.exec(tag)?.[1] ?? "",
  ]);
  return [...hidden, ...Object.entries(typed)];
}

const send = (form: string, fields: Parameters<DashboardShop["owner"]["send"]>[1]) =>
  dashboard.owner.send(`${PAGE}/${form}`, fields);

/** What a sale changes. */
async function traces(): Promise<string[]> {
  const seen = ["/v2/orders?limit=1", `/v2/inventory/${mug.id}`, "/v2/events?limit=1"];
  return Promise.all(seen.map(async (path) => (await dashboard.shop.get(path)).text));
}

const newest = () => dashboard.shop.get("/v2/orders?limit=1");

describe("a new order", () => {
  test("at the counter tells its total with taxes and discounts, and sells nothing by that", async () => {
    const before = await traces();

    const told = await send("total", pick(2));

    expect(told.status).toBe(200);
    expect(told.text).toMatch(
      /2 Blue mug 25\.00 .* Items 25\.00 Opening week -2\.50 GETFund 0\.56 NHIL 0\.56 VAT 3\.38 Total USD 27\.00/,
    );
    expect(told.field("/expected_total")).toBe("27.00");
    expect(await traces()).toEqual(before);
  });

  test("is then sold for exactly that by one more tap, with the change told", async () => {
    const told = await send("total", pick(2));

    const sold = await dashboard.owner.sendAndFollow(
      `${PAGE}/sell`,
      fieldsOf(told, { "/paid/tendered": "30" }),
    );

    expect(sold.text).toContain("Sold and paid. Change to give: USD 3.00.");
    expect((await newest()).at("/data/0")).toMatchObject({
      status: "completed",
      channel: "pos",
      total: 27,
      paid_total: 27,
    });
  });

  test("whose price changed meanwhile is not sold: the new total is told, and sold by the next tap", async () => {
    const told = await send("total", pick(2));
    await dashboard.shop.put(`/v2/products/${mug.product}`, { price: "13.00" });
    const before = await traces();

    const refused = await send("sell", fieldsOf(told, { "/paid/tendered": "30" }));

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("The total is now USD 28.09. Nothing has been sold yet.");
    expect(refused.text).toContain("Total USD 28.09");
    expect([refused.field("/expected_total"), refused.field("/paid/tendered")]).toEqual([
      "28.09",
      "30",
    ]);
    expect(await traces()).toEqual(before);
    const sold = await send("sell", fieldsOf(refused, { "/paid/tendered": "30" }));
    expect(sold.location).toContain("?change=191");
  });

  test("whose price changed and changed back is sold", async () => {
    const told = await send("total", pick(1));
    await dashboard.shop.put(`/v2/products/${mug.product}`, { price: "13.00" });
    const refused = await send("sell", fieldsOf(told, { "/paid/tendered": "" }));
    await dashboard.shop.put(`/v2/products/${mug.product}`, { price: "12.50" });
    const again = await send("sell", fieldsOf(refused, { "/paid/tendered": "" }));

    const sold = await send("sell", fieldsOf(again, { "/paid/tendered": "" }));

    expect([refused.status, again.status, sold.status]).toEqual([409, 409, 303]);
    expect(again.text).toContain("The total is now USD 13.50.");
  });

  test("for less cash than its total says so at the field, on the page of the total", async () => {
    const told = await send("total", pick(2));

    const refused = await send("sell", fieldsOf(told, { "/paid/tendered": "20" }));

    expect(refused.status).toBe(422);
    expect(refused.text).toContain("This must be at least the amount of 27.00 USD.");
    expect(refused.text).toContain("Total USD 27.00");
    expect(refused.field("/paid/tendered")).toBe("20");
  });

  test("is one by a double tap", async () => {
    const told = await send("total", pick(1));
    const before = (await newest()).number("/data/0/number");

    const taps = await Promise.all([1, 2].map(() => send("sell", fieldsOf(told))));

    expect(taps.map(({ status }) => status)).toEqual([303, 303]);
    expect((await newest()).at("/data/0/number")).toBe(before + 1);
  });

  test("by phone tells its total and how it is paid, and is placed for that", async () => {
    const typed = { "/customer/phone": "+233551234987", "/payment_method": "cash_on_delivery" };

    const told = await send("review", pick(1, typed));
    const placed = await send("place", fieldsOf(told));

    expect(told.text).toContain("Total USD 13.50");
    expect(told.text).toContain("Paid later: cash on delivery.");
    expect(told.html).not.toContain("/paid/tendered");
    expect(placed.location).toEndWith("?done=placed");
    expect((await newest()).at("/data/0")).toMatchObject({
      channel: "phone",
      payment_method: "cash_on_delivery",
      due: 13.5,
    });
  });

  test("leads back to what was typed", async () => {
    const told = await send("total", pick(3, { "/customer/phone": "+233201234567" }));

    const back = await send("find", fieldsOf(told, { "/paid/tendered": "50" }));

    expect(back.status).toBe(200);
    expect(back.text).toMatch(/In this order Blue mug .* USD 37\.50/);
    expect([back.field("/line_items/0/quantity"), back.field("/customer/phone")]).toEqual([
      "3",
      "+233201234567",
    ]);
    expect(back.html).not.toContain("/expected_total");
  });

  test.each([
    ["too many", 700, 409],
    ["no", 0, 422],
  ])("of %s items is refused before its total, with what was typed", async (_, units, status) => {
    const refused = await send("total", pick(units));

    expect(refused.status).toBe(status);
    expect(refused.html).toContain(`action="${PAGE}/review"`);
    expect(refused.html).not.toContain("/expected_total");
  });

  test("that ran short after its total was told says so at the item", async () => {
    const told = await send("total", pick(2));
    const { shop } = dashboard;
    const reserved = (await shop.get(`/v2/inventory/${mug.id}`)).number("/reserved");
    await shop.put(`/v2/inventory/${mug.id}`, { on_hand: reserved + 1 });

    const refused = await send("sell", fieldsOf(told, { "/paid/tendered": "" }));
    await shop.put(`/v2/inventory/${mug.id}`, { on_hand: 500 });

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("Only 1 left.");
    expect(refused.field("/line_items/0/quantity")).toBe("2");
  });

  test("tells no total to a viewer", async () => {
    const viewer = await dashboard.join("viewer", "Esi");

    expect((await viewer.send(`${PAGE}/total`, pick(1))).status).toBe(403);
  });
});

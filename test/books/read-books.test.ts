// The books as they are read: what each account has at the end of a day, and the entries that it is made of.

import { describe, expect, test } from "bun:test";

import { DAY_MS } from "#kernel/time.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";

/** Sells a mug for 11.50, with 1.50 of tax in it, paid in this way. */
async function sellMug(shop: TestShop, method = "cash") {
  await shop.put("/v2/store", { country: "GH", prices_include_tax: true });
  await shop.post("/v2/tax-rates", { country: "GH", name: "VAT", rate: 15 });
  const sold = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "11.50", quantity: 1 }],
    paid: { method },
    fulfilled: true,
  });
  expect(sold.status).toBe(201);
  return sold;
}

/** The accounts at the end of a day, each as a line. */
async function balance(shop: TestShop, query = ""): Promise<string[]> {
  const answer = await shop.get(`/v2/books/balance${query}`);
  return answer.list("/accounts").map((one) => {
    const { account, detail, currency, amount_minor: minor } = Object(one);
    return `${account} ${detail} ${minor} ${currency}`.replace("  ", " ");
  });
}

describe("the balance of a day", () => {
  test("has the money by its way, what was sold, and its tax", async () => {
    await using shop = await openTestShop();

    await sellMug(shop);
    await sellMug(shop, "bank_transfer");

    expect(await balance(shop)).toEqual([
      "money bank 1150 USD",
      "money cash 1150 USD",
      "sales GH standard -2000 USD",
      "tax GH VAT 15 -300 USD",
    ]);
  });

  test("has as the rest what the shop holds for customers", async () => {
    await using shop = await openTestShop();
    const order = await shop.post("/v2/orders", {
      line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
      currency: "GHS",
    });

    await shop.post(`/v2/orders/${order.id}/payments`, { method: "cash", amount: 4 });

    expect(await balance(shop)).toEqual(["money cash 400 GHS", "customers -400 GHS"]);
    expect(await balance(shop, "?currency=USD")).toEqual([]);
  });

  test("that is over is without what happened later, and tells since when there are books", async () => {
    await using shop = await openTestShop();
    await sellMug(shop);
    const before = await balance(shop);
    shop.clock.advance(DAY_MS);
    await sellMug(shop);

    expect(await balance(shop, "?on=2026-01-05")).toEqual(before);
    expect(await balance(shop, "?on=2026-01-04")).toEqual([]);
    expect((await shop.get("/v2/books/balance")).body).toMatchObject({
      day: "2026-01-06",
      since: "2026-01-05",
    });
  });
});

describe("the entries", () => {
  test("of an order are its events, the latest first, and each adds up to zero", async () => {
    await using shop = await openTestShop();
    const sold = await sellMug(shop);
    await sellMug(shop);
    shop.clock.advance(DAY_MS);
    const id = (await shop.get(`/v2/payments?order_id=${sold.id}`)).string("/data/0/id");

    await shop.post(`/v2/payments/${id}/correct`, { amount: 10 });

    const listed = (await shop.get(`/v2/books/entries?order_id=${sold.id}`)).list("/data");
    const entries = listed.map(Object);
    expect(entries.map((one) => [one.booked_on, one.event, one.order_id])).toEqual([
      ["2026-01-06", "payment.corrected", sold.id],
      ["2026-01-05", "order.paid", sold.id],
      ["2026-01-05", "payment.succeeded", sold.id],
    ]);
    expect(entries[0].postings).toMatchObject([
      { account: "money", detail: "cash", amount: -1.5, amount_minor: -150 },
      { account: "customers", detail: "", amount_minor: 150 },
    ]);
  });

  test("come in pages, of an account and of the days that are asked for", async () => {
    await using shop = await openTestShop();
    for (let sold = 0; sold < 3; sold += 1) {
      await sellMug(shop);
      shop.clock.advance(DAY_MS);
    }
    const days: string[] = [];

    for (let cursor: string | null = ""; cursor !== null;) {
      const path = `/v2/books/entries?account=tax&from=2026-01-06&to=2026-01-08&limit=1${cursor}`;
      const page = await shop.get(path);
      days.push(...page.list("/data").map((one) => Object(one).booked_on));
      const next = page.at("/next_cursor");
      cursor = typeof next === "string" ? `&cursor=${next}` : null;
    }

    expect(days).toEqual(["2026-01-07", "2026-01-06"]);
  });

  test("and the balance are for keys that may read the books", async () => {
    await using shop = await openTestShop();
    const till = await shop.createKey({ name: "Till", scopes: ["payments:read"] });
    const accountant = await shop.createKey({ name: "Accountant", scopes: ["books:read"] });

    const refused = await shop.get("/v2/books/entries", { key: till });
    const read = await shop.get("/v2/books/balance", { key: accountant });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
    expect(read.status).toBe(200);
  });
});

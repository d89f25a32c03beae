// Money that is kept for goods that were never sold: announced with its taxes, and a figure of the summary.

import { describe, expect, test } from "bun:test";

import { auditAnalytics } from "#analytics/summary/audit-analytics.ts";

import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { moneyOf, order, summary, takeCash } from "./counter.ts";

async function must(asked: Promise<Answered>): Promise<Answered> {
  const answered = await asked;
  if (answered.status >= 300) throw new Error(answered.text);
  return answered;
}

/** A mug at 12.50 with 15 % in its price, of which 10.00 is paid; cancelled, 4.00 of that is kept. */
async function cancelled(shop: TestShop, store: object = {}): Promise<string> {
  const terms = { country: "GH", prices_include_tax: true, ...store };
  await must(shop.put("/v2/store", terms));
  await must(shop.post("/v2/tax-rates", { country: "GH", name: "VAT", rate: 15 }));
  const { variantId } = await mug(shop);
  const placed = await order(shop, variantId);
  await takeCash(shop, placed, 10);
  await must(shop.post(`/v2/orders/${placed.id}/cancel`, { reason: "customer", refund: "6.00" }));
  return placed.id;
}

/** The kept amounts that the events of orders announced. */
async function announced(shop: TestShop): Promise<unknown[]> {
  return (await shop.announced())
    .filter(({ event }) => event === "order.updated")
    .flatMap(({ data }) => Object(data).kept ?? []);
}

/** What the summary says of it. */
async function keptIn(shop: TestShop): Promise<unknown> {
  const answer = await summary(shop);
  expect(await Array.fromAsync(auditAnalytics(shop.test.database.read))).toEqual([]);
  return {
    kept: answer.at("/currencies/0/revenue/kept_minor"),
    total: moneyOf(answer)["total"],
    taxes: answer
      .list("/currencies/0/taxes")
      .map((row) => [Object(row).tax_minor, Object(row).refunded_minor]),
  };
}

describe("money that is kept for goods that were never sold", () => {
  test("is announced with the taxes of the goods", async () => {
    await using shop = await openTestShop();

    await cancelled(shop);

    expect(await announced(shop)).toEqual([
      expect.objectContaining({
        amount: 4,
        amount_minor: 400,
        tax_lines: [expect.objectContaining({ name: "VAT", taxable_minor: 400, amount_minor: 52 })],
      }),
    ]);
  });

  test("has no taxes where the shop pays none on it", async () => {
    await using shop = await openTestShop();

    await cancelled(shop, { kept_taxed: false });

    expect(await announced(shop)).toEqual([
      expect.objectContaining({ amount_minor: 400, tax_lines: [] }),
    ]);
  });

  test("is revenue with its tax", async () => {
    await using shop = await openTestShop();

    await cancelled(shop);

    expect(await keptIn(shop)).toEqual({ kept: 400, total: 400, taxes: [[52, 0]] });
  });

  test("is revenue no more once it goes back, nor is its tax", async () => {
    await using shop = await openTestShop();
    const id = await cancelled(shop);

    const back = await must(shop.post(`/v2/orders/${id}/refunds`, { amount: 4 }));

    expect(back.at("/refunds/0/status")).toBe("succeeded");
    expect(await keptIn(shop)).toEqual({ kept: 0, total: 0, taxes: [[52, 52]] });
  });
});

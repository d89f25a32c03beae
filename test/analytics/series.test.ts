// The sales of a period point by point, beside the summary of the same period.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../support/shop.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
  await shop.post("/v2/test/seed", {});
});
afterAll(() => shop[Symbol.asyncDispose]());

describe("the series of a period is that of its summary", () => {
  test.each([
    "",
    "interval=hour&from=2026-01-04",
    "interval=hour&from=2026-01-04T09:10:00Z&to=2026-01-05T08:20:00Z",
    "interval=week&timezone=Africa/Nairobi",
    "interval=month&from=2025-11-01&channel=pos",
    "from=2026-01-01&currency=USD",
  ])("%s", async (query) => {
    const series = await shop.get(`/v2/analytics/series?${query}`);
    const summary = await shop.get(`/v2/analytics/summary?${query}`);

    const { currencies, previous_period: _, basis: __, ...terms } = Object(summary.body);
    expect(series.status).toBe(200);
    expect(series.body).toEqual({
      ...terms,
      currencies: currencies.map((block: { currency: string; series: unknown }) => ({
        currency: block.currency,
        series: block.series,
      })),
    });
  });
});

test("a series counts the sale that was paid just now", async () => {
  const taken = async () => {
    const series = await shop.get("/v2/analytics/series?from=2026-01-05&currency=USD");
    return series.number("/currencies/0/series/0/total_minor");
  };
  const before = await taken();

  const sold = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 2 }],
    channel: "pos",
    paid: { method: "cash" },
  });

  expect((await taken()) - before).toBe(sold.number("/total_minor"));
});

test("a period that cannot be read is refused as by the summary", async () => {
  const refused = await shop.get("/v2/analytics/series?from=2026-02-01&to=2026-01-01");

  expect(refused.code).toBe("period_invalid");
  expect((await shop.get("/v2/analytics/series?compare=previous_period")).code).toBe(
    "query_invalid",
  );
});

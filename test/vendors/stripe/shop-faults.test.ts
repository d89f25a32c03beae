// Sales of a shop with Stripe while three of ten calls go wrong, by a seed: when the vendor is well again, every
// payment is what the vendor's books say, and no customer was charged or refunded twice.

import { expect, test } from "bun:test";

import { everyFault } from "#mocks/faults.ts";

import { initialize, pass } from "../../payments/scripted-shop.ts";
import { faultsOf, openStripeShop, payByCard, payOnPage, type StripeShop } from "./stripe-shop.ts";

const HOUR_S = 3_600;
const PERCENT = 30;
const SALES = 10;
const SEEDS = [
  17, 7919, 104_729, 1_299_709, 15_485_863, 179_424_673, 2_038_074_743, 22_801_763_489,
];

/** All but those that last as long as a call may. */
const quick = everyFault.filter(({ fault }) => fault.kind !== "hang" && fault.kind !== "drip");

/** Sales by cards and by pages, and a refund of each payment. Returns the orders. */
async function trade(opened: StripeShop): Promise<string[]> {
  const { shop, order } = opened;
  const orders: string[] = [];
  for (let sale = 0; sale < SALES; sale += 1) {
    const [first, second] = [await order(), await order()];
    orders.push(first.id, second.id);
    const card = await payByCard(opened, first.id);
    if (card.status === 503) await payByCard(opened, first.id);
    const page = await initialize(shop, { order_id: second.id });
    if (page.at("/next_action/type") === "redirect") await payOnPage(opened);
    await opened.told();
    await pass(shop, 60);
  }
  for (const { id, status } of await paymentsOf(opened)) {
    if (status === "succeeded") await shop.post(`/v2/payments/${id}/refunds`, { amount: 5 });
  }
  await pass(shop, 120);
  return orders;
}

async function paymentsOf({ shop }: StripeShop) {
  return (await shop.get("/v2/payments?limit=100")).list("/data").map(Object);
}

test.each(SEEDS)("seed %p ends as the vendor's books say", async (seed) => {
  await using opened = await openStripeShop({ settings: { DUKA_LOG_LEVEL: "silent" } });
  const { face, shop } = opened;
  face.faults.scatter({ seed, percent: PERCENT, faults: quick });
  const orders = await trade(opened);
  face.faults.end();
  await pass(shop, 2 * HOUR_S);

  const { charges, refunds } = face.account;
  const paid = charges.all().filter(({ decline }) => decline === null);
  const succeeded = (await paymentsOf(opened)).filter(({ status }) =>
    ["succeeded", "partially_refunded", "refunded"].includes(String(status)),
  );
  const totals = await Promise.all(orders.map((id) => shop.get(`/v2/orders/${id}`)));

  expect(face.faults.struck.length).toBeGreaterThan(5);
  expect(succeeded).toHaveLength(paid.length);
  expect(paid.length).toBeGreaterThan(SALES / 2);
  expect(refunds.all().length).toBeGreaterThan(SALES / 4);
  const paidTotals = totals.map((one) => one.number("/paid_total"));
  expect(paidTotals.filter((total) => total === 12.5)).toHaveLength(paid.length);
  expect(paidTotals.filter((total) => total !== 12.5 && total !== 0)).toEqual([]);
  const payments = paid.map(({ intent }) => face.account.intents.get(intent).metadata.duka_payment);
  expect(new Set(payments).size).toBe(payments.length);
  const names = refunds.all().map(({ metadata }) => metadata.duka_refund);
  expect(new Set(names).size).toBe(names.length);
  const refunded = totals.reduce((sum, one) => sum + one.number("/refunded_total"), 0);
  expect(refunded).toBe(names.length * 5);
  expect(await faultsOf(opened)).toEqual([]);
});

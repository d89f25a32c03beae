// Events of before they told how they are booked: they are booked as if they had told it.

import { describe, expect, test } from "bun:test";

import { rebuildBooks } from "#books/project-bookings.ts";

import { order, takeCash } from "../analytics/counter.ts";
import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";

/** What events tell since there are books. */
const told = [
  "written_off_total",
  "written_off_total_minor",
  "written_off_of_sale",
  "sale_refunded",
  "sale_refunded_minor",
  "kept_refunded",
  "kept_refunded_minor",
  "kept_tax_lines",
  "had_succeeded",
  "method",
  "gateway",
  "counted",
];
const withThem = ["order.paid", "order.updated", "order.refunded", "refund.failed"];

/** The events, each with the payload as it is. */
function logged({ folder }: TestShop): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const names = withThem.map((name) => `'${name}'`).join(", ");
  return rowsBehind(folder.path, `SELECT id, data FROM events WHERE name IN (${names})`);
}

/** The payload without what events tell since there are books. */
function older(data: string): string {
  const payload: unknown = JSON.parse(data);
  const kept = Object.entries(Object(payload)).filter(([name]) => !told.includes(name));
  return JSON.stringify(Object.fromEntries(kept));
}

/** All that is booked: account, detail and amount. */
async function booked(shop: TestShop): Promise<unknown> {
  await rebuildBooks(shop.test.database);
  return rowsBehind(
    shop.folder.path,
    "SELECT entry, line, account, detail, amount_minor FROM bookings ORDER BY entry, line",
  );
}

/** Expects that the log is booked alike without what events tell since there are books. */
async function expectAlike(shop: TestShop): Promise<void> {
  const before = await booked(shop);
  const rows = await logged(shop);
  const write = (dataOf: (data: string) => string) =>
    tamper(
      shop.folder.path,
      ...rows.map(({ id, data }) => {
        const text = dataOf(String(data)).replaceAll("'", "''");
        return `UPDATE events SET data = '${text}' WHERE id = '${String(id)}'`;
      }),
    );
  await write(older);
  const after = await booked(shop);
  // The shop's end compares its events with the document.
  await write((data) => data);
  expect(before).not.toEqual([]);
  expect(after).toEqual(before);
}

async function must(asked: Promise<Answered>): Promise<Answered> {
  const answered = await asked;
  if (answered.status >= 300) throw new Error(answered.text);
  return answered;
}

/** An order of two mugs, of which so much is paid in cash. */
async function paidOrder(shop: TestShop, amount: number): Promise<Answered> {
  await must(shop.put("/v2/store", { country: "GH" }));
  await must(shop.post("/v2/tax-rates", { country: "GH", name: "VAT", rate: 15 }));
  const { variantId } = await mug(shop);
  const placed = await order(shop, variantId, { quantity: 2 });
  await takeCash(shop, placed, amount);
  return placed;
}

describe("events of before there were books", () => {
  test("tell by the refunds before which part of the sale a refund is", async () => {
    await using shop = await openTestShop();
    const placed = await paidOrder(shop, 28.75);

    await must(shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 3 }));
    await must(shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 5 }));

    await expectAlike(shop);
  });

  test("tell that what was written off before the sale is of it", async () => {
    await using shop = await openTestShop();
    const placed = await paidOrder(shop, 20);

    await must(shop.post(`/v2/orders/${placed.id}/write-off`, { amount: 8.75 }));

    await expectAlike(shop);
  });

  test("tell by the payment which way the money of a refund went", async () => {
    await using shop = await openTestShop();
    const { variantId } = await mug(shop);
    const placed = await order(shop, variantId);
    const card = { order_id: placed.id, method: "card", card_token: "pm_card_visa" };
    await must(shop.post("/v2/payments/initialize", card));

    await must(shop.post(`/v2/orders/${placed.id}/refunds`, { amount: 3 }));
    await shop.fireDue();

    await expectAlike(shop);
  });

  test("tell what was written off of a sale", async () => {
    await using shop = await openTestShop();
    const placed = await paidOrder(shop, 28.75);
    const [payment] = (await shop.get(`/v2/payments?order_id=${placed.id}`)).list("/data");
    await must(shop.post(`/v2/payments/${Object(payment).id}/correct`, { amount: 20 }));

    await must(shop.post(`/v2/orders/${placed.id}/write-off`, { amount: 8.75 }));

    await expectAlike(shop);
  });
});

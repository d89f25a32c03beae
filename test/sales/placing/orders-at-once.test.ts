// Orders that are placed at the same moment: each is as if it had been placed alone.

import { expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { ada, kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { of, stock } from "../orders/counter.ts";

const shop = sharedShop();

const ORDERS = 20;

/** Every difference that the audits find. */
async function faults(shop: TestShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditStock(read))),
  ];
}

const upFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

test("their numbers and the sequences of their events have no gap", async () => {
  await using shop = await openTestShop();
  const cup = await mug(shop, { stock: ORDERS });
  await shop.announced();

  const orders = await atOnce(ORDERS, () => shop.post("/v2/orders", { line_items: [of(cup)] }));

  const numbers = orders.map((order) => order.number("/number")).toSorted((a, b) => a - b);
  expect(numbers).toEqual(upFrom(1001, ORDERS));
  const sequences = (await shop.events()).map(({ sequence }) => sequence);
  expect(sequences).toEqual(upFrom(1, sequences.length));
  expect(await faults(shop)).toEqual([]);
});

test("each is stored as it was answered, whatever it says", async () => {
  const [cup, cloth, customer_id] = [
    await mug(shop, { stock: 100 }),
    await kanga(shop, { stock: 100 }),
    await ada(shop),
  ];
  const notes = ['"quoted" \\ \u2028 {1,NULL}', "Zażółć 🧵 ሰላም", "line\nbreak\ttab", "''; --"];

  const answers = await atOnce(ORDERS, (index) =>
    shop.post("/v2/orders", {
      customer_id,
      line_items: [of(cup, 2), of(cloth)],
      notes: notes[index % notes.length],
      metadata: { index: String(index), text: notes[index % notes.length] },
    }),
  );

  const stored = await Promise.all(answers.map((one) => shop.get(`/v2/orders/${one.id}`)));
  expect(stored.map(({ text }) => text)).toEqual(answers.map(({ text }) => text));
  expect((await shop.get(`/v2/customers/${customer_id}`)).at("/orders_count")).toBe(ORDERS);
  expect(await faults(shop)).toEqual([]);
});

test("the last units go to as many as there are, and the others leave nothing", async () => {
  const [cup, cloth] = [await mug(shop, { stock: 100 }), await kanga(shop, { stock: 7 })];

  const answers = await atOnce(ORDERS, () =>
    shop.post("/v2/orders", { line_items: [of(cup), of(cloth)] }),
  );

  expect(statuses(answers).filter((status) => status === 201)).toHaveLength(7);
  expect(statuses(answers).filter((status) => status === 409)).toHaveLength(ORDERS - 7);
  expect(await stock(shop, cup)).toEqual([100, 7, 93]);
  expect(await stock(shop, cloth)).toEqual([7, 7, 0]);
  expect(await faults(shop)).toEqual([]);
});

test("one with a fault is refused alone", async () => {
  const cup = await mug(shop, { stock: 100 });

  const answers = await atOnce(ORDERS, (index) =>
    shop.post("/v2/orders", { line_items: [of(cup)], external_id: index < 5 ? "shelf" : null }),
  );

  expect(statuses(answers).filter((status) => status === 201)).toHaveLength(ORDERS - 4);
  expect(statuses(answers).filter((status) => status === 409)).toHaveLength(4);
  expect(await faults(shop)).toEqual([]);
});

test("one that is sent several times is placed once", async () => {
  const cup = await mug(shop, { stock: 100 });
  const headers = (index: number) => ({ "Idempotency-Key": `order-${index % 4}` });

  const answers = await atOnce(ORDERS, (index) =>
    shop.post("/v2/orders", { line_items: [of(cup)] }, { headers: headers(index) }),
  );

  expect(new Set(answers.map(({ id }) => id)).size).toBe(4);
  expect(await stock(shop, cup)).toEqual([100, 4, 96]);
  expect(await faults(shop)).toEqual([]);
});

test("those that are paid and taken along are so beside those that are not", async () => {
  const cup = await mug(shop, { stock: 100 });

  const answers = await atOnce(ORDERS, (index) =>
    shop.post("/v2/orders", {
      line_items: [of(cup)],
      ...(index % 3 === 0 && { paid: { method: "cash" }, fulfilled: true }),
    }),
  );

  const paid = answers.filter((one) => one.at("/payment_status") === "paid");
  expect(paid).toHaveLength(7);
  expect(await stock(shop, cup)).toEqual([93, 13, 80]);
  expect(await faults(shop)).toEqual([]);
});

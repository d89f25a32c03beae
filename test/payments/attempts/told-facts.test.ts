// The facts that people tell of money by hand: its name at the bank, the account that took it. One transfer is recorded
// once, unless a person says that it pays two orders.

import { describe, expect, test } from "bun:test";

import { fulfill } from "../../sales/orders/counter.ts";
import { atOnce, statuses } from "../../support/at-once.ts";
import { mug } from "../../support/cast.ts";
import type { Answered } from "../../support/shop.ts";
import { auditsOf } from "../refund-counter.ts";
import { initialize, orderCounter, sharedScriptedShop } from "../scripted-shop.ts";

const { shop } = sharedScriptedShop();

/** The clock of the shop stands on the day after. */
const YESTERDAY = "2026-01-04";

let transfers = 0;
/** A reference that no other test has. */
function newReference(): string {
  transfers += 1;
  return `ft ${transfers}-a08 15`;
}

async function order(): Promise<Answered> {
  return (await orderCounter(shop))({ payment_method: "bank_transfer" }, 2);
}

function record({ id }: Answered, body: object): Promise<Answered> {
  const money = { method: "bank_transfer", amount: 10, ...body };
  return shop.post(`/v2/orders/${id}/payments`, money);
}

async function promised(): Promise<Answered> {
  return initialize(shop, { order_id: (await order()).id, method: "bank_transfer" });
}

function confirm({ id }: Answered, body: object): Promise<Answered> {
  return shop.post(`/v2/payments/${id}/confirm`, { amount: 25, ...body });
}

function account(method = "bank_transfer"): Promise<Answered> {
  const told = { method, label: "GCB", instructions: "GH12 3456" };
  return shop.post("/v2/receiving-accounts", told);
}

describe("a transfer that was recorded before", () => {
  test("is named with its order, and recorded once the person has seen it", async () => {
    const [first, other] = [await order(), await order()];
    const transaction_reference = newReference();
    const kept = await record(first, { transaction_reference });

    const asked = await record(other, { transaction_reference });
    const seen = await record(other, { transaction_reference, seen: true });

    expect([asked.status, asked.code]).toEqual([409, "transaction_seen"]);
    expect(asked.body).toMatchObject({
      payment_id: kept.id,
      order_number: first.at("/number"),
    });
    expect([seen.status, seen.at("/transaction_reference")]).toEqual([201, transaction_reference]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("is known in any spelling, and unknown in another method", async () => {
    const one = await order();
    const transaction_reference = newReference();
    await record(one, { transaction_reference });

    const spellings = [
      transaction_reference.toUpperCase(),
      transaction_reference.replaceAll(" ", ""),
      transaction_reference.replaceAll("-", " – "),
      ` ${[...transaction_reference].join(" ")} `,
    ];
    const asked = await Promise.all(
      spellings.map((spelling) => record(one, { transaction_reference: spelling })),
    );
    const elsewhere = await record(one, { transaction_reference, method: "mobile_money" });

    expect(asked.map(({ code }) => code)).toEqual(spellings.map(() => "transaction_seen"));
    expect(elsewhere.status).toBe(201);
  });

  test("is asked about where a promised payment is confirmed, and where an order is sold at once", async () => {
    const transaction_reference = newReference();
    await confirm(await promised(), { transaction_reference });
    const cup = await mug(shop);
    const paid = { method: "bank_transfer", transaction_reference };
    const sale = { line_items: [{ variant_id: cup.variantId, quantity: 1 }], paid };

    const answers = [
      await confirm(await promised(), { transaction_reference }),
      await shop.post("/v2/orders", sale),
      await shop.post("/v2/orders/preview", sale),
    ];
    const seen = await shop.post("/v2/orders", { ...sale, paid: { ...paid, seen: true } });

    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => "transaction_seen"));
    expect([seen.status, seen.at("/payment_status")]).toEqual([201, "paid"]);
  });

  test("without a letter or a digit is no reference", async () => {
    const one = await order();

    const answers = [
      await record(one, { transaction_reference: "- -" }),
      await record(one, { transaction_reference: "--" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  test("of a customer who was erased is not known any more", async () => {
    const transaction_reference = newReference();
    const email = `erased-${transfers}@example.com`;
    const mine = await (await orderCounter(shop))({ customer: { email } });
    const payment = await record(mine, { amount: 12.5, transaction_reference, note: "By Kofi" });
    await fulfill(shop, mine);
    await shop.post(`/v2/customers/${mine.string("/customer_id")}/erase`);

    const again = await record(await order(), { transaction_reference });

    const erased = await shop.get(`/v2/payments/${payment.id}`);
    expect([erased.at("/transaction_reference"), erased.at("/note")]).toEqual([null, null]);
    expect(again.status).toBe(201);
  });
});

describe("two people at once", () => {
  test("record one transfer on two orders: one of them is asked", async () => {
    const orders = await Promise.all([order(), order()]);
    const transaction_reference = newReference();

    const answers = await Promise.all(orders.map((one) => record(one, { transaction_reference })));

    expect(statuses(answers)).toEqual([201, 409]);
    expect(await auditsOf(shop)).toEqual([]);
  });

  test("confirm one transfer for six payments: all but one are asked", async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, promised));
    const transaction_reference = newReference();

    const answers = await Promise.all(
      payments.map((one) => confirm(one, { transaction_reference })),
    );

    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test("who know that a transfer pays several orders are not stopped", async () => {
    const one = await order();
    const transaction_reference = newReference();

    const answers = await atOnce(5, () =>
      record(one, { amount: 1, transaction_reference, seen: true }),
    );

    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201]);
  });

  test("confirm one payment by two transfers: the one that changes nothing is told so", async () => {
    const payment = await promised();
    const references = [newReference(), newReference()];

    const answers = await Promise.all(
      references.map((transaction_reference) => confirm(payment, { transaction_reference })),
    );

    expect(statuses(answers)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.code).toBe("confirmation_differs");
  });
});

describe("a confirmation that is repeated", () => {
  test("with the same facts, or none, answers the payment as it is", async () => {
    const payment = await promised();
    const { id: account_id } = await account();
    const told = { account_id, transaction_reference: newReference(), note: "By Kofi" };
    await confirm(payment, told);

    const answers = [await confirm(payment, told), await confirm(payment, {})];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.at(1)?.body).toMatchObject({ ...told, version: answers.at(0)?.at("/version") });
  });

  test.each([
    { note: "By Ama" },
    { transaction_reference: "FT-other" },
    { received_on: YESTERDAY },
  ])("with another fact is refused, since it would change nothing: %p", async (other) => {
    const payment = await promised();
    await confirm(payment, { note: "By Kofi", transaction_reference: newReference() });

    const refused = await confirm(payment, other);

    expect([refused.status, refused.code]).toEqual([409, "confirmation_differs"]);
  });
});

describe("the account that took the money", () => {
  test("is answered with the payment, also when it is not told to customers any more", async () => {
    const { id } = await account();
    await shop.put(`/v2/receiving-accounts/${id}`, { active: false });

    const payment = await record(await order(), { account_id: id });

    expect([payment.status, payment.at("/account_id")]).toEqual([201, id]);
  });

  test("is one of the shop, and of the method of the money", async () => {
    const one = await order();
    const { id } = await account("mobile_money");
    const cup = await mug(shop);
    const paid = { method: "bank_transfer", account_id: id, received_on: "2000-01-01" };

    const unknown = await record(one, { account_id: "rcv_00000000000000000000000000" });
    const other = await record(one, { account_id: id, received_on: "1999-01-01" });
    const sale = { line_items: [{ variant_id: cup.variantId, quantity: 1 }] };
    const sold = await shop.post("/v2/orders", { ...sale, paid });
    const soldTo = await shop.post("/v2/orders", {
      ...sale,
      paid: { method: "bank_transfer", account_id: id },
    });

    expect(unknown.faults).toEqual(["#/account_id unknown_account"]);
    expect(other.faults).toEqual([
      "#/account_id account_of_other_method",
      "#/received_on date_invalid",
    ]);
    expect(sold.faults).toEqual(["#/paid/received_on unknown_field"]);
    expect(soldTo.faults).toEqual(["#/paid/account_id account_of_other_method"]);
  });

  test("stays when it is deleted, and takes no new customers; one without money goes", async () => {
    const [used, unused] = [await account(), await account()];
    await record(await order(), { account_id: used.id });

    const removed = [used, unused].map(({ id }) => shop.delete(`/v2/receiving-accounts/${id}`));
    expect((await Promise.all(removed)).map(({ status }) => status)).toEqual([204, 204]);

    const [kept, gone] = await Promise.all(
      [used, unused].map(({ id }) => shop.get(`/v2/receiving-accounts/${id}`)),
    );
    expect([kept?.status, kept?.at("/active")]).toEqual([200, false]);
    expect(gone?.code).toBe("receiving_account_not_found");
    expect((await shop.delete(`/v2/receiving-accounts/${used.id}`)).status).toBe(204);
  });

  test("of another version is not deleted", async () => {
    const { id } = await account();
    await record(await order(), { account_id: id });
    const headers = { "If-Match": '"7"' };

    const refused = await shop.delete(`/v2/receiving-accounts/${id}`, { headers });

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
  });
});

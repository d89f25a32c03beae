// Refunds that a person makes in Paystack's dashboard, in the ways in which they are easily lost or made twice.

import { describe, expect, test } from "bun:test";

import type { Asked } from "#mocks/vendor-server.ts";
import { findReturned } from "#payments/reconciliation/listed-returns.ts";
import { findUnnoticedJob } from "#payments/routes/jobs.ts";

import { initialize } from "../../payments/scripted-shop.ts";
import { MORNING_MS } from "../../support/shop.ts";
import {
  faultsOf,
  ofOrder,
  openPaystackShop,
  payByPhone,
  payOnPage,
  type PaystackShop,
} from "./paystack-shop.ts";

const HOUR_S = 3_600;

async function openPaid() {
  const opened = await openPaystackShop();
  const { id } = await opened.order({}, 2);
  const { id: payment } = await payByPhone(opened, id, "80");
  await opened.told();
  return { ...opened, id, payment };
}

/** What the vendor calls the newest transaction. */
const referenceIn = ({ face }: PaystackShop) => [...face.account.transactions.keys()].at(-1) ?? "";

const refundsOf = async ({ shop }: PaystackShop, payment: string) =>
  (await shop.get(`/v2/payments/${payment}`))
    .list("/refunds")
    .map(Object)
    .map(({ status, amount, external, failure_reason: why }) =>
      [amount, status, external ? "elsewhere" : "own", why].join(" ").trim(),
    );

test("a part that went back is the order's, though its transaction still reads success", async () => {
  await using opened = await openPaid();
  opened.face.account.tellsParts = false;
  opened.face.refundInDashboard(referenceIn(opened), 700);

  await opened.told();
  await opened.pass(60);

  expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 25, 7]);
  expect(await faultsOf(opened)).toEqual([]);
});

describe("a part that went back, of which no notice comes,", () => {
  async function openSilent() {
    const opened = await openPaid();
    opened.face.notices.url = null;
    const { shop, face } = opened;
    const look = async () => {
      await findReturned(shop.test, face.account.now());
      await opened.pass(11);
    };
    const asked = () => face.server.asked.filter(({ path }) => path.includes("/verify/")).length;
    return { ...opened, look, asked };
  }

  function isOfLongAgo({ path, query }: Asked): boolean {
    const from = new URLSearchParams(query).get("from");
    return path === "/refund" && from !== null && Date.parse(from) < MORNING_MS;
  }

  test.each([true, false])("is found in the vendor's own list (told apart: %p)", async (tells) => {
    await using opened = await openSilent();
    opened.face.account.tellsParts = tells;
    opened.face.refundInDashboard(referenceIn(opened), 700);
    await opened.pass(HOUR_S);
    const before = await ofOrder(opened, opened.id);

    await opened.look();

    expect(before).toEqual(["paid", 25, 0]);
    expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 25, 7]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("is polled once, and a refund of the shop's own not at all", async () => {
    await using opened = await openSilent();
    await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });
    opened.face.refundInDashboard(referenceIn(opened), 700);
    await opened.look();
    const asked = opened.asked();

    await opened.look();
    await opened.look();

    expect(opened.asked()).toBe(asked);
  });

  // Regression: the list was read for a week. The shop's clock is in the past, so its last event is long ago.
  test("while the program was off is found when it starts, however long ago", async () => {
    await using opened = await openSilent();
    opened.face.refundInDashboard(referenceIn(opened), 700);
    const job = findUnnoticedJob([opened.shop.test]);

    await job.run();
    await opened.pass(11);
    await job.run();

    expect(await ofOrder(opened, opened.id)).toEqual(["partially_refunded", 25, 7]);
    expect(opened.face.server.asked.filter(isOfLongAgo)).toHaveLength(1);
  });

  test("is not polled where it was too long ago", async () => {
    await using opened = await openSilent();
    opened.face.refundInDashboard(referenceIn(opened), 700);
    const asked = opened.asked();

    await findReturned(opened.shop.test, opened.face.account.now() + 8 * 86_400_000);
    await opened.pass(11);

    expect(opened.asked()).toBe(asked);
  });
});

describe("a refund that never reached Paystack", () => {
  test("is not sent late beside as much of the dashboard", async () => {
    await using opened = await openPaid();
    const fault = { moment: "before", fault: { kind: "reset" } } as const;
    opened.face.faults.plan(fault, { call: "POST /refund" });
    await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });
    opened.face.refundInDashboard(referenceIn(opened), 500);
    await opened.told();

    for (let hour = 0; hour < 4; hour += 1) await opened.pass(HOUR_S);

    expect(opened.face.account.refunds).toHaveLength(1);
    expect((await refundsOf(opened, opened.payment)).toSorted()).toEqual([
      "5 failed own refunded_elsewhere",
      "5 succeeded elsewhere",
    ]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("is sent once more where nothing else went back", async () => {
    await using opened = await openPaid();
    const fault = { moment: "before", fault: { kind: "reset" } } as const;
    opened.face.faults.plan(fault, { call: "POST /refund" });
    await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, { amount: 5 });

    for (let hour = 0; hour < 4; hour += 1) await opened.pass(HOUR_S);

    expect(await refundsOf(opened, opened.payment)).toEqual(["5 succeeded own"]);
    expect(opened.face.account.refunds).toHaveLength(1);
  });
});

describe("a payer in francs, who bore fees with a part of a franc,", () => {
  async function openFrancs() {
    const opened = await openPaystackShop();
    opened.face.account.payerBearsFees = true;
    const payment = await initialize(opened.shop, { amount: 1001, currency: "XOF" });
    payOnPage(opened);
    await opened.told();
    return { ...opened, payment: payment.id };
  }

  test("who is given all of it back has the payment back", async () => {
    await using opened = await openFrancs();
    const [transaction] = opened.face.account.transactions.values();
    opened.face.refundInDashboard(referenceIn(opened), transaction?.amount ?? 0);

    await opened.told();
    await opened.pass(60);

    const payment = await opened.shop.get(`/v2/payments/${opened.payment}`);
    expect([payment.at("/status"), payment.at("/refunded_total")]).toEqual(["refunded", 1001]);
  });

  test("who disputes all of it is not given it back as well", async () => {
    await using opened = await openFrancs();
    opened.face.dispute(referenceIn(opened));
    await opened.told();

    const refund = await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, {});

    expect([refund.status, refund.code]).toEqual([409, "payment_disputed"]);
    expect(opened.face.account.refunds).toEqual([]);
  });
});

test("a refund is not sent beside a dispute whose notice is late, though asking for it failed once", async () => {
  await using opened = await openPaid();
  opened.face.dispute(referenceIn(opened));
  const fault = { moment: "before", fault: { kind: "broken" } } as const;
  opened.face.faults.plan(fault, { call: "GET /dispute/transaction/{id}" });
  const refund = await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, {});

  await opened.pass(HOUR_S);

  expect(refund.at("/status")).toBe("pending");
  expect(opened.face.account.refunds).toEqual([]);
  expect(await refundsOf(opened, opened.payment)).toEqual(["25 failed own payment_disputed"]);
});

test("a refund waits an hour for the question for disputes to be answered, and no longer", async () => {
  await using opened = await openPaid();
  const fault = { moment: "before", fault: { kind: "broken" } } as const;
  const call = "GET /dispute/transaction/{id}";
  for (let nth = 1; nth <= 50; nth += 1) opened.face.faults.plan(fault, { call, nth });
  await opened.shop.post(`/v2/payments/${opened.payment}/refunds`, {});
  const before = opened.face.account.refunds.length;

  for (let hour = 0; hour < 2; hour += 1) await opened.pass(HOUR_S);

  expect(before).toBe(0);
  expect(await refundsOf(opened, opened.payment)).toEqual(["25 succeeded own"]);
});

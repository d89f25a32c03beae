// Refunds that a person makes in Paystack's dashboard, in the ways in which they are easily lost or made twice.

import { describe, expect, test } from "bun:test";

import {
  faultsOf,
  ofOrder,
  openPaystackShop,
  payByPhone,
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

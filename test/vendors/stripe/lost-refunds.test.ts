// A refund whose answer was lost. Stripe's list repeats the shop's name on each refund that the shop made, so one that
// was made there beside it is never taken for it: what Stripe lacks is sent once more, or is a person's to decide.

import { describe, expect, test } from "bun:test";

import { findUnnoticedJob } from "#payments/routes/jobs.ts";

import { eventCounts, pass } from "../../payments/scripted-shop.ts";
import {
  faultsOf,
  ofOrder,
  openStripeShop,
  payByCard,
  refundsOf,
  type StripeShop,
} from "./stripe-shop.ts";

const HOUR_S = 3_600;
const REFUND = { call: "POST /v1/refunds" };

/** An order of 25.00 that is paid by card. */
async function openPaid() {
  const opened = await openStripeShop();
  const { id: orderId } = await opened.order({}, 2);
  const { id: paymentId } = await payByCard(opened, orderId);
  await opened.told();
  const intent = opened.face.account.intents.all()[0]?.id ?? "";
  return {
    opened,
    orderId,
    paymentId,
    /** The merchant refunds at Stripe, whose notice arrives or does not. */
    refundThere: async (amountMinor: number, isTold = true) => {
      opened.face.dashboard.refund(intent, { amountMinor });
      if (!isTold) opened.face.notices.lose();
      await opened.told();
    },
    /** The shop asks for a refund, and the connection breaks before or after Stripe had it. */
    loseRefund: async (moment: "before" | "after", amount?: number) => {
      opened.face.faults.plan({ moment, fault: { kind: "reset" } }, REFUND);
      const terms = amount === undefined ? {} : { amount };
      const { body } = await opened.shop.post(`/v2/payments/${paymentId}/refunds`, terms);
      return String(Object(body).id);
    },
  };
}

/** How the refund stands, and why. */
async function standing({ shop }: StripeShop, id: string): Promise<unknown[]> {
  const refund = await shop.get(`/v2/refunds/${id}`);
  return [refund.at("/status"), refund.at("/failure_reason")];
}

describe("beside as much that was refunded at Stripe since", () => {
  test.each([true, false])(
    "it fails within half an hour, and a person is told; the notice came: %p",
    async (isTold) => {
      const { opened, orderId, paymentId, loseRefund, refundThere } = await openPaid();
      await using _ = opened;

      const lost = await loseRefund("before", 5);
      await refundThere(500, isTold);
      await pass(opened.shop, HOUR_S / 2);

      expect(await standing(opened, lost)).toEqual(["failed", "refunded_elsewhere"]);
      expect(await refundsOf(opened, paymentId)).toEqual(["failed 5", "succeeded 5 elsewhere"]);
      expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 5]);
      expect((await eventCounts(opened.shop, orderId))["refund.failed"]).toBe(1);
      expect(opened.face.account.refunds.all()).toHaveLength(1);
      expect(await faultsOf(opened)).toEqual([]);
    },
  );

  test("a person may send it after that, as a new try", async () => {
    const { opened, orderId, loseRefund, refundThere } = await openPaid();
    await using _ = opened;
    const lost = await loseRefund("before", 5);
    await refundThere(500);
    await pass(opened.shop, HOUR_S / 2);

    const retried = await opened.shop.post(`/v2/refunds/${lost}/retry`);

    expect([retried.status, retried.at("/status")]).toEqual([200, "succeeded"]);
    expect(opened.face.account.refunds.all()).toHaveLength(2);
    expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 10]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("it has succeeded if Stripe had it, and both count", async () => {
    const { opened, orderId, paymentId, loseRefund, refundThere } = await openPaid();
    await using _ = opened;

    await loseRefund("after", 5);
    await refundThere(500);
    await pass(opened.shop, HOUR_S);

    expect(await refundsOf(opened, paymentId)).toEqual(["succeeded 5", "succeeded 5 elsewhere"]);
    expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 10]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("it is not decided while Stripe's list cannot be read", async () => {
    const { opened, paymentId, loseRefund, refundThere } = await openPaid();
    await using _ = opened;
    const lost = await loseRefund("before", 5);
    await refundThere(500, false);
    opened.face.denied.push("GET /v1/refunds");

    await pass(opened.shop, HOUR_S);
    const meanwhile = await standing(opened, lost);
    opened.face.denied.length = 0;
    await pass(opened.shop, 3 * HOUR_S);

    expect(meanwhile).toEqual(["pending", null]);
    expect(await refundsOf(opened, paymentId)).toContain("failed 5");
    expect(opened.face.account.refunds.all()).toHaveLength(1);
  });
});

describe("beside all of the money, that was refunded at Stripe since", () => {
  test("it fails, and the order is refunded once, without a person", async () => {
    const { opened, orderId, paymentId, loseRefund, refundThere } = await openPaid();
    await using _ = opened;

    const lost = await loseRefund("before");
    await refundThere(2500);
    await pass(opened.shop, HOUR_S / 2);

    expect(await standing(opened, lost)).toEqual(["failed", "refunded_elsewhere"]);
    expect(await refundsOf(opened, paymentId)).toEqual(["failed 25", "succeeded 25 elsewhere"]);
    expect(await ofOrder(opened, orderId)).toEqual(["refunded", 25, 25]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("a part fails as well, and what was refunded there counts", async () => {
    const { opened, orderId, loseRefund, refundThere } = await openPaid();
    await using _ = opened;

    const lost = await loseRefund("before", 5);
    await refundThere(2500);
    await pass(opened.shop, HOUR_S / 2);

    expect(await standing(opened, lost)).toEqual(["failed", "refunded_elsewhere"]);
    expect(await ofOrder(opened, orderId)).toEqual(["refunded", 25, 25]);
    expect(await faultsOf(opened)).toEqual([]);
  });
});

test("that never reached Stripe fails beside one of its dashboard that leaves too little", async () => {
  const { opened, orderId, paymentId, refundThere } = await openPaid();
  await using _ = opened;
  opened.face.faults.plan({ moment: "before", fault: { kind: "rate_limit" } }, REFUND);
  const unsent = await opened.shop.post(`/v2/payments/${paymentId}/refunds`, { amount: 20 });

  await refundThere(1000);
  await pass(opened.shop, HOUR_S);

  expect(await standing(opened, unsent.id)).toEqual(["failed", "refunded_elsewhere"]);
  expect(await refundsOf(opened, paymentId)).toEqual(["failed 20", "succeeded 10 elsewhere"]);
  expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 10]);
  expect(opened.face.account.refunds.all()).toHaveLength(1);
  expect(await faultsOf(opened)).toEqual([]);
});

test("that Stripe had has succeeded, and is no person's, beside one of its dashboard that leaves too little", async () => {
  const { opened, orderId, paymentId, loseRefund, refundThere } = await openPaid();
  await using _ = opened;
  await loseRefund("after", 20);
  opened.face.faults.plan({ moment: "before", fault: { kind: "rate_limit" } }, REFUND);
  await opened.shop.post(`/v2/payments/${paymentId}/refunds`, { amount: 5 });

  await refundThere(500);

  expect(await refundsOf(opened, paymentId)).toEqual(["succeeded 20", "needs_attention 5"]);
  expect((await eventCounts(opened.shop, orderId))["refund.needs_attention"]).toBe(1);
});

describe("that Stripe lacks is sent once more", () => {
  test("beside as much that was refunded there before", async () => {
    const { opened, orderId, paymentId, loseRefund, refundThere } = await openPaid();
    await using _ = opened;
    await refundThere(500);
    opened.shop.clock.advance(60_000);

    await loseRefund("before", 5);
    await pass(opened.shop, HOUR_S / 2);

    expect(await refundsOf(opened, paymentId)).toEqual(["succeeded 5 elsewhere", "succeeded 5"]);
    expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 10]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("beside another amount that was refunded there since", async () => {
    const { opened, orderId, loseRefund, refundThere } = await openPaid();
    await using _ = opened;

    await loseRefund("before", 5);
    await refundThere(700);
    await pass(opened.shop, HOUR_S / 2);

    expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 12]);
    expect(await faultsOf(opened)).toEqual([]);
  });

  test("until its key has forgotten that Stripe broke, and is paid once", async () => {
    const { opened, orderId, paymentId } = await openPaid();
    await using _ = opened;
    opened.face.faults.plan({ moment: "before", fault: { kind: "broken" } }, REFUND);
    await opened.shop.post(`/v2/payments/${paymentId}/refunds`, { amount: 5 });

    await pass(opened.shop, 12 * HOUR_S);
    const meanwhile = await refundsOf(opened, paymentId);
    opened.face.pass(25 * HOUR_S * 1000);
    await pass(opened.shop, 4 * HOUR_S);

    expect(meanwhile).toEqual(["pending 5"]);
    expect(opened.face.account.refunds.all()).toHaveLength(1);
    expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 5]);
  });
});

// Regression: only a notice told of it. The shop's clock is in the past, so its last event is long ago.
test("a refund that was made at Stripe while the program was off is found when it starts", async () => {
  const { opened, orderId, paymentId, refundThere } = await openPaid();
  await using _ = opened;
  await refundThere(500, false);
  const before = await refundsOf(opened, paymentId);

  await findUnnoticedJob([opened.shop.test]).run();
  await pass(opened.shop, 60);

  expect(before).toEqual([]);
  expect(await refundsOf(opened, paymentId)).toEqual(["succeeded 5 elsewhere"]);
  expect(await ofOrder(opened, orderId)).toEqual(["partially_refunded", 25, 5]);
  expect(await faultsOf(opened)).toEqual([]);
});

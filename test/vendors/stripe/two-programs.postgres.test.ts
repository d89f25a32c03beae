// Two programs that share one shop, each with a gateway of its own to one account at Stripe: what they are asked at
// the same moment is asked of Stripe once.

import { expect, test } from "bun:test";

import { openStripeFace } from "#mocks/stripe/stripe-face.ts";
import { openStripe } from "#payments/gateways/stripe/stripe.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";

import { initialize, orderCounter, settle } from "../../payments/scripted-shop.ts";
import { openProgramsWith } from "../../payments/two-programs.ts";
import { atOnce } from "../../support/at-once.ts";
import { termsOf } from "./adapter.ts";

async function openTwoAtStripe() {
  const face = await openStripeFace();
  const programs = await openProgramsWith(() => openStripe(termsOf(face)));
  const { one, other } = programs;
  return {
    face,
    one,
    other,
    /** Both have the time and do what is due. */
    pass: async (seconds: number) => {
      one.clock.advance(seconds * 1000);
      other.clock.advance(seconds * 1000);
      await Promise.all([settle(one), settle(other)]);
    },
    [Symbol.asyncDispose]: async () => {
      await programs[Symbol.asyncDispose]();
      await face[Symbol.asyncDispose]();
    },
  };
}

/** Sends the request to both, by the key of the first one. */
function initializeAtBoth(
  { one, other }: Awaited<ReturnType<typeof openTwoAtStripe>>,
  body: Readonly<Record<string, unknown>>,
) {
  const headers = { "Idempotency-Key": "basket-1" };
  return atOnce(8, (index) =>
    (index % 2 === 0 ? one : other).post("/v2/payments/initialize", body, {
      headers,
      key: one.key,
    }),
  );
}

test("one key at both programs opens one page", async () => {
  await using programs = await openTwoAtStripe();

  await initializeAtBoth(programs, { amount: 5, currency: "USD" });

  expect(programs.face.account.sessions.all()).toHaveLength(1);
  expect((await programs.one.get("/v2/payments")).list("/data")).toHaveLength(1);
});

test("one key at both programs charges a card once", async () => {
  await using programs = await openTwoAtStripe();
  const { one, face } = programs;
  const { id: order_id } = await (await orderCounter(one))();

  await initializeAtBoth(programs, { order_id, method: "card", card_token: "pm_card_visa" });
  await programs.pass(60);

  const order = await one.get(`/v2/orders/${order_id}`);
  expect([order.at("/payment_status"), order.at("/paid_total")]).toEqual(["paid", 12.5]);
  expect(face.account.charges.all()).toHaveLength(1);
  expect(face.account.intents.all()).toHaveLength(1);
});

test("a refund whose answer one program lost is read by the other, and paid once", async () => {
  await using programs = await openTwoAtStripe();
  const { one, other, face } = programs;
  const terms = { amount: 5, currency: "USD", method: "card", card_token: "pm_card_visa" };
  const { id } = await initialize(one, terms);
  face.faults.plan({ moment: "after", fault: { kind: "reset" } }, { call: "POST /v1/refunds" });

  const lost = await one.post(`/v2/payments/${id}/refunds`, {});
  await programs.pass(360);

  expect(lost.at("/status")).toBe("pending");
  expect((await other.get(`/v2/payments/${id}`)).at("/status")).toBe("refunded");
  expect(face.account.refunds.all()).toHaveLength(1);
  expect(await Array.fromAsync(auditPayments(one.test.database.read))).toEqual([]);
});

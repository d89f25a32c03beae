// Two programs that share one shop, each with a gateway of its own to one account at Paystack: what they are asked at
// the same moment is asked of Paystack once. Paystack has no key that makes a second call harmless.

import { expect, test } from "bun:test";

import { openPaystackFace } from "#mocks/paystack/paystack-face.ts";
import { openPaystack } from "#payments/gateways/paystack/paystack.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";

import { initialize, orderCounter, settle } from "../../payments/scripted-shop.ts";
import { openProgramsWith } from "../../payments/two-programs.ts";
import { atOnce } from "../../support/at-once.ts";
import { termsOf } from "./rig.ts";

const phone = { method: "mobile_money", provider: "mtn", phone: "+233551234980" };
const codePhone = { ...phone, phone: "+233551234985" };

async function openTwoAtPaystack() {
  const face = await openPaystackFace();
  const programs = await openProgramsWith(() => openPaystack(termsOf(face)));
  const { one, other } = programs;
  await one.put("/v2/store", { currency: "GHS", country: "GH" });
  return {
    face,
    one,
    other,
    askedFor: (path: string) =>
      face.server.asked.filter((asked) => asked.method === "POST" && asked.path === path).length,
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

test("one key at both programs prompts a phone once", async () => {
  await using programs = await openTwoAtPaystack();
  const { one, other, face } = programs;
  const { id: order_id } = await (await orderCounter(one))();
  const headers = { "Idempotency-Key": "basket-1" };

  await atOnce(8, (index) =>
    (index % 2 === 0 ? one : other).post(
      "/v2/payments/initialize",
      { order_id, ...phone },
      { headers, key: one.key },
    ),
  );
  await programs.pass(60);

  const order = await one.get(`/v2/orders/${order_id}`);
  expect([order.at("/payment_status"), order.at("/paid_total")]).toEqual(["paid", 12.5]);
  expect(programs.askedFor("/charge")).toBe(1);
  expect(face.account.transactions.size).toBe(1);
});

test("a code that both programs are given is sent once", async () => {
  await using programs = await openTwoAtPaystack();
  const { one, other } = programs;
  const { id: order_id } = await (await orderCounter(one))();
  const { id } = await initialize(one, { order_id, ...codePhone });

  await Promise.all(
    [one, other].map((program) =>
      program.post(`/v2/payments/${id}/otp`, { otp: "123456" }, { key: one.key }),
    ),
  );
  await programs.pass(60);

  expect(programs.askedFor("/charge/submit_otp")).toBe(1);
  expect((await one.get(`/v2/orders/${order_id}`)).at("/payment_status")).toBe("paid");
});

test("a refund that both programs are asked for is made once", async () => {
  await using programs = await openTwoAtPaystack();
  const { one, other, face } = programs;
  const { id } = await initialize(one, { amount: 5, currency: "GHS", ...phone });

  await Promise.all(
    [one, other].map((program) => program.post(`/v2/payments/${id}/refunds`, {}, { key: one.key })),
  );
  await programs.pass(60);

  expect(face.account.refunds).toHaveLength(1);
  expect((await other.get(`/v2/payments/${id}`, { key: one.key })).at("/status")).toBe("refunded");
  expect(await Array.fromAsync(auditPayments(one.test.database.read))).toEqual([]);
});

test("a refund whose answer one program lost is read by the other, and made once", async () => {
  await using programs = await openTwoAtPaystack();
  const { one, other, face } = programs;
  const { id } = await initialize(one, { amount: 5, currency: "GHS", ...phone });
  face.faults.plan({ moment: "after", fault: { kind: "reset" } }, { call: "POST /refund" });

  const lost = await one.post(`/v2/payments/${id}/refunds`, {});
  await programs.pass(360);

  expect(lost.at("/status")).toBe("pending");
  expect((await other.get(`/v2/payments/${id}`, { key: one.key })).at("/status")).toBe("refunded");
  expect(face.account.refunds).toHaveLength(1);
  expect(await Array.fromAsync(auditPayments(one.test.database.read))).toEqual([]);
});

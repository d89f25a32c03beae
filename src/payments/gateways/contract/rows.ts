// The contract of the port as a table: every gateway must keep its rows, whichever vendor is behind it. Tests run them,
// and the kit runs them against an adapter.

import assert from "node:assert/strict";

import { newId } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";

import { arrivedOf, begun, type ContractRow, has, Memory, paid, paidOf } from "./world.ts";

const payments: readonly ContractRow[] = [
  {
    id: "takes",
    what: "takes its methods, and has no terms below one minor unit",
    needs: [],
    run: async ({ gateway, attempt }) => {
      const { method, currency, provider } = attempt;
      const terms = gateway.takes({ method, currency, provider });
      assert.ok(gateway.methods.includes(method));
      assert.ok(terms !== null && terms.multipleMinor > 0 && terms.minimumMinor > 0);
    },
  },
  {
    id: "references",
    what: "makes the same reference of the same attempt, and another of each next one",
    needs: [],
    run: async ({ gateway, attempt }) => {
      const make = (n: number) => gateway.newReference(attempt.paymentId, n);
      assert.equal(make(1), make(1));
      assert.equal(new Set([1, 2, 3].map(make)).size, 3);
      assert.match(make(1), /^[A-Za-z0-9-]{1,64}$/);
    },
  },
  {
    id: "unknown-attempt",
    what: "does not know an attempt that was never made, and asking does not make it",
    needs: [],
    run: async (world) => {
      const memory = new Memory(world);
      const twice = [await memory.verify(), await memory.verify()];
      assert.deepEqual(twice, [{ state: "not_found" }, { state: "not_found" }]);
    },
  },
  {
    id: "pending",
    what: "has an attempt pending until the payer answers",
    needs: [],
    run: async (world) => {
      const memory = await begun(world);
      has(await memory.verify(), { state: "pending" });
    },
  },
  {
    id: "charged-once",
    what: "charges an attempt once, however often it is initiated",
    needs: ["payer"],
    run: async (world) => {
      const { amountMinor, currency, gatewayReference } = world.attempt;
      const memory = await begun(world);
      await memory.initiate();
      await memory.answer("approved");
      await memory.initiate();
      const { mode } = world.gateway;
      const expected = { amountMinor, currency, gatewayReference, mode, returnedMinor: 0 };
      has(paidOf(await memory.verify()), expected);
    },
  },
  {
    id: "charged-once-at-once",
    what: "charges an attempt once that is initiated three times at once",
    needs: ["payer"],
    run: async (world) => {
      const memory = new Memory(world);
      await Promise.all([1, 2, 3].map(() => world.gateway.initiate(world.attempt, memory.call)));
      await memory.answer("approved");
      const { amountMinor } = world.attempt;
      has(paidOf(await memory.verify()), { amountMinor, returnedMinor: 0 });
    },
  },
  {
    id: "names",
    what: "names an attempt that was paid, each time by the same names",
    needs: ["payer"],
    run: async (world) => {
      const memory = await paid(world);
      const first = paidOf(await memory.verify());
      const again = await memory.verify();
      const unique = new Set(first.names.map(({ name }) => name));
      assert.equal(unique.size, first.names.length);
      assert.match([...unique].join(" "), /^\w\S*(?: \w\S*)*$/);
      assert.deepEqual(again, first);
    },
  },
  {
    id: "facts",
    what: "tells what an attempt was paid with, when, and what it keeps",
    needs: ["payer"],
    run: async (world) => {
      const memory = await paid(world);
      const { channel, instrument, paidAt, feeMinor, amountMinor } = paidOf(await memory.verify());
      assert.match(instrument?.last4 ?? "none", /^(?:[0-9A-Za-z]{4}|none)$/);
      const isToldOf = (fact: unknown) => world.tellsFewFacts !== true || fact !== null;
      if (isToldOf(channel)) assert.match(channel ?? "", /^[a-z_]+$/);
      if (isToldOf(paidAt)) assert.ok(paidAt !== null && paidAt >= 0);
      if (isToldOf(feeMinor))
        assert.ok(feeMinor !== null && feeMinor >= 0 && feeMinor < amountMinor);
    },
  },
  {
    id: "declined",
    what: "has a declined attempt failed, with a code of the shop's",
    needs: ["payer"],
    run: async (world) => {
      const memory = await begun(world);
      await memory.answer("declined");
      const { failureCode = "not_approved" } = world;
      const why = failureCode === "any" ? {} : { failureCode };
      has(await memory.verify(), { state: "failed", ...why });
    },
  },
];

const refunds: readonly ContractRow[] = [
  {
    id: "refunded-once",
    what: "pays a refund once, however often it is asked for, and lists it under its name",
    needs: ["payer", "refunds"],
    run: async (world) => {
      const { gateway } = world;
      const memory = await paid(world);
      paidOf(await memory.verify());
      const first = await gateway.refund(memory.refund(), memory.call);
      await gateway.refund(memory.refund({ wasAsked: true }), memory.call);
      await memory.endRefunds();

      const gatewayRefundId = "gatewayRefundId" in first ? first.gatewayRefundId : null;
      const refund = memory.refund({ wasAsked: true, gatewayRefundId });
      const { reference, amountMinor } = refund;
      const found = await gateway.findRefunds(memory.attempt, memory.call);
      if (found.kind !== "found") assert.fail(JSON.stringify(found));
      assert.equal(found.refunds.length, 1);
      has(found.refunds[0] ?? {}, { reference, amountMinor, outcome: { kind: "succeeded" } });
      has(await gateway.verifyRefund(refund, memory.call), { kind: "succeeded" });
      has(paidOf(await memory.verify()), { returnedMinor: amountMinor });
    },
  },
  {
    id: "refunds-bounded",
    what: "pays back no more than was paid",
    needs: ["payer", "refunds"],
    run: async (world) => {
      const { gateway, attempt } = world;
      const { amountMinor } = attempt;
      const memory = await paid(world);
      paidOf(await memory.verify());
      const whole = await gateway.refund(memory.refund({ amountMinor }), memory.call);
      await memory.endRefunds();
      const other = newId("refund", realClock.now());
      const more = memory.refund({ refundId: other, reference: other, amountMinor: 1 });
      const refused = await gateway.refund(more, memory.call);
      assert.ok(["succeeded", "pending"].includes(whole.kind), whole.kind);
      assert.ok(["failed", "needs_attention"].includes(refused.kind), refused.kind);
      has(paidOf(await memory.verify()), { returnedMinor: amountMinor });
    },
  },
  {
    id: "unknown-refund",
    what: "does not know a refund that was never asked for, and asking does not make it",
    needs: ["payer", "refunds"],
    run: async (world) => {
      const { gateway } = world;
      const memory = await paid(world);
      const known = await gateway.verifyRefund(memory.refund(), memory.call);
      assert.deepEqual(known, { kind: "not_found" });
      const found = await gateway.findRefunds(memory.attempt, memory.call);
      assert.deepEqual(found, { kind: "found", refunds: [] });
      has(paidOf(await memory.verify()), { returnedMinor: 0 });
    },
  },
];

const notices: readonly ContractRow[] = [
  {
    id: "notice",
    what: "names the attempt in its notice, and gives copies one key",
    needs: ["payer", "notices"],
    run: async (world) => {
      const { gateway, attempt } = world;
      const memory = await begun(world);
      const arrived = arrivedOf(await memory.answer("approved"));
      const [first, copy] = [gateway.parseWebhook(arrived), gateway.parseWebhook(arrived)];
      const { gatewayReference } = attempt;
      has(first, { kind: "notice", gatewayReference, mode: gateway.mode });
      assert.deepEqual(copy, first);
    },
  },
  {
    id: "forged-notice",
    what: "rejects a notice without what proves its sender",
    needs: ["payer", "notices"],
    run: async (world) => {
      const { gateway } = world;
      const memory = await begun(world);
      const { bytes } = arrivedOf(await memory.answer("approved"));
      const unproved = { bytes, headers: new Headers(), token: null };
      assert.deepEqual(gateway.parseWebhook(unproved), { kind: "reject" });
      const guessed = gateway.parseWebhook({ ...unproved, token: "guessed" });
      assert.deepEqual(guessed, { kind: "reject" });
    },
  },
];

/** The contract of the port. */
export const contractRows: readonly ContractRow[] = [...payments, ...refunds, ...notices];

// What every gateway must do, whichever vendor is behind it. A world is a gateway, and the vendor's side of it.

import { describe, expect, test } from "bun:test";

import type {
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import type { FailureCode } from "#payments/rows/payment-life.ts";

export interface World extends AsyncDisposable {
  readonly gateway: Gateway;
  /** An attempt that the gateway takes and that no other world has made. */
  readonly attempt: GatewayAttempt;
  /** The payer answers. Returns the notice that the vendor sends, as it arrives. */
  answer(attempt: GatewayAttempt, answer: "approved" | "declined"): Promise<ArrivedNotice>;
  /** Why an attempt fails whose payer declines; `not_approved` if absent. */
  readonly failureCode?: FailureCode;
}

/** Calls that may last, and whose names and bodies no one saves. */
const call: GatewayCallTerms = {
  signal: new AbortController().signal,
  name: async () => {},
  keyed: async () => {},
};

/** Tests that the gateway of these worlds keeps the contract of the port. */
export function gatewayContract(name: string, open: () => Promise<World>): void {
  describe(name, () => {
    payments(open);
    refunds(open);
    notices(open);
  });
}

function payments(open: () => Promise<World>): void {
  test("takes its methods, and has no terms below one minor unit", async () => {
    await using world = await open();
    const { method, currency, provider } = world.attempt;

    const terms = world.gateway.takes({ method, currency, provider });

    expect(world.gateway.methods).toContain(method);
    expect(terms?.multipleMinor).toBeGreaterThan(0);
    expect(terms?.minimumMinor).toBeGreaterThan(0);
  });

  test("makes the same reference of the same attempt, and another of each next one", async () => {
    await using world = await open();
    const { gateway, attempt } = world;
    const make = (n: number) => gateway.newReference(attempt.paymentId, n);

    expect(make(1)).toBe(make(1));
    expect(new Set([1, 2, 3].map(make)).size).toBe(3);
    expect(make(1)).toMatch(/^[A-Za-z0-9-]{1,64}$/);
  });

  test("does not know an attempt that was never made, and asking does not make it", async () => {
    await using world = await open();

    const twice = [
      await world.gateway.verify(world.attempt, call),
      await world.gateway.verify(world.attempt, call),
    ];

    expect(twice).toEqual([{ state: "not_found" }, { state: "not_found" }]);
  });

  test("has an attempt pending until the payer answers", async () => {
    await using world = await open();
    await world.gateway.initiate(world.attempt, call);

    expect((await world.gateway.verify(world.attempt, call)).state).toBe("pending");
  });

  test("charges an attempt once, however often it is initiated", async () => {
    await using world = await open();
    const { amountMinor, currency, gatewayReference } = world.attempt;
    await Promise.all([1, 2, 3].map(() => world.gateway.initiate(world.attempt, call)));
    await world.answer(world.attempt, "approved");
    await world.gateway.initiate(world.attempt, call);

    expect(await world.gateway.verify(world.attempt, call)).toMatchObject({
      state: "succeeded",
      amountMinor,
      currency,
      gatewayReference,
      mode: world.gateway.mode,
      returnedMinor: 0,
    });
  });

  test("names an attempt that was paid, each time by the same names", async () => {
    await using world = await openPaid(open);

    const [first, again] = [
      await world.gateway.verify(world.attempt, call),
      await world.gateway.verify(world.attempt, call),
    ];

    if (first.state !== "succeeded") throw new Error(first.state);
    const unique = new Set(first.names.map(({ name }) => name));
    expect(unique.size).toBe(first.names.length);
    expect([...unique].join(" ")).toMatch(/^\w\S*(?: \w\S*)*$/);
    expect(again).toEqual(first);
  });

  test("tells what an attempt was paid with, when, and what it keeps", async () => {
    await using world = await openPaid(open);

    const outcome = await world.gateway.verify(world.attempt, call);

    if (outcome.state !== "succeeded") throw new Error(outcome.state);
    expect(outcome.channel).toMatch(/^[a-z_]+$/);
    expect(outcome.instrument?.last4 ?? "none").toMatch(/^(?:[0-9A-Za-z]{4}|none)$/);
    expect(outcome.paidAt).toBeGreaterThanOrEqual(0);
    expect(outcome.feeMinor).toBeGreaterThanOrEqual(0);
    expect(outcome.feeMinor).toBeLessThan(outcome.amountMinor);
  });

  test("has a declined attempt failed, with a code of the shop's", async () => {
    await using world = await open();
    await world.gateway.initiate(world.attempt, call);
    await world.answer(world.attempt, "declined");

    expect(await world.gateway.verify(world.attempt, call)).toMatchObject({
      state: "failed",
      failureCode: world.failureCode ?? "not_approved",
    });
  });
}

function refundOf(attempt: GatewayAttempt, amountMinor: number, n = 1): GatewayRefund {
  const refundId = `ref_01kf000000000000000000000${n}` as const;
  const { currency } = attempt;
  const tried = {
    reference: refundId,
    gatewayRefundId: null,
    reason: "other",
    wasAsked: false,
    createdAt: 0,
  } as const;
  return { refundId, ...tried, amountMinor, currency, attempt };
}

async function openPaid(open: () => Promise<World>): Promise<World> {
  const world = await open();
  await world.gateway.initiate(world.attempt, call);
  await world.answer(world.attempt, "approved");
  return world;
}

function refunds(open: () => Promise<World>): void {
  test("pays a refund once, however often it is asked for, and lists it under its name", async () => {
    await using world = await openPaid(open);
    const { gateway, attempt } = world;
    const refund = refundOf(attempt, 500);

    const made = [await gateway.refund(refund, call), await gateway.refund(refund, call)];
    const found = await gateway.findRefunds(attempt, call);

    expect(made.map(({ kind }) => kind)).toEqual(["succeeded", "succeeded"]);
    expect(found).toMatchObject({
      kind: "found",
      refunds: [{ reference: refund.reference, amountMinor: 500, outcome: { kind: "succeeded" } }],
    });
    expect(await gateway.verifyRefund(refund, call)).toMatchObject({ kind: "succeeded" });
    expect(await gateway.verify(attempt, call)).toMatchObject({
      state: "succeeded",
      returnedMinor: 500,
    });
  });

  test("pays back no more than was paid", async () => {
    await using world = await openPaid(open);
    const { gateway, attempt } = world;

    const whole = await gateway.refund(refundOf(attempt, attempt.amountMinor), call);
    const more = await gateway.refund(refundOf(attempt, 1, 2), call);

    expect([whole.kind, more.kind]).toEqual(["succeeded", "failed"]);
    const { amountMinor: returnedMinor } = attempt;
    expect(await gateway.verify(attempt, call)).toMatchObject({ returnedMinor });
  });

  test("does not know a refund that was never asked for, and asking does not make it", async () => {
    await using world = await openPaid(open);
    const { gateway, attempt } = world;

    expect(await gateway.verifyRefund(refundOf(attempt, 500), call)).toEqual({ kind: "not_found" });
    expect(await gateway.findRefunds(attempt, call)).toEqual({ kind: "found", refunds: [] });
    expect(await gateway.verify(attempt, call)).toMatchObject({ returnedMinor: 0 });
  });
}

function notices(open: () => Promise<World>): void {
  test("names the attempt in its notice, and gives copies one key", async () => {
    await using world = await open();
    await world.gateway.initiate(world.attempt, call);
    const notice = await world.answer(world.attempt, "approved");

    const [first, copy] = [world.gateway.parseWebhook(notice), world.gateway.parseWebhook(notice)];

    const { gatewayReference } = world.attempt;
    expect(first).toMatchObject({ kind: "notice", gatewayReference, mode: world.gateway.mode });
    expect(copy).toEqual(first);
  });

  test("rejects a notice without what proves its sender", async () => {
    await using world = await open();
    await world.gateway.initiate(world.attempt, call);
    const { bytes } = await world.answer(world.attempt, "approved");

    const unproved = { bytes, headers: new Headers(), token: null };

    expect(world.gateway.parseWebhook(unproved)).toEqual({ kind: "reject" });
    expect(world.gateway.parseWebhook({ ...unproved, token: "guessed" })).toEqual({
      kind: "reject",
    });
  });
}

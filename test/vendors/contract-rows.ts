// What every gateway must do, whichever vendor is behind it, as a table: whoever has a world runs the same rows. A
// world is a gateway, and the vendor's side of it.

import assert from "node:assert/strict";

import type {
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
  PaymentOutcome,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import type { FailureCode, GatewayName } from "#payments/rows/payment-life.ts";

export interface World extends AsyncDisposable {
  readonly gateway: Gateway;
  /** An attempt that the gateway takes and that no other world has made. */
  readonly attempt: GatewayAttempt;
  /** The payer answers. Returns the notice that the vendor sends, as it arrives. */
  answer(attempt: GatewayAttempt, answer: "approved" | "declined"): Promise<ArrivedNotice>;
  /** Why an attempt fails whose payer declines; `not_approved` if absent. */
  readonly failureCode?: FailureCode;
  /** True if payments are refunded as a whole alone. */
  readonly refundsWhole?: boolean;
  /** True if the vendor tells neither its fee nor when it was paid. */
  readonly tellsNoFee?: boolean;
  /** Lets refunds that are under way end. Returns the notice of the last one; null where there is none. */
  readonly endRefunds?: () => Promise<ArrivedNotice | null>;
}

/** One thing that a gateway must do. */
export interface ContractRow {
  readonly id: string;
  readonly what: string;
  readonly run: (world: World) => Promise<void>;
}

/** The memory of a shop: the names that a gateway told of its one attempt. */
class Memory {
  readonly #world: World;
  readonly #names = new Map<string, GatewayName>();
  #wasAsked = false;
  readonly call: GatewayCallTerms = {
    signal: new AbortController().signal,
    name: async (names) => this.keep(names),
    keyed: async () => {},
  };

  constructor(world: World) {
    this.#world = world;
  }

  get attempt(): GatewayAttempt {
    const names = [...this.#names.values()];
    return { ...this.#world.attempt, names, wasAsked: this.#wasAsked };
  }

  keep(names: readonly GatewayName[]): void {
    for (const one of names) this.#names.set(one.name, one);
  }

  async initiate(): Promise<void> {
    const answer = await this.#world.gateway.initiate(this.attempt, this.call);
    this.#wasAsked = true;
    if ("names" in answer) this.keep(answer.names);
  }

  async verify(): Promise<PaymentOutcome> {
    const outcome = await this.#world.gateway.verify(this.attempt, this.call);
    if ("names" in outcome) this.keep(outcome.names);
    return outcome;
  }

  /** The payer answers, and the shop hears of it. */
  async answer(answer: "approved" | "declined"): Promise<ArrivedNotice> {
    const arrived = await this.#world.answer(this.attempt, answer);
    this.hear(arrived);
    return arrived;
  }

  hear(arrived: ArrivedNotice): void {
    const notice = this.#world.gateway.parseWebhook(arrived);
    if (notice.kind === "notice") this.keep(notice.adds ?? []);
  }

  /** The one refund of the attempt, of a part where parts are refunded. */
  refund(given: Partial<GatewayRefund> = {}): GatewayRefund {
    const { amountMinor, currency } = this.#world.attempt;
    const wholeOrPart = this.#world.refundsWhole === true ? amountMinor : 500;
    return {
      refundId: "ref_01kf0000000000000000000001",
      reference: "ref_01kf0000000000000000000001",
      gatewayRefundId: null,
      reason: "other",
      wasAsked: false,
      createdAt: 0,
      amountMinor: wholeOrPart,
      currency,
      attempt: this.attempt,
      ...given,
    };
  }

  async endRefunds(): Promise<void> {
    const arrived = await this.#world.endRefunds?.();
    if (arrived) this.hear(arrived);
  }
}

async function begun(world: World): Promise<Memory> {
  const memory = new Memory(world);
  await memory.initiate();
  return memory;
}

async function paid(world: World): Promise<Memory> {
  const memory = await begun(world);
  await memory.answer("approved");
  return memory;
}

function paidOf(outcome: PaymentOutcome): Extract<PaymentOutcome, { state: "succeeded" }> {
  if (outcome.state !== "succeeded") assert.fail(JSON.stringify(outcome));
  return outcome;
}

/** Throws unless the answer has these members. */
function has(answer: object, expected: object): void {
  assert.partialDeepStrictEqual(answer, expected, JSON.stringify(answer));
}

const payments: readonly ContractRow[] = [
  {
    id: "takes",
    what: "takes its methods, and has no terms below one minor unit",
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
    run: async (world) => {
      const memory = new Memory(world);
      const twice = [await memory.verify(), await memory.verify()];
      assert.deepEqual(twice, [{ state: "not_found" }, { state: "not_found" }]);
    },
  },
  {
    id: "pending",
    what: "has an attempt pending until the payer answers",
    run: async (world) => {
      const memory = await begun(world);
      has(await memory.verify(), { state: "pending" });
    },
  },
  {
    id: "charged-once",
    what: "charges an attempt once, however often it is initiated",
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
    run: async (world) => {
      const memory = await paid(world);
      const { channel, instrument, paidAt, feeMinor, amountMinor } = paidOf(await memory.verify());
      assert.match(channel ?? "", /^[a-z_]+$/);
      assert.match(instrument?.last4 ?? "none", /^(?:[0-9A-Za-z]{4}|none)$/);
      if (world.tellsNoFee === true) {
        assert.deepEqual([paidAt, feeMinor], [null, null]);
        return;
      }
      assert.ok(paidAt !== null && paidAt >= 0);
      assert.ok(feeMinor !== null && feeMinor >= 0 && feeMinor < amountMinor);
    },
  },
  {
    id: "declined",
    what: "has a declined attempt failed, with a code of the shop's",
    run: async (world) => {
      const memory = await begun(world);
      await memory.answer("declined");
      const { failureCode = "not_approved" } = world;
      has(await memory.verify(), { state: "failed", failureCode });
    },
  },
];

const refunds: readonly ContractRow[] = [
  {
    id: "refunded-once",
    what: "pays a refund once, however often it is asked for, and lists it under its name",
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
    run: async (world) => {
      const { gateway, attempt } = world;
      const { amountMinor } = attempt;
      const memory = await paid(world);
      paidOf(await memory.verify());
      const whole = await gateway.refund(memory.refund({ amountMinor }), memory.call);
      await memory.endRefunds();
      const other = "ref_01kf0000000000000000000002" as const;
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
    run: async (world) => {
      const { gateway, attempt } = world;
      const memory = await begun(world);
      const arrived = await memory.answer("approved");
      const [first, copy] = [gateway.parseWebhook(arrived), gateway.parseWebhook(arrived)];
      const { gatewayReference } = attempt;
      has(first, { kind: "notice", gatewayReference, mode: gateway.mode });
      assert.deepEqual(copy, first);
    },
  },
  {
    id: "forged-notice",
    what: "rejects a notice without what proves its sender",
    run: async (world) => {
      const { gateway } = world;
      const memory = await begun(world);
      const { bytes } = await memory.answer("approved");
      const unproved = { bytes, headers: new Headers(), token: null };
      assert.deepEqual(gateway.parseWebhook(unproved), { kind: "reject" });
      const guessed = gateway.parseWebhook({ ...unproved, token: "guessed" });
      assert.deepEqual(guessed, { kind: "reject" });
    },
  },
];

/** The contract of the port. */
export const contractRows: readonly ContractRow[] = [...payments, ...refunds, ...notices];

// The parts of a row of the contract: a world, which is a gateway and the vendor's side of it, and what a shop remembers
// of its one attempt there.

import assert from "node:assert/strict";

import { newId } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import type {
  Gateway,
  GatewayAttempt,
  GatewayCallTerms,
  GatewayRefund,
  PaymentOutcome,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice } from "#payments/port/notice.ts";
import type { FailureCode, GatewayName } from "#payments/rows/payment-life.ts";

export type PayerAnswer = "approved" | "declined";

export interface World extends AsyncDisposable {
  readonly gateway: Gateway;
  /** An attempt that the gateway takes and that no other world has made. */
  readonly attempt: GatewayAttempt;
  /** The payer answers. Returns the notice that the vendor sends, as it arrives; null where none comes in time. */
  answer(attempt: GatewayAttempt, answer: PayerAnswer): Promise<ArrivedNotice | null>;
  /** Why an attempt fails whose payer declines, or any reason; `not_approved` if absent. */
  readonly failureCode?: FailureCode | "any";
  /** True if payments are refunded as a whole alone. */
  readonly refundsWhole?: boolean;
  /** True if the vendor need not tell its fee, when it was paid and by which channel. */
  readonly tellsFewFacts?: boolean;
  /** Lets refunds that are under way end. Returns the notice of the last one; null where there is none. */
  readonly endRefunds?: () => Promise<ArrivedNotice | null>;
}

/** A part of a world that not every one has: a payer, refunds, notices, a way to kill the adapter. */
export type Need = "payer" | "refunds" | "notices" | "restart";

/** One thing that a gateway must do. */
export interface ContractRow<W extends World = World> {
  readonly id: string;
  readonly what: string;
  readonly needs: readonly Need[];
  /** Throws where it is not done. */
  readonly run: (world: W) => Promise<void>;
}

/** The part of a payment that is refunded: every gateway takes a multiple of it. */
const PART_MINOR = 500;

/** The memory of a shop: the names that a gateway told of its one attempt. */
export class Memory {
  readonly #world: World;
  readonly #refundId = newId("refund", realClock.now());
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
  async answer(answer: PayerAnswer): Promise<ArrivedNotice | null> {
    const arrived = await this.#world.answer(this.attempt, answer);
    this.hear(arrived);
    return arrived;
  }

  hear(arrived: ArrivedNotice | null): void {
    if (arrived === null) return;
    const notice = this.#world.gateway.parseWebhook(arrived);
    if (notice.kind === "notice") this.keep(notice.adds ?? []);
  }

  /** The one refund of the attempt, of a part where parts are refunded. */
  refund(given: Partial<GatewayRefund> = {}): GatewayRefund {
    const { amountMinor, currency } = this.#world.attempt;
    const wholeOrPart = this.#world.refundsWhole === true ? amountMinor : PART_MINOR;
    return {
      refundId: this.#refundId,
      reference: this.#refundId,
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
    this.hear((await this.#world.endRefunds?.()) ?? null);
  }
}

export async function begun(world: World): Promise<Memory> {
  const memory = new Memory(world);
  await memory.initiate();
  return memory;
}

export async function paid(world: World): Promise<Memory> {
  const memory = await begun(world);
  await memory.answer("approved");
  return memory;
}

export function paidOf(outcome: PaymentOutcome): Extract<PaymentOutcome, { state: "succeeded" }> {
  if (outcome.state !== "succeeded") assert.fail(JSON.stringify(outcome));
  return outcome;
}

export function arrivedOf(arrived: ArrivedNotice | null): ArrivedNotice {
  return arrived ?? assert.fail("No notice came.");
}

/** Throws unless the answer has these members. */
export function has(answer: object, expected: object): void {
  assert.partialDeepStrictEqual(answer, expected, JSON.stringify(answer));
}

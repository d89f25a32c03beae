// The gateway of test mode: plays scripts on the shop's clock and moves no money. Invariant: its answers
// depend on its own committed rows and the time only, so a restart changes nothing.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import type {
  AttemptFault,
  CancelOutcome,
  CurrencyTerms,
  FoundDisputes,
  FoundRefunds,
  Gateway,
  GatewayAttempt,
  GatewayRefund,
  Initiation,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { ArrivedNotice, Notice, NoticeRules } from "#payments/port/notice.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { gatewayReferenceOf } from "#payments/rows/payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

import {
  answerOf,
  decidedAnswer,
  disputeAt,
  newCharge,
  outcomeOf,
  playRefund,
  returnedMinorOf,
  toFoundRefund,
  toRefundOutcome,
} from "./charge.ts";
import { type Choice, playDecision } from "./decision.ts";
import { readNotice, type SignedNotice, signNotice } from "./notice.ts";
import {
  arriveCharge,
  countChargePush,
  findCharge,
  findChargesOfPayment,
  findRefund,
  findRefundsOfCharge,
  insertCharge,
  type SimulatedCharge,
} from "./queries.ts";
import { endingAt, type Script, type ScriptBook } from "./script.ts";

const PUSH = "simulated_push";
const SECRET_BYTES = 32;

export interface SimulatedOptions {
  readonly shop: Shop;
  readonly book: ScriptBook;
  /** The address of a test page, such as `http://127.0.0.1:4000/test/pay/…`. */
  readonly pageUrl: (token: string) => string;
  /** Delivers a notice to where the notices of real gateways arrive. */
  readonly deliver: (notice: SignedNotice) => Promise<void>;
}

export class SimulatedGateway implements Gateway {
  readonly id = "simulated";
  readonly mode = "test";
  readonly standing = "open";
  readonly refundsFailLate = false;
  readonly noticeRules: NoticeRules = { methods: ["POST"], isSigned: true };
  readonly methods = ["mobile_money", "card", "gateway"] as const;
  readonly #options: SimulatedOptions;
  /** New with each start, which is safe: a notice is signed when it is pushed. */
  readonly #secret = randomBytes(SECRET_BYTES);

  /** Throws for a live shop: simulated money must never mix with real money. */
  constructor(options: SimulatedOptions) {
    if (options.shop.mode !== "test") throw new Error("Live mode has no simulated gateway.");
    this.#options = options;
  }

  get #now(): number {
    return this.#options.shop.clock.now();
  }

  /** Accepts every currency, in any amount. */
  takes(): CurrencyTerms {
    return { multipleMinor: 1, minimumMinor: 1, maximumMinor: null };
  }

  newReference(id: Id<"payment">, attemptNumber: number): string {
    return gatewayReferenceOf(id, attemptNumber);
  }

  validate({ method, cardToken }: GatewayAttempt): AttemptFault[] {
    if (method !== "card" || cardToken === null) return [];
    if (this.#options.book.ofCard(cardToken) !== null) return [];
    const detail = "In test mode only the card tokens of GET /v2/test/magic are accepted.";
    return [{ field: "card_token", code: "card_token_unknown", detail }];
  }

  /** A repeated request returns what became of the first. */
  async initiate(attempt: GatewayAttempt): Promise<Initiation> {
    const { shop } = this.#options;
    const { charge, isNew } = await shop.database.write((tx) => this.#receive(tx, attempt));
    if (charge.arrivedAt === null && charge.script.arrives)
      return { kind: "not_sent", trouble: null, retryAfterMs: null };
    if (!isNew) return this.#answerAgain(charge);
    await this.#pushAtOnce(charge);
    return this.#answer(charge);
  }

  /** Asks again for a code that is wrong, any number of times. */
  async submitAction(
    attempt: GatewayAttempt,
    action: { readonly otp: string },
  ): Promise<Initiation> {
    const { database } = this.#options.shop;
    const charge = await database.write(async (tx) => {
      const found = await findCharge(tx, attempt.gatewayReference);
      const { answer } = found?.script ?? {};
      const isRight = answer?.says === "otp" && answer.otp === action.otp;
      if (found === undefined || !isRight) return found;
      const approved = { decision: "approved", failureCode: null } as const;
      return (await playDecision(tx, found, approved)) ?? found;
    });
    if (charge === undefined) return { kind: "unknown" };
    const isAwaited =
      charge.script.answer.says === "otp" && endingAt(charge, this.#now) === "pending";
    return isAwaited ? this.#answer(charge) : decidedAnswer(charge, this.#now);
  }

  async verify({ gatewayReference }: GatewayAttempt): Promise<PaymentOutcome> {
    const { read } = this.#options.shop.database;
    const charge = await findCharge(read, gatewayReference);
    if (charge === undefined) return { state: "not_found" };
    const refunds = await findRefundsOfCharge(read, gatewayReference);
    return outcomeOf(charge, { now: this.#now, returnedMinor: returnedMinorOf(refunds) });
  }

  cancel({ gatewayReference }: GatewayAttempt): Promise<CancelOutcome> {
    return this.#options.shop.database.write(async (tx) => {
      const charge = await findCharge(tx, gatewayReference);
      if (charge === undefined) return { kind: "cancelled" };
      const ending = endingAt(charge, tx.now);
      if (ending === "not_found" || charge.decision === "cancelled") return { kind: "cancelled" };
      if (ending !== "pending")
        return { kind: "too_late", outcome: outcomeOf(charge, { now: this.#now }) };
      if (!charge.script.cancellable) return { kind: "unsupported" };
      await playDecision(tx, charge, { decision: "cancelled", failureCode: "not_approved" });
      return { kind: "cancelled" };
    });
  }

  refund(refund: GatewayRefund): Promise<RefundOutcome> {
    return this.#options.shop.database.write(async (tx) => {
      const before = await findRefund(tx, refund.reference);
      if (before !== undefined) return toRefundOutcome(before);
      return toRefundOutcome(await playRefund(tx, refund));
    });
  }

  async verifyRefund({ reference }: GatewayRefund): Promise<RefundOutcome> {
    const found = await findRefund(this.#options.shop.database.read, reference);
    return found === undefined ? { kind: "not_found" } : toRefundOutcome(found);
  }

  async findRefunds({ gatewayReference, currency }: GatewayAttempt): Promise<FoundRefunds> {
    const found = await findRefundsOfCharge(this.#options.shop.database.read, gatewayReference);
    return { kind: "found", refunds: found.map((refund) => toFoundRefund(refund, currency)) };
  }

  async findDisputes({ gatewayReference }: GatewayAttempt): Promise<FoundDisputes> {
    const charge = await findCharge(this.#options.shop.database.read, gatewayReference);
    const dispute = charge === undefined ? null : disputeAt(charge, this.#now);
    return { kind: "found", disputes: dispute === null ? [] : [dispute] };
  }

  parseWebhook(notice: ArrivedNotice): Notice {
    return readNotice(this.#secret, notice);
  }

  /** Pushes a notice about a charge; notices of one name are copies of each other. */
  push(gatewayReference: string, name: string): Promise<void> {
    return this.#options.deliver(signNotice(this.#secret, { gatewayReference, name }));
  }

  /** Saves a person's choice and pushes its notice; null if the payment is not open here. */
  async play(gatewayReference: string, choice: Choice): Promise<SimulatedCharge | null> {
    const decided = await this.#options.shop.database.write(async (tx) => {
      const charge = await findCharge(tx, gatewayReference);
      return charge === undefined ? null : playDecision(tx, charge, choice);
    });
    if (decided !== null && choice.decision !== "left") {
      await this.push(gatewayReference, choice.decision);
    }
    return decided;
  }

  /** Pushes the state once more, as a new notice. */
  async pushAgain(gatewayReference: string): Promise<void> {
    const { database } = this.#options.shop;
    const charge = await database.write((tx) => countChargePush(tx, gatewayReference));
    if (charge !== undefined) await this.push(gatewayReference, `again ${charge.pushes}`);
  }

  /** Finds the request's charge, or saves a new one with the timers of its pushes. */
  async #receive(tx: Tx, attempt: GatewayAttempt) {
    const before = await findChargesOfPayment(tx, attempt.paymentId);
    const known = before.find((one) => one.gatewayReference === attempt.gatewayReference);
    if (known !== undefined) return arriveAgain(tx, known);
    const script = this.#scriptOf(attempt);
    const isLost = script.answer.says === "not_sent" && before.length === 0;
    const arrivedAt = script.arrives && !isLost ? tx.now : null;
    const charge = { ...newCharge(attempt, script), arrivedAt };
    await insertCharge(tx, charge);
    if (arrivedAt !== null) await setPushes(tx, charge);
    return { charge, isNew: true };
  }

  #scriptOf({ method, cardToken, phone }: GatewayAttempt): Script {
    const { book } = this.#options;
    if (method === "mobile_money" && phone !== null) return book.ofPhone(phone);
    if (method === "card" && cardToken !== null) return book.ofCard(cardToken) ?? book.ofPage;
    return book.ofPage;
  }

  async #pushAtOnce({ gatewayReference, script }: SimulatedCharge): Promise<void> {
    for (const step of script.steps) {
      if ("pushes" in step && step.afterSeconds === 0) {
        await this.push(gatewayReference, step.pushes);
      }
    }
  }

  #answer(charge: SimulatedCharge): Initiation {
    return answerOf(charge, { now: this.#now, pageUrl: this.#options.pageUrl });
  }

  #answerAgain(charge: SimulatedCharge): Initiation {
    const isOpen = endingAt(charge, this.#now) === "pending";
    const isTimeout = charge.script.answer.says === "unknown" && charge.script.arrives;
    return isOpen && !isTimeout ? this.#answer(charge) : decidedAnswer(charge, this.#now);
  }
}

/** The shop's simulated gateway; null if other gateways replace it. */
export function simulatedGatewayOf({ gateways }: PaymentsShop): SimulatedGateway | null {
  return gateways.find((gateway) => gateway instanceof SimulatedGateway) ?? null;
}

/** Pushes a notice that is due; the subject is the charge's reference and the index of the step. */
export const simulatedPush: TimerWorkflow<PaymentsShop> = {
  name: PUSH,
  runWith: async (shop, subject) => {
    const [gatewayReference = "", place = ""] = subject.split(" ");
    const charge = await findCharge(shop.database.read, gatewayReference);
    const step = charge?.script.steps[Number(place)];
    if (step !== undefined && "pushes" in step) {
      await simulatedGatewayOf(shop)?.push(gatewayReference, step.pushes);
    }
    await shop.database.write((tx) => clearTimer(tx, PUSH, subject));
  },
};

/** The repeated request of a charge: new to the gateway if the first one was lost. */
async function arriveAgain(tx: Tx, charge: SimulatedCharge) {
  const arrived = charge.script.arrives
    ? await arriveCharge(tx, charge.gatewayReference)
    : undefined;
  if (arrived === undefined) return { charge, isNew: false };
  await setPushes(tx, arrived);
  return { charge: arrived, isNew: true };
}

async function setPushes(tx: Tx, { gatewayReference, script }: SimulatedCharge): Promise<void> {
  for (const [place, step] of script.steps.entries()) {
    if (!("pushes" in step) || step.afterSeconds === 0) continue;
    const dueAt = tx.now + step.afterSeconds * 1000;
    await setTimer(tx, { name: PUSH, subject: `${gatewayReference} ${place}`, dueAt });
  }
}

const simulatedFaults = defineFaults({
  card_token_unknown: "The simulated gateway does not know this card token.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof simulatedFaults> {}
}

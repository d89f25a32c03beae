// Story: what asking a gateway for the money led to. A payment that was decided meanwhile, by a
// notice that was faster than the answer, stays as it was decided.

import type { Initiation } from "#payments/gateways/port.ts";
import { advancePayment } from "#payments/payments/advance-payment.ts";
import { type LockedPayment, lockPayment } from "#payments/payments/lookups.ts";
import { isOpen, type NextAction, type Payment } from "#payments/payments/payment.ts";
import { settlePayment } from "#payments/payments/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

type PendingInitiation = Extract<Initiation, { kind: "redirect" | "offline" | "otp" }>;

export interface InitiationNews {
  /** The attempt as the gateway was asked for it. */
  readonly asked: Payment;
  readonly initiation: Initiation;
  readonly mode: Mode;
}

/**
 * Afterwards the payment says what the payer must do, or how it ended. An answer about a reference
 * that the attempt no longer has leaves it as it is: what is paid there nobody would look for.
 */
export async function noteInitiation(tx: Tx, { asked, ...news }: InitiationNews): Promise<Payment> {
  const held = await lockPayment(tx, asked.id);
  if (held.payment.gatewayReference !== asked.gatewayReference) return held.payment;
  return (await take(tx, held, news)).payment;
}

async function take(
  tx: Tx,
  held: LockedPayment,
  { initiation, mode }: Omit<InitiationNews, "asked">,
): Promise<LockedPayment> {
  switch (initiation.kind) {
    case "redirect":
    case "offline":
    case "otp":
      return isOpen(held.payment) ? ask(tx, held, initiation) : held;
    case "done":
      if (initiation.outcome.state === "pending") return work(tx, held);
      return settlePayment(tx, held, { mode, outcome: initiation.outcome });
    case "declined":
      return settlePayment(tx, held, { mode, outcome: { ...initiation, state: "failed" } });
    case "unknown":
      return settlePayment(tx, held, { mode, outcome: { state: "unknown" } });
    case "not_sent":
      return held;
  }
}

function ask(tx: Tx, held: LockedPayment, asked: PendingInitiation): Promise<LockedPayment> {
  const nextAction = nextActionOf(held.payment, asked);
  return advancePayment(tx, held, {
    action: "ask",
    change: { nextAction, isUnknown: false, gatewayId: asked.gatewayId ?? held.payment.gatewayId },
  });
}

/** The payer has until the earlier of the gateway's end and ours. */
function nextActionOf({ expiresAt }: Payment, asked: PendingInitiation): NextAction {
  switch (asked.kind) {
    case "redirect": {
      const ends = [asked.expiresAt, expiresAt].filter((one) => one !== null);
      const endsAt = ends.length === 0 ? null : Math.min(...ends);
      return { type: "redirect", displayText: null, url: asked.url, expiresAt: endsAt };
    }
    case "offline":
      return { type: asked.action, displayText: asked.displayText, url: null, expiresAt };
    case "otp":
      return { type: "otp", displayText: asked.displayText, url: null, expiresAt };
  }
}

async function work(tx: Tx, held: LockedPayment): Promise<LockedPayment> {
  const { status } = held.payment;
  if (status !== "pending" && status !== "requires_action") return held;
  const change = { nextAction: null, isUnknown: false };
  return advancePayment(tx, held, { action: "work", change });
}

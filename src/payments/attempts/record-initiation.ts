// Story: saves what the gateway answered to an initiation or a code. A payment that a faster notice
// has already decided stays as it was decided.

import type { Initiation } from "#payments/port/gateway.ts";
import { saveNames } from "#payments/rows/gateway-queries.ts";
import { type LockedPayment, lockPayment } from "#payments/rows/lookups.ts";
import type { NextAction, PayerText } from "#payments/rows/payment-life.ts";
import { isOpenAttempt, type Payment } from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import { advancePayment } from "#payments/settling/advance-payment.ts";
import { settlePayment } from "#payments/settling/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { getStore } from "#shop/store/lookups.ts";

import { taskInWords } from "./payer-words.ts";

type PendingInitiation = Extract<Initiation, { kind: "redirect" | "offline" | "otp" }>;

export interface InitiationNews {
  /** The attempt as the gateway received it. */
  readonly sent: Payment;
  readonly initiation: Initiation;
  readonly mode: Mode;
}

/**
 * Afterwards the payment says what the customer must do, or how it ended. An answer about a reference
 * that the attempt no longer has is ignored: no poll would find a payment made under it.
 */
export async function recordInitiation(
  tx: Tx,
  { sent, ...news }: InitiationNews,
): Promise<Payment> {
  const locked = await lockPayment(tx, sent.id);
  if (locked.payment.gatewayReference !== sent.gatewayReference) return locked.payment;
  return (await apply(tx, locked, news)).payment;
}

async function apply(
  tx: Tx,
  locked: LockedPayment,
  { initiation, mode }: Omit<InitiationNews, "sent">,
): Promise<LockedPayment> {
  switch (initiation.kind) {
    case "redirect":
    case "offline":
    case "otp":
      return isOpenAttempt(locked.payment) ? promptPayer(tx, locked, { initiation, mode }) : locked;
    case "done":
      if (initiation.outcome.state === "pending") return startProcessing(tx, locked);
      return settlePayment(tx, locked, { mode, outcome: initiation.outcome });
    case "declined":
      return settlePayment(tx, locked, { mode, outcome: { ...initiation, state: "failed" } });
    case "unknown":
      return settlePayment(tx, locked, { mode, outcome: { state: "unknown" } });
    case "not_sent":
      return clearAsked(tx, locked);
  }
}

/** The gateway was not asked after all: the next call is a first one. A code that was not sent changes nothing. */
async function clearAsked(tx: Tx, { payment, order }: LockedPayment): Promise<LockedPayment> {
  if (payment.status !== "pending") return { payment, order };
  return { payment: await paymentRows.save(tx, payment, { askedAt: null }), order };
}

/** So many wrong codes fail a payment. */
const OTP_TRIES_MAX = 3;

/** A code that is asked for again was wrong. The gateway is not left to take any number of them. */
async function promptPayer(
  tx: Tx,
  { payment, order }: LockedPayment,
  { initiation, mode }: { readonly initiation: PendingInitiation; readonly mode: Mode },
): Promise<LockedPayment> {
  const isWrong = initiation.kind === "otp" && payment.nextAction?.type === "otp";
  const otpTries = payment.otpTries + (isWrong ? 1 : 0);
  const counted = isWrong ? await paymentRows.save(tx, payment, { otpTries }) : payment;
  const locked = { payment: counted, order };
  if (otpTries < OTP_TRIES_MAX) return requireAction(tx, locked, initiation);
  const failed = { state: "failed", failureCode: "wrong_pin", gatewayCode: null } as const;
  return settlePayment(tx, locked, { mode, outcome: { ...failed, names: initiation.names } });
}

async function requireAction(
  tx: Tx,
  locked: LockedPayment,
  pending: PendingInitiation,
): Promise<LockedPayment> {
  const { payment } = locked;
  await saveNames(tx, payment, pending.names);
  return advancePayment(tx, locked, {
    action: "ask",
    change: {
      nextAction: await nextActionOf(tx, payment, pending),
      isUnknown: false,
    },
  });
}

/** A hosted page ends at the gateway's limit or at the attempt's, whichever comes first. */
async function nextActionOf(
  tx: Tx,
  { expiresAt }: Payment,
  pending: PendingInitiation,
): Promise<NextAction> {
  switch (pending.kind) {
    case "redirect": {
      const ends = [pending.expiresAt, expiresAt].filter((one) => one !== null);
      const endsAt = ends.length === 0 ? null : Math.min(...ends);
      return { type: "redirect", displayText: null, url: pending.url, expiresAt: endsAt };
    }
    case "offline": {
      const { action: type, details = [] } = pending;
      const displayText = await shownText(tx, pending.displayText);
      return { type, displayText, url: null, expiresAt, details };
    }
    case "otp":
      return {
        type: "otp",
        displayText: await shownText(tx, pending.displayText),
        url: null,
        expiresAt,
      };
  }
}

/** The gateway's own words stay as they are. */
async function shownText(tx: Tx, shown: PayerText): Promise<string> {
  return typeof shown === "string" ? shown : taskInWords(shown, (await getStore(tx)).locale);
}

async function startProcessing(tx: Tx, locked: LockedPayment): Promise<LockedPayment> {
  const { status } = locked.payment;
  if (status !== "pending" && status !== "requires_action") return locked;
  const change = { nextAction: null, isUnknown: false };
  return advancePayment(tx, locked, { action: "work", change });
}

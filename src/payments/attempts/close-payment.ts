// Workflows: attempts and orders that are unpaid are closed, cancelled by a caller or expired. The gateway is called
// first; where it cannot cancel, late money may still arrive and is settled as such.

import type { Id } from "#kernel/id.ts";
import { HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import type { CancelOutcome } from "#payments/port/gateway.ts";
import { callGateway, type PaymentsShop } from "#payments/port/payments-shop.ts";
import { findNames } from "#payments/rows/gateway-queries.ts";
import { getPayment, lockPayment, type WholePayment } from "#payments/rows/lookups.ts";
import {
  endOf,
  isOpenAttempt,
  type Payment,
  paymentForbidden,
  paymentTimerNames,
} from "#payments/rows/payment.ts";
import { findPaymentsOfOrder } from "#payments/rows/queries.ts";
import { advancePayment } from "#payments/settling/advance-payment.ts";
import { settlePayment } from "#payments/settling/settle-payment.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { clearTimer, isTimerSet, setTimer } from "#platform/scheduler/timers.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/rows/balance.ts";

import { pollPayment } from "./poll-payment.ts";

/**
 * Afterwards the attempt is closed, or settled if the gateway had already decided it. Returns an
 * attempt that is already closed in this way as it is; refuses any other that is not open with
 * `invalid_transition`.
 */
export async function closePayment(
  shop: PaymentsShop,
  reference: string,
  action: "cancel" | "expire",
): Promise<WholePayment> {
  const { database, mode } = shop;
  const found = await getPayment(database.read, reference);
  const { payment } = found;
  const closed = action === "cancel" ? "cancelled" : "expired";
  if (payment.status === closed) return found;
  refuseUnlessOpen(payment, action);
  const known = await findNames(database.read, payment.id);
  const cancellation = await cancelAtGateway(shop, payment);
  const settled = await database.write(async (tx) => {
    const isNamedSince = (await findNames(tx, payment.id)).length > known.length;
    return isNamedSince ? null : settleClosed(tx, payment, { mode, action, cancellation });
  });
  if (settled !== null) return settled;
  // The attempt was made at the gateway while it was asked, and was not known there yet.
  const again = await cancelAtGateway(shop, payment);
  return database.write((tx) => settleClosed(tx, payment, { mode, action, cancellation: again }));
}

function cancelAtGateway(shop: PaymentsShop, payment: Payment): Promise<CancelOutcome> {
  return callGateway<CancelOutcome>(shop, payment, {
    call: "cancel",
    run: (gateway, attempt, terms) => gateway.cancel(attempt, terms),
    absent: { kind: "unsupported" },
    broken: { kind: "unknown" },
  });
}

interface Closing {
  readonly mode: Mode;
  readonly action: "cancel" | "expire";
  readonly cancellation: CancelOutcome;
}

async function settleClosed(
  tx: Tx,
  { id }: Payment,
  { mode, action, cancellation }: Closing,
): Promise<WholePayment> {
  const locked = await lockPayment(tx, id);
  if (cancellation.kind === "too_late") {
    await settlePayment(tx, locked, { mode, outcome: cancellation.outcome });
  } else if (isOpenAttempt(locked.payment)) {
    await advancePayment(tx, locked, { action, change: { nextAction: null } });
  }
  return getPayment(tx, id);
}

/** A caller cannot cancel an attempt in `processing`; it can only expire. */
function refuseUnlessOpen(payment: Payment, action: "cancel" | "expire"): void {
  const isTooLate = action === "cancel" && payment.status === "processing";
  if (!isOpenAttempt(payment) || isTooLate) throw paymentForbidden(payment, action);
}

/**
 * Afterwards no attempt that waits for the customer asks for more than is due; a cancelled or paid order has
 * none. Those in `processing` end by themselves.
 */
export async function closeAttempts(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  const { database } = shop;
  const dueMinor = dueOf((await getOrder(database.read, id)).order);
  for (const payment of await findPaymentsOfOrder(database.read, id)) {
    const isWaiting = isOpenAttempt(payment) && payment.status !== "processing";
    if (isWaiting && payment.amountMinor > dueMinor) {
      await closePayment(shop, payment.id, "cancel");
    }
  }
}

const { expire: name } = paymentTimerNames;

/** When an attempt that its gateway would not close is closed again, milliseconds. */
const LEFT_OPEN_MS = HOUR_MS;
/** When an attempt expires whose gateway was not reached since the start, milliseconds: it may be paid. */
const UNREACHED_MS = 5 * MINUTE_MS;

/**
 * Afterwards the attempt is expired, settled by the gateway, or its timer is set a little later: the gateway is polled
 * first, one on which it works does not expire, and one whose outcome is unknown is kept until it could be known.
 */
export async function expirePayment(shop: PaymentsShop, id: Id<"payment">): Promise<void> {
  const { database, clock, health } = shop;
  const { payment } = await pollPayment(shop, id, "due");
  // The poll cleared it: the payment is decided, or only the gateway works on it.
  if (!(await isTimerSet(database.read, name, id))) return;
  const isReached = payment.gateway === null || !health.isUnreached(payment.gateway);
  const endsAt = isReached ? endOf(payment, clock.now()) : clock.now() + UNREACHED_MS;
  const isOver = isOpenAttempt(payment) && endsAt <= clock.now();
  const left = isOver ? (await closePayment(shop, id, "expire")).payment : payment;
  const dueAt = isOver ? clock.now() + LEFT_OPEN_MS : endsAt;
  await database.write(async (tx) => {
    if (!isOpenAttempt(left)) await clearTimer(tx, name, id);
    else if (await isTimerSet(tx, name, id)) await setTimer(tx, { name, subject: id, dueAt });
  });
}

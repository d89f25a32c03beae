// Stories: units of an order are cancelled or come back, by a caller or because the order expired, and what goes back of
// the money for them, and of what was overpaid, has refunds in the same transaction. Only the sending follows.

import type { ExpectedVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { closeAttempts } from "#payments/attempts/close-payment.ts";
import { pollPayment } from "#payments/attempts/poll-payment.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { isBeingPaid, lockRefund, refundablePayments } from "#payments/rows/lookups.ts";
import { isConverted, isWatched, refundableMinor } from "#payments/rows/payment.ts";
import { findPaymentsOfOrder } from "#payments/rows/queries.ts";
import { findRefundsOfOrder } from "#payments/rows/refund-queries.ts";
import type { Refund } from "#payments/rows/refund.ts";
import { announceReduction } from "#payments/settling/record-on-order.ts";
import type { Tx } from "#platform/database/database.ts";
import { type Cancellation, cancelOrder } from "#sales/changing/cancel-order.ts";
import { type MoneyTerms, readMoneyBack } from "#sales/changing/credit-units.ts";
import { type Returned, type ReturnRequest, returnUnits } from "#sales/changing/returns.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { expireOrder } from "#sales/recovery/unpaid-orders.ts";
import { overpaidOf, toReturnOf } from "#sales/rows/balance.ts";
import type { Order, WholeOrder } from "#sales/rows/order.ts";

import {
  type AboveLimit,
  lockAllowance,
  needsApproval,
  type RefundAllowance,
  type Refunder,
} from "./refund-limits.ts";
import { spreadRefunds } from "./spread-refunds.ts";
import { type Asker, cancelRefund, reopenRefund } from "./stuck-refunds.ts";

/** Who changes the order, and with it gives money back. */
interface Giver {
  readonly caller: Refunder;
  readonly aboveLimit: AboveLimit | undefined;
}

interface Change<Request extends MoneyTerms> extends Giver {
  readonly request: Request;
  readonly expected: ExpectedVersion;
}

/** An order of which units were credited, with the refunds of their money. */
interface Given<Done extends WholeOrder> {
  readonly done: Done;
  readonly refunds: readonly Refund[];
}

/** Cancels the units as `cancelOrder` does, and refuses as it does and with `refund_limit_exceeded`. */
export async function cancelWithMoney(
  tx: Tx,
  id: Id<"order">,
  { request: cancellation, expected, ...giver }: Change<Cancellation>,
): Promise<Given<WholeOrder>> {
  const allowance = await lockAllowance(tx, giver.caller);
  const before = await lockWholeOrder(tx, id);
  const done = await cancelOrder(tx, id, { cancellation, expected });
  if (before.order.status === "cancelled") return { done, refunds: [] };
  const { refund } = cancellation;
  return giveBack(tx, { before: before.order, done, refund }, { ...giver, allowance });
}

/** Takes the units back as `returnUnits` does, and refuses as it does and with `refund_limit_exceeded`. */
export async function takeBackWithMoney(
  tx: Tx,
  id: Id<"order">,
  { request, expected, ...giver }: Change<ReturnRequest>,
): Promise<Given<Returned>> {
  const allowance = await lockAllowance(tx, giver.caller);
  const before = await lockWholeOrder(tx, id);
  const done = await returnUnits(tx, id, { request, expected });
  const { refund } = request;
  return giveBack(tx, { before: before.order, done, refund }, { ...giver, allowance });
}

interface Credited<Done extends WholeOrder> extends MoneyTerms {
  readonly before: Order;
  readonly done: Done;
}

/** Refunds count against the caller's limit, or wait for an approval; without a limit they are the shop's. */
async function giveBack<Done extends WholeOrder>(
  tx: Tx,
  { before, done, refund }: Credited<Done>,
  {
    allowance,
    caller,
    aboveLimit = "refuse",
  }: Giver & { readonly allowance: RefundAllowance | null },
): Promise<Given<Done>> {
  const { id, currency } = before;
  const order = await announceReduction(tx, before, done.order);
  const mostMinor = readMoneyBack(refund, currency);
  const amountMinor = atMost(toReturnOf(order), mostMinor);
  const asked = { amountMinor, currency, at: "/refund", aboveLimit } as const;
  const asker = { actorId: caller.lineage, needsApproval: needsApproval(allowance, asked) };
  const refunds = await refundSurplus(tx, id, { ...(allowance !== null && { asker }), mostMinor });
  return { done: { ...done, ...(await lockWholeOrder(tx, id)) }, refunds };
}

/**
 * Afterwards the order, whose gateways are polled once more, is paid, cancelled with its money given back, or waits a
 * little for an open attempt.
 */
export async function expireUnpaidOrder(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  const payments = await findPaymentsOfOrder(shop.database.read, id);
  // An order waits days for one on which a gateway works, which has polls of its own.
  const isWorking = payments.some(({ status }) => status === "processing");
  for (const payment of payments.filter((one) => isWatched(one) && !isWorking)) {
    await pollPayment(shop, payment.id, "due");
  }
  await shop.database.write(async (tx) => {
    if (await expireOrder(tx, id, isBeingPaid)) await refundSurplus(tx, id);
  });
}

function atMost(amountMinor: number, mostMinor: number | null): number {
  return mostMinor === null ? amountMinor : Math.min(amountMinor, mostMinor);
}

/** Money that follows from a change counts against no limit, unless the maker of the change has one. */
const byTheShop: Asker = { actorId: null };

interface SurplusTerms {
  readonly asker?: Asker;
  /** All that goes back by the change, minor units; null for what is to go back of the order. */
  readonly mostMinor?: number | null;
}

/**
 * Afterwards what is to go back to the customer has refunds, which their timers send; those that failed are tried again
 * in place of others. Money by hand gets a refund that waits for a person. Safe to repeat without a bound: an opened
 * refund leaves less to return.
 */
async function refundSurplus(
  tx: Tx,
  id: Id<"order">,
  { asker = byTheShop, mostMinor = null }: SurplusTerms = {},
): Promise<readonly Refund[]> {
  const before = await lockWholeOrder(tx, id);
  const again = await retryFailed(tx, before.order, { asker, mostMinor });
  const { order, lines } = again.length === 0 ? before : await lockWholeOrder(tx, id);
  const isReturned = lines.some(({ returnedQuantity }) => returnedQuantity > 0);
  const againMinor = again.reduce((sum, refund) => sum + refund.amountMinor, 0);
  const amountMinor = atMost(toReturnOf(order), mostMinor === null ? null : mostMinor - againMinor);
  const { order: after, refunds } = await spreadRefunds(tx, order, {
    amountMinor,
    // The rest of it is of the units: it is of the sale, though more was kept before there was one.
    namedMinor: Math.max(0, amountMinor - overpaidOf(order)),
    reason: isReturned && order.status !== "cancelled" ? "goods_returned" : "order_cancelled",
    isSideEffect: true,
    ...asker,
  });
  if (mostMinor !== null && refunds.length > 0) await cancelReplaced(tx, after);
  return [...again, ...refunds];
}

/**
 * Cancels refunds that failed of what was paid too much and that are more than is left of it, after an amount that was
 * asked for gave a part of it back: a person who tried them again would give back money that is kept.
 */
async function cancelReplaced(tx: Tx, order: Order): Promise<void> {
  let leftMinor = overpaidOf(order);
  for (const refund of await findRefundsOfOrder(tx, order.id)) {
    const { id, status, isExternal, saleMinor, keptMinor, amountMinor } = refund;
    if (status !== "failed" || isExternal || saleMinor + keptMinor > 0) continue;
    if (amountMinor > leftMinor) await cancelRefund(tx, id, null);
    else leftMinor -= amountMinor;
  }
}

/**
 * Tries refunds again that failed, as far as their amounts are to go back. If others were opened for these amounts, a
 * person could retry or close the failed ones as well, and the customer would be paid twice. Of an amount that was asked
 * for, only what is overpaid: the rest is for the units of the change, and what failed for other units stays as it is.
 */
async function retryFailed(
  tx: Tx,
  order: Order,
  { asker, mostMinor }: Required<SurplusTerms>,
): Promise<Refund[]> {
  const payments = (await refundablePayments(tx, order.id)).filter(
    (payment) => payment.gateway !== null && !isConverted(payment),
  );
  const failed = (await findRefundsOfOrder(tx, order.id)).filter(
    ({ status, isExternal, paymentId }) =>
      status === "failed" && !isExternal && payments.some(({ id }) => id === paymentId),
  );
  const again: Refund[] = [];
  let openMinor = mostMinor === null ? toReturnOf(order) : Math.min(overpaidOf(order), mostMinor);
  for (const { id, amountMinor } of failed) {
    const { payment } = (await lockRefund(tx, id)).locked;
    if (amountMinor > Math.min(openMinor, refundableMinor(payment))) continue;
    again.push(await reopenRefund(tx, id, asker));
    openMinor -= amountMinor;
  }
  return again;
}

/** Afterwards no attempt asks for more than is due, and what an earlier release left to a timer has its refunds. */
export async function refundOverpaid(shop: PaymentsShop, id: Id<"order">): Promise<void> {
  await closeAttempts(shop, id);
  await shop.database.write((tx) => refundSurplus(tx, id));
}

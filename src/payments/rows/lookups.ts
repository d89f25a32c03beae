// Lookups of payments, refunds and disputes for other nouns, routes and workflows.

import { firstIdAt, type Id, isId } from "#kernel/id.ts";
import { type Counted, countUpTo, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { isPaidInPerson, paymentMethods } from "#kernel/payment-method.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { lockOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type DisputeFilters, findDisputesOfPayment, listDisputeRows } from "./dispute-queries.ts";
import { type Dispute, holdsMoney, paymentDisputed, undecided } from "./dispute.ts";
import { findPaymentIds, type PaymentFilters } from "./filter-queries.ts";
import type { RefundStatus } from "./payment-life.ts";
import { isOpenAttempt, type Payment, paymentNotFound, refundableMinor } from "./payment.ts";
import {
  findPaymentRow,
  findPaymentsOfOrder,
  hasPaymentsOfAccount,
  paymentRows,
} from "./queries.ts";
import {
  findRefundsOfOrder,
  findRefundsOfPayments,
  listRefundRows,
  type RefundFilters,
  refundRows,
} from "./refund-queries.ts";
import type { Refund } from "./refund.ts";

/** A payment with its refunds. */
export interface WholePayment {
  readonly payment: Payment;
  readonly refunds: readonly Refund[];
}

/** Returns the payment with this reference or id. Refuses with `payment_not_found`. */
export async function getPayment(db: Reader, reference: string): Promise<WholePayment> {
  const payment = await findPaymentRow(db, reference);
  if (payment === undefined) throw paymentNotFound();
  return { payment, refunds: await findRefundsOfPayments(db, [payment.id]) };
}

/** The id of the payment with this reference or id; null if there is none. */
export async function findPaymentId(db: Reader, reference: string): Promise<string | null> {
  return (await findPaymentRow(db, reference))?.id ?? null;
}

/**
 * Returns a page of payments, newest first. It is short, or empty, with more behind it, where its filters leave few of
 * many payments. Refuses with `server_busy`.
 */
export async function listPayments(
  db: Reader,
  filters: PaymentFilters,
  page: PageRequest,
): Promise<Page<WholePayment>> {
  const found = await findPaymentIds(db, filters, page);
  const { rows: ids, hasMore } = toPage(found.ids, page.limit);
  const rows = await paymentRows.findAll(db, ids);
  const refunds = Map.groupBy(await findRefundsOfPayments(db, ids), (one) => one.paymentId);
  return {
    rows: rows.map((payment) => ({ payment, refunds: refunds.get(payment.id) ?? [] })),
    hasMore: hasMore || found.stop !== null,
    end: found.stop ?? undefined,
  };
}

/** A payment and its order, both locked until the transaction ends. */
export interface LockedPayment {
  readonly payment: Payment;
  /** Null for a payment link. */
  readonly order: Order | null;
}

/** Locks the order, then the payment with this reference or id. Refuses with `payment_not_found`. */
export async function lockPayment(tx: Tx, reference: string): Promise<LockedPayment> {
  const found = await findPaymentRow(tx, reference);
  if (found === undefined) throw paymentNotFound();
  const order = found.orderId === null ? null : await lockOrder(tx, found.orderId);
  // Read again: another transaction may have changed it while this one waited for the locks.
  return { payment: await paymentRows.lock(tx, found.id), order };
}

/** Returns all attempts to pay an order, oldest first. */
export function listAttempts(db: Reader, orderId: Id<"order">): Promise<readonly Payment[]> {
  return findPaymentsOfOrder(db, orderId);
}

/** The payments in the order in which they are refunded: gateways' first, newest first. Not those in review. */
export async function refundablePayments(db: Reader, orderId: Order["id"]): Promise<Payment[]> {
  const payments = (await findPaymentsOfOrder(db, orderId))
    .filter((payment) => payment.status !== "review" && refundableMinor(payment) > 0)
    .toReversed();
  const byGateway = payments.filter(({ gateway }) => gateway !== null);
  const byHand = payments.filter(({ gateway }) => gateway === null);
  return [...byGateway, ...byHand];
}

/** Returns all refunds of an order, oldest first. */
export function listRefundsOfOrder(db: Reader, orderId: Id<"order">): Promise<readonly Refund[]> {
  return findRefundsOfOrder(db, orderId);
}

/**
 * Returns true if an attempt to pay the order is open at a gateway, or its money in review for the shop's days at most.
 */
export async function isBeingPaid(tx: Tx, id: Id<"order">): Promise<boolean> {
  const { reviewDays } = await getStore(tx);
  const attempts = await findPaymentsOfOrder(tx, id);
  return attempts.some((one) =>
    one.status === "review"
      ? tx.now - one.updatedAt < reviewDays * DAY_MS
      : isOpenAttempt(one) && one.gateway !== null,
  );
}

/**
 * Returns the reference of a path if the caller may use it. A key that only uses payments reaches one by its
 * id: ids cannot be guessed, references chosen by a merchant can. A publishable key reaches those alone that
 * such a key was answered. Refuses with `payment_not_found`.
 */
export async function getReachable(
  db: Reader,
  reference: string,
  { scopes, isPublic }: { readonly scopes: ReadonlySet<string>; readonly isPublic: boolean },
): Promise<string> {
  if (seesAllPayments(scopes)) return reference;
  if (!isId("payment", reference)) throw paymentNotFound();
  if (isPublic && !(await getPayment(db, reference)).payment.isPublic) throw paymentNotFound();
  return reference;
}

/** Returns true if a key with these scopes may see payments that others made, by their references. */
export function seesAllPayments(scopes: ReadonlySet<string>): boolean {
  return scopes.has("payments:read") || scopes.has("payments:write");
}

/** Returns true if money was recorded that the receiving account took. */
export const hasTakenMoney = hasPaymentsOfAccount;

/** Counts the payments whose money waits for the merchant's decision, up to a limit. */
export async function countPaymentsInReview(db: Reader, limit: number): Promise<Counted> {
  const filters = { status: ["review"] } as const satisfies PaymentFilters;
  return countUpTo((await findPaymentIds(db, filters, { limit, after: null })).ids, limit);
}

/** The methods in which customers send money themselves where no gateway takes it. */
const transferred = paymentMethods.filter((method) => !isPaidInPerson(method));

/** Counts the payments by hand that wait for their money for more than 24 hours, up to a limit; none in person. */
export async function countLateTransfers(
  db: Reader,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<Counted> {
  const filters = {
    status: ["pending"],
    taker: "hand",
    method: transferred,
  } as const satisfies PaymentFilters;
  const after = firstIdAt("payment", now - DAY_MS);
  return countUpTo((await findPaymentIds(db, filters, { limit, after })).ids, limit);
}

/** The states in which a refund goes on only if a person acts. */
const waiting = ["failed", "needs_attention"] as const satisfies readonly RefundStatus[];

/** Counts the refunds that wait for a person, up to a limit. */
export async function countRefundsToSeeTo(db: Reader, limit: number): Promise<Counted> {
  return countUpTo(await listRefundRows(db, { status: waiting }, { limit, after: null }), limit);
}

/** Counts the refunds that wait for an approval, up to a limit. */
export async function countRefundsToApprove(db: Reader, limit: number): Promise<Counted> {
  const filters = { status: ["needs_approval"] } as const satisfies RefundFilters;
  return countUpTo(await listRefundRows(db, filters, { limit, after: null }), limit);
}

export interface DisputeQuery extends Omit<DisputeFilters, "paymentId"> {
  /** The reference or the id of a payment. */
  readonly payment?: string | undefined;
}

/** Returns a page of disputes, newest first; an empty one for an unknown payment. */
export async function listDisputes(
  db: Reader,
  { payment: reference, ...filters }: DisputeQuery,
  page: PageRequest,
): Promise<Page<Dispute>> {
  if (reference === undefined) return toPage(await listDisputeRows(db, filters, page), page.limit);
  const payment = await findPaymentRow(db, reference);
  if (payment === undefined) return { rows: [], hasMore: false };
  const rows = await listDisputeRows(db, { ...filters, paymentId: payment.id }, page);
  return toPage(rows, page.limit);
}

export interface OpenDisputes extends Counted {
  /** Until when the first of them can be answered, epoch milliseconds; null where no gateway says. */
  readonly dueAt: number | null;
}

/** Counts the disputes that are not decided, up to a limit. */
export async function countOpenDisputes(db: Reader, limit: number): Promise<OpenDisputes> {
  const rows = await listDisputeRows(db, { statuses: undecided }, { limit, after: null });
  const due = rows.flatMap(({ dueAt }) => dueAt ?? []);
  return { ...countUpTo(rows, limit), dueAt: due.length === 0 ? null : Math.min(...due) };
}

/** The dispute that has the money of the payment, or may take it: a lost one rather than one that is not decided. */
export async function findHolding(db: Reader, paymentId: string): Promise<Dispute | undefined> {
  const holding = (await findDisputesOfPayment(db, paymentId)).filter(holdsMoney);
  return holding.find(({ status }) => status === "lost") ?? holding[0];
}

/** Refuses with `payment_disputed` where a refund would pay the customer twice. */
export async function requireUndisputed(db: Reader, paymentId: string): Promise<void> {
  const holding = await findHolding(db, paymentId);
  if (holding === undefined) return;
  throw paymentDisputed({ detail: `The payment has a dispute that is ${holding.status}.` });
}

export interface RefundQuery extends Omit<RefundFilters, "paymentId"> {
  /** The reference or the id of a payment. */
  readonly payment?: string | undefined;
}

/** Returns a page of refunds, newest first; an empty one for an unknown payment. */
export async function listRefunds(
  db: Reader,
  { payment: reference, ...filters }: RefundQuery,
  page: PageRequest,
): Promise<Page<Refund>> {
  if (reference === undefined) return toPage(await listRefundRows(db, filters, page), page.limit);
  const payment = await findPaymentRow(db, reference);
  if (payment === undefined) return { rows: [], hasMore: false };
  const ofPayment = { ...filters, paymentId: payment.id };
  return toPage(await listRefundRows(db, ofPayment, page), page.limit);
}

/** A refund, its payment and its order, all locked until the transaction ends. */
export interface LockedRefund {
  readonly refund: Refund;
  readonly locked: LockedPayment;
}

/** Locks the refund with this id. Refuses with `refund_not_found`. */
export async function lockRefund(tx: Tx, id: Id<"refund">): Promise<LockedRefund> {
  const { paymentId } = await refundRows.get(tx, id);
  const locked = await lockPayment(tx, paymentId);
  // Read again: another transaction may have changed it while this one waited for the locks.
  return { refund: await refundRows.lock(tx, id), locked };
}

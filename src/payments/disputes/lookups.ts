// Lookups of disputes, and what refuses a refund of disputed money.

import { type Counted, countUpTo, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { findPaymentRow } from "#payments/payments/queries.ts";
import type { Reader } from "#platform/database/database.ts";

import { type Dispute, holdsMoney, paymentDisputed, undecided } from "./dispute.ts";
import { type DisputeFilters, findDisputesOfPayment, listDisputeRows } from "./queries.ts";

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

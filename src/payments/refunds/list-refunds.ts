// Lookup: the worklist of refunds.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { findPaymentRow } from "#payments/payments/queries.ts";
import type { Reader } from "#platform/database/database.ts";

import { listRefundRows, type RefundFilters } from "./queries.ts";
import type { Refund } from "./refund.ts";

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

// Lookup: pages of payments, each with its refunds.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/store.ts";

import type { WholePayment } from "./find-payment.ts";
import { findRefundsOfPayments, listPaymentRows, type PaymentFilters } from "./queries.ts";

/** Payments, newest first. */
export async function listPayments(
  db: Reader,
  filters: PaymentFilters,
  page: PageRequest,
): Promise<Page<WholePayment>> {
  const { rows, hasMore } = toPage(await listPaymentRows(db, filters, page), page.limit);
  const ids = rows.map((payment) => payment.id);
  const refunds = Map.groupBy(await findRefundsOfPayments(db, ids), (one) => one.paymentId);
  return {
    hasMore,
    rows: rows.map((payment) => ({ payment, refunds: refunds.get(payment.id) ?? [] })),
  };
}

// Lookup: what the link of an order opens, and how much of the customer it shows.

import { DAY_MS } from "#kernel/time.ts";
import { getOrderToPay, type OrderToPay } from "#pay-page/get-recovery.ts";
import { listRefundsOfOrder } from "#payments/rows/lookups.ts";
import { awaitsApproval, type Refund, sumOf } from "#payments/rows/refund.ts";
import type { Reader } from "#platform/database/database.ts";
import { type OrderLink, readOrderLink } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import type { WholeOrder } from "#sales/rows/order.ts";

/** A link may be passed on or stay in a mailbox: who opens it later learns nothing of the customer. */
const DETAILS_SHOWN_MS = 30 * DAY_MS;

export interface OrderOnPage extends OrderToPay, Pick<OrderLink, "showsContact"> {
  readonly refunds: readonly Refund[];
  /** True if the order changed lately, so that address and contact are shown. */
  readonly isRecent: boolean;
}

/**
 * The order and its refunds without those that wait for an approval: their customer is not told before it, and money that
 * is owed stays due.
 */
async function asCustomersSee(
  db: Reader,
  whole: WholeOrder,
): Promise<Pick<OrderOnPage, "whole" | "refunds">> {
  const all = await listRefundsOfOrder(db, whole.order.id);
  const waitingMinor = sumOf(all.filter(awaitsApproval));
  const refundingMinor = whole.order.refundingMinor - waitingMinor;
  return {
    whole: { ...whole, order: { ...whole.order, refundingMinor } },
    refunds: all.filter((refund) => !awaitsApproval(refund)),
  };
}

/** Returns what the link opens now. Refuses with `recovery_link_invalid`, `recovery_link_expired`, and `order_not_found`. */
export async function getOrderStatus(
  db: Reader,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<OrderOnPage> {
  const { secret } = await getLinkTerms(db);
  const { orderId, showsContact } = readOrderLink(token, { secret, now });
  const found = await getOrderToPay(db, orderId);
  const { whole, refunds } = await asCustomersSee(db, found.whole);
  const isRecent = now - found.whole.order.updatedAt < DETAILS_SHOWN_MS;
  return { ...found, whole, refunds, showsContact, isRecent };
}

// The row of a new order: open, nothing paid or shipped.

import { contactOnRecord, type Customer, foldEmail, trustedEmail } from "#customers/customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type Id, newId } from "#kernel/id.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { AgreedLine, AgreedSale } from "#pricing/quote/agreed-sale.ts";
import { becomesPaid, dueOf, noPaidTotals, paymentStatusOf } from "#sales/rows/balance.ts";
import type { CustomerSnapshot } from "#sales/rows/order-life.ts";
import type { Order, OrderLine } from "#sales/rows/order.ts";
import { expiryMinutesOf } from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

import { type OrderRequest, taxIdOf } from "./order-request.ts";

interface OrderParts {
  readonly id: Id<"order">;
  readonly request: OrderRequest;
  readonly store: Store;
  readonly currency: CurrencyCode;
  readonly customer: Customer | null;
  readonly sale: AgreedSale;
  readonly number: number;
  readonly isStrangers: boolean;
}

/** The money of a new order. */
const nothingPaid = {
  creditedMinor: 0,
  keptMinor: 0,
  keptApartMinor: 0,
  writtenOffMinor: 0,
  saleRefundingMinor: 0,
  keptRefundingMinor: 0,
  ...noPaidTotals,
};

/** A new order: open, nothing paid or shipped. An order whose total is zero is paid at once. */
export function composeOrder(tx: Tx, parts: OrderParts): Order {
  const { request, sale, customer } = parts;
  const { totals, breakdown, shippingLabel } = sale;
  const contact = contactOf(customer, request);
  const unpaid = {
    ...totals,
    ...nothingPaid,
    status: "open" as const,
    paidAt: null,
    saleTotalMinor: null,
  };
  const paid = becomesPaid(unpaid)
    ? { paidAt: tx.now, saleTotalMinor: totals.totalMinor }
    : { paidAt: null, saleTotalMinor: null };
  return {
    ...unpaid,
    ...paid,
    id: parts.id,
    number: parts.number,
    paymentStatus: paymentStatusOf({ ...unpaid, ...paid }),
    dueMinor: dueOf(unpaid),
    fulfillmentStatus: "unfulfilled",
    customerId: customer?.id ?? null,
    customer: customer === null ? null : snapshotOf(customer, request, contact),
    ...contact,
    ...request.written,
    currency: parts.currency,
    isFromPublicKey: request.trust.placedBy.isPublic,
    isStrangers: parts.isStrangers,
    shippingLabel,
    taxId: taxIdOf(request, customer),
    breakdown,
    depositPercent: request.sale.depositPercent ?? parts.store.depositPercent,
    cancelReason: null,
    cancelNote: null,
    fulfilledAt: null,
    cancelledAt: null,
    expiresAt: expiryOf(tx, parts),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
}

function expiryOf(tx: Tx, { request, store, sale: { totals } }: OrderParts): number | null {
  const minutes = expiryMinutesOf(store, request.written.paymentMethod, request.trust);
  return minutes === null || totals.totalMinor === 0 ? null : tx.now + minutes * MINUTE_MS;
}

/**
 * The contact with which an order is placed, also where the record has more: anyone can name a phone of another person in
 * a record of their own.
 */
function contactOf(
  known: Customer | null,
  { contact: { customer: said } }: OrderRequest,
): Pick<Order, "contactEmail" | "contactPhone"> {
  if (known === null) return { contactEmail: null, contactPhone: null };
  if (said !== undefined) {
    const contactEmail = said.email === null ? null : foldEmail(said.email);
    return { contactEmail, contactPhone: said.phone };
  }
  const { email, phone } = contactOnRecord(known);
  return { contactEmail: email, contactPhone: phone };
}

/**
 * The customer as the request names them; what it does not say comes from the record, if it is safe with whom the order
 * is mailed to: an email that a stranger may have written beside the phone is no one's, and the name of a customer who
 * was found by the phone is not told to the other email that was typed with it.
 */
function snapshotOf(
  known: Customer,
  { contact: { customer: said } }: OrderRequest,
  { contactEmail }: Pick<Order, "contactEmail">,
): CustomerSnapshot {
  const isOther = said !== undefined && contactEmail !== null && contactEmail !== known.email;
  return {
    id: known.id,
    email: contactEmail ?? trustedEmail(known),
    phone: said?.phone ?? (isOther ? null : known.phone),
    name: said?.name ?? (isOther ? null : known.name),
  };
}

/** A line of a new order. */
export function composeLine(
  tx: Tx,
  { id: orderId, isStrangers }: Pick<Order, "id" | "isStrangers">,
  line: AgreedLine,
): OrderLine {
  return {
    ...line,
    orderId,
    isStrangers,
    id: newId("lineItem", tx.now),
    cancelledQuantity: 0,
    fulfilledQuantity: 0,
    returnedQuantity: 0,
  };
}

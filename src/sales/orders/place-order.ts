// Story: an order is placed, from any channel.

import { reserveStock } from "#catalog/inventory/reserve-stock.ts";
import { findSellableVariants } from "#catalog/products/lookups.ts";
import { markSold } from "#catalog/variants/mark-sold.ts";
import { saleRefusals } from "#catalog/variants/sale.ts";
import { countOrder } from "#customers/count-order.ts";
import { createCustomer } from "#customers/create-customer.ts";
import { type Customer, customerExists, foldEmail } from "#customers/customer.ts";
import { fillCustomer } from "#customers/fill-customer.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import { formatAmount, readAmount } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import { nextNumber } from "#platform/database/counters.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import {
  type LineRequest,
  type OwnLineRequest,
  type PricedLine,
  priceLines,
  type Totals,
  totalsOf,
  variantsOf,
} from "#pricing/quote/price-order.ts";
import { readShipping, type ShippingRequest } from "#pricing/shipping/shipping-charge.ts";
import { becomesPaid, paymentStatusOf, saleOf } from "#sales/balance/balance.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { statusUrlOf } from "#sales/links/order-link.ts";
import { setNewOrderTimers } from "#sales/recovery/recovery-timers.ts";
import { getStore } from "#shop/store/get-store.ts";
import { expiryMinutesOf, methodTermsOf, requireAvailable } from "#shop/store/payment-methods.ts";
import { type LimitedCaller, limitsHold, unlimited } from "#shop/store/public-limits.ts";
import type { Store } from "#shop/store/store.ts";

import { orderPaid, orderPlaced } from "./events.ts";
import { findOrderCustomer, type OrderCustomerRequest } from "./lookups.ts";
import type { CustomerSnapshot } from "./order-life.ts";
import {
  externalIdTaken,
  type Order,
  type OrderLine,
  type PlacedOrder,
  totalChanged,
  unitsByVariant,
} from "./order.ts";
import { limitOpenOrders, limitUnits } from "./public-orders.ts";
import { findOrderIdByExternalId, insertOrder } from "./queries.ts";

/** The first order number: 1001 does not reveal that a shop is new. */
const FIRST_NUMBER = 1001;

export interface OrderRequest extends OrderCustomerRequest {
  readonly lines: readonly (LineRequest | OwnLineRequest)[];
  readonly paymentMethod: PaymentMethod;
  /** The shop's currency if undefined. */
  readonly currency: CurrencyCode | undefined;
  readonly channel: string;
  readonly externalId: string | null;
  readonly cartId: Id<"cart"> | null;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly notes: string | null;
  readonly shipping: ShippingRequest | null;
  readonly metadata: Metadata;
  /** Whether a customer placed it without the merchant, such as by a key in a public page. */
  readonly isFromStranger: boolean;
  /** The caller whose bounds hold; undefined for the merchant and the pages behind links. */
  readonly placedBy?: LimitedCaller | undefined;
  /** Whether the empty fields of a known customer take what the request says of them. */
  readonly fillsCustomer?: boolean;
  /** The deposit agreed for this order; the shop's if undefined. */
  readonly depositPercent?: number | undefined;
  /** The total that the customer was shown, in major units. */
  readonly expectedTotal?: number | string | undefined;
}

/**
 * Numbers the order, reserves its stock and emits `order.placed`, and `order.paid` for an order
 * whose total is zero. Refuses with `validation_failed`, `variant_not_for_sale`, `price_missing`,
 * `external_id_taken`, `payment_method_unavailable`, `total_changed`, `insufficient_stock`,
 * `too_many_open_orders`.
 */
export async function placeOrder(tx: Tx, request: OrderRequest): Promise<PlacedOrder> {
  const store = await getStore(tx);
  const currency = request.currency ?? store.currency;
  const offers = await findSellableVariants(tx, variantsOf(request.lines));
  const faults = new Faults();
  const priced = priceLines(request.lines, offers, { currency, faults });
  const shipping = readShipping(request.shipping, currency, faults);
  const known = await findOrderCustomer(tx, request, faults);
  const expectedMinor = readExpectedTotal(request, currency, faults);
  const { placedBy = unlimited } = request;
  const isLimited = limitsHold(store, placedBy);
  if (isLimited) limitUnits(store, request.lines, faults);
  faults.refuseIfAny(saleRefusals);
  await refuseTakenExternalId(tx, request.externalId);
  requireAvailable(store, request.paymentMethod, placedBy);
  const totals = totalsOf(priced, shipping.amountMinor);
  if (expectedMinor !== null && expectedMinor !== totals.totalMinor) {
    throw totalChangedTo(totals.totalMinor, currency);
  }

  const customer = await customerOf(tx, known, request);
  const id = newId("order", tx.now);
  const counted = customer === null ? null : await countOrder(tx, customer.id);
  if (counted === undefined) throw new WriteConflict("The customer");
  if (isLimited) await limitOpenOrders(tx, store, counted);
  await markSold(tx, notYetSold(priced, offers));
  await reserveStock(tx, id, unitsByVariant(priced));
  const order = compose(tx, {
    id,
    request,
    store,
    currency,
    customer: counted,
    shippingLabel: shipping.label,
    totals,
    number: await nextNumber(tx, "order", FIRST_NUMBER),
  });
  const lines = priced.map((line) => newLine(tx, id, line));
  await insertOrder(tx, order, lines);
  const { by } = methodTermsOf(store, order.paymentMethod);
  await setNewOrderTimers(tx, order, { isAbandonable: by === "gateway" });
  const linkTerms = await getLinkTerms(tx);
  const statusUrl = statusUrlOf(linkTerms, order);
  await tx.emit(orderPlaced({ order, lines }, statusUrl));
  if (order.paidAt !== null) await tx.emit(orderPaid(order, saleOf(order, lines), statusUrl));
  return { order, lines, fulfillments: [], linkTerms, statusUrl };
}

function newLine(tx: Tx, orderId: Id<"order">, line: PricedLine): OrderLine {
  return {
    ...line,
    orderId,
    id: newId("lineItem", tx.now),
    cancelledQuantity: 0,
    fulfilledQuantity: 0,
    returnedQuantity: 0,
  };
}

function readExpectedTotal(
  { expectedTotal }: OrderRequest,
  currency: CurrencyCode,
  faults: Faults,
): number | null {
  if (expectedTotal === undefined) return null;
  return readAmount(expectedTotal, currency, { faults, pointer: "/expected_total" });
}

function totalChangedTo(totalMinor: number, currency: CurrencyCode): Refusal {
  const total = formatAmount(totalMinor, currency);
  return totalChanged({
    detail: `The total is ${total} ${currency}.`,
    // A JSON number with the currency's digits, as every other amount.
    members: { total: JSON.rawJSON(total), total_minor: totalMinor, currency },
  });
}

async function customerOf(
  tx: Tx,
  known: Customer | null,
  request: OrderRequest,
): Promise<Customer | null> {
  if (known === null) return createOrderCustomer(tx, request);
  if (request.customer === undefined || request.fillsCustomer !== true) return known;
  return fillCustomer(tx, known.id, request.customer);
}

/**
 * A customer with this contact may have been created since the lookup: running again finds them.
 */
async function createOrderCustomer(
  tx: Tx,
  { customer, isFromStranger }: OrderRequest,
): Promise<Customer | null> {
  if (customer === undefined) return null;
  try {
    return await createCustomer(tx, { ...customer, isUnverified: isFromStranger });
  } catch (error) {
    const existsNow = error instanceof Refusal && error.definition === customerExists;
    throw existsNow ? new WriteConflict("The customer") : error;
  }
}

async function refuseTakenExternalId(tx: Tx, externalId: string | null): Promise<void> {
  if (externalId === null) return;
  const existing = await findOrderIdByExternalId(tx, externalId);
  if (existing !== undefined) throw externalIdTaken({ members: { existing_id: existing } });
}

function notYetSold(
  lines: readonly PricedLine[],
  offers: ReadonlyMap<Id<"variant">, { readonly wasSold: boolean }>,
): Id<"variant">[] {
  return [...new Set(variantsOf(lines))].filter((id) => offers.get(id)?.wasSold === false);
}

interface OrderParts {
  readonly id: Id<"order">;
  readonly request: OrderRequest;
  readonly store: Store;
  readonly currency: CurrencyCode;
  readonly customer: Customer | null;
  readonly shippingLabel: string | null;
  readonly totals: Totals;
  readonly number: number;
}

/** The money of a new order. */
const nothingPaid = {
  creditedMinor: 0,
  keptMinor: 0,
  writtenOffMinor: 0,
  paidMinor: 0,
  refundingMinor: 0,
  refundedMinor: 0,
  openAttempts: 0,
  paymentsInReview: 0,
};

/** A new order: open, nothing paid or shipped. An order whose total is zero is paid at once. */
function compose(tx: Tx, parts: OrderParts): Order {
  const { request, totals, customer } = parts;
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
    fulfillmentStatus: "unfulfilled",
    customerId: customer?.id ?? null,
    customer: customer === null ? null : snapshotOf(customer, request),
    paymentMethod: request.paymentMethod,
    currency: parts.currency,
    channel: request.channel,
    externalId: request.externalId,
    cartId: request.cartId,
    isFromPublicKey: (request.placedBy ?? unlimited).isPublic,
    shippingAddress: request.shippingAddress,
    billingAddress: request.billingAddress,
    notes: request.notes,
    metadata: request.metadata,
    shippingLabel: parts.shippingLabel,
    depositPercent: request.depositPercent ?? parts.store.depositPercent,
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

function expiryOf(tx: Tx, { request, store, totals }: OrderParts): number | null {
  const minutes = expiryMinutesOf(store, request.paymentMethod, request);
  return minutes === null || totals.totalMinor === 0 ? null : tx.now + minutes * MINUTE_MS;
}

/** The customer as the request names them; what it does not say comes from the record. */
function snapshotOf(known: Customer, { customer: said }: OrderRequest): CustomerSnapshot {
  const email = said?.email ?? null;
  return {
    id: known.id,
    email: email === null ? known.email : foldEmail(email),
    phone: said?.phone ?? known.phone,
    name: said?.name ?? known.name,
  };
}

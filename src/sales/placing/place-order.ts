// Story: an order is placed, from any channel.

import { reserveStock } from "#catalog/inventory/reserve-stock.ts";
import { findSellableVariants } from "#catalog/products/lookups.ts";
import { saleRefusals } from "#catalog/products/sale.ts";
import { markSold } from "#catalog/products/save-product.ts";
import { countOrder, createCustomer, fillCustomer } from "#customers/create-customer.ts";
import { type Customer, customerExists } from "#customers/customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type Id, newId } from "#kernel/id.ts";
import { readAmount } from "#kernel/money.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import { type Tx, WriteConflict } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import { claimDiscounts, type DiscountUse } from "#pricing/discount-uses/claim-discounts.ts";
import { usesOf } from "#pricing/quote/agree.ts";
import type { AgreedSale } from "#pricing/quote/agreed-sale.ts";
import { checkOwnClasses } from "#pricing/quote/check-own-classes.ts";
import {
  linePointer,
  type PricedLine,
  priceLines,
  variantsOf,
} from "#pricing/quote/price-order.ts";
import { isActiveOption } from "#pricing/shipping/find-shipping-options.ts";
import { checkOption } from "#pricing/shipping/lookups.ts";
import { readShipping } from "#pricing/shipping/shipping-charge.ts";
import { orderLinkOf, type PlacedOrder } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { orderPaid, orderPlaced } from "#sales/orders/events.ts";
import { findOrderCustomer } from "#sales/orders/lookups.ts";
import { matchLines } from "#sales/rows/match-lines.ts";
import { externalIdTaken, unitsByVariant } from "#sales/rows/order.ts";
import { findOrderIdByExternalId, insertOrder } from "#sales/rows/queries.ts";
import { setNewOrderTimers } from "#sales/rows/recovery-timers.ts";
import { saleOf } from "#sales/rows/sale.ts";
import { getStore } from "#shop/store/lookups.ts";
import { methodTermsOf, requireAvailable } from "#shop/store/payment-methods.ts";
import { limitsHold, limitUnits } from "#shop/store/public-limits.ts";
import type { Store } from "#shop/store/store.ts";

import { checkReverseCharge } from "./check-reverse-charge.ts";
import { composeLine, composeOrder } from "./compose-order.ts";
import { type OrderRequest, readManual } from "./order-request.ts";
import { priceRequest } from "./price-request.ts";
import { limitOpenOrders, limitStrangers } from "./public-orders.ts";

/** The first order number: 1001 does not reveal that a shop is new. */
const FIRST_NUMBER = 1001;

/**
 * Numbers the order, reserves its stock and emits `order.placed`, and `order.paid` for an order
 * whose total is zero. Refuses with `validation_failed`, `variant_not_for_sale`, `price_missing`,
 * `external_id_taken`, `checkout_incomplete`, `discount_not_applicable`, `shipping_required`, `shipping_unavailable`,
 * `total_changed`, `payment_method_unavailable`, `no_way_to_pay`, `insufficient_stock`, `too_many_open_orders`,
 * `contact_proof_required`.
 */
export async function placeOrder(tx: Tx, request: OrderRequest): Promise<PlacedOrder> {
  const { store, offers, known, linkTerms, unknown } = await findNamed(tx, request);
  const faults = new Faults();
  const { written, trust } = request;
  const currency = request.sale.currency ?? store.currency;
  const priced = priceLines(request.sale.lines, offers, { currency, faults });
  const shipping = readShipping(request.sale.shipping, currency, faults);
  const manual = readManual(request.sale.discount, currency, faults);
  faults.addAll(unknown);
  const goods = { store, currency, lines: priced, shipping, known };
  await checkReverseCharge(tx, request, { ...goods, faults });
  const expectedMinor = readExpectedTotal(request, currency, faults);
  const isLimited = limitsHold(store, trust.placedBy);
  const isStrangers = isLimited && !trust.hasProvedContact;
  if (isLimited) {
    const lines = request.sale.lines.map((line, at) => ({ ...line, pointer: linePointer(at) }));
    limitUnits(store, lines, faults);
  }
  faults.refuseIfAny(saleRefusals);
  await refuseTakenExternalId(tx, written.externalId);
  const sale = await priceRequest(tx, request, { ...goods, manual, expectedMinor });
  const { isPublic } = trust.placedBy;
  // An order that costs nothing needs no way to pay.
  if (sale.totals.totalMinor > 0)
    requireAvailable(store, written.paymentMethod, { isPublic, currency });

  // Its bounds and limits count what other orders did.
  if (isLimited || usesOfSale(sale).length > 0) tx.alone();
  const counted = await countedCustomer(tx, known, request);
  const id = newId("order", tx.now);
  if (isLimited) await limitOpenOrders(tx, store, { customer: counted, isStrangers });
  await markSold(tx, notYetSold(priced, offers));
  const levels = await reserveStock(tx, id, unitsByVariant(priced));
  if (isStrangers) await limitStrangers(tx, store, { levels, ...trust });
  await claimSale(tx, { id, customer: counted }, sale);
  const order = composeOrder(tx, {
    id,
    request,
    store,
    currency,
    customer: counted,
    sale,
    isStrangers,
    number: await nextNumber(tx, "order", FIRST_NUMBER),
  });
  const lines = sale.lines.map((line) => composeLine(tx, { id, isStrangers }, line));
  await insertOrder(tx, order, lines);
  const { by } = methodTermsOf(store, order.paymentMethod);
  await setNewOrderTimers(tx, order, { isAbandonable: by === "gateway" });
  const link = orderLinkOf(linkTerms, order);
  await tx.emit(orderPlaced({ order, lines }, link.statusUrl));
  if (order.paidAt !== null) await tx.emit(orderPaid(order, saleOf(order, lines), link.statusUrl));
  return { order, lines, fulfillments: [], linkTerms, link };
}

/**
 * Finds the things that the request names, with faults for what is unknown. Sent together: on a shared database it
 * costs one round trip, none of it while others wait for the next number.
 */
async function findNamed(tx: Tx, request: OrderRequest) {
  const [unknown, customerFaults] = [new Faults(), new Faults()];
  const [store, offers, known, linkTerms] = await Promise.all([
    getStore(tx),
    findSellableVariants(tx, variantsOf(request.sale.lines)),
    findOrderCustomer(tx, request.contact, customerFaults),
    getLinkTerms(tx),
  ]);
  // A new order has no lines that an id could name.
  matchLines(request.sale.lines, [], { of: "order", keepsNames: false, faults: unknown });
  await checkOwnClasses(tx, request.sale.lines, { atMs: tx.now, faults: unknown });
  await checkNamedOption(tx, store, { request, faults: unknown });
  unknown.addAll(customerFaults);
  return { store, offers, known, linkTerms, unknown };
}

/** The option of a cart may be gone since it was chosen: the customer is then told those that are offered. */
async function checkNamedOption(
  tx: Tx,
  store: Store,
  { request, faults }: { readonly request: OrderRequest; readonly faults: Faults },
): Promise<void> {
  const { shipping } = request.sale;
  if (request.written.cartId !== null || shipping === null || !("optionId" in shipping)) return;
  if (await isActiveOption(tx, store, shipping.optionId)) return;
  await checkOption(tx, shipping, faults);
}

function readExpectedTotal(
  { sale: { expectedTotal } }: OrderRequest,
  currency: CurrencyCode,
  faults: Faults,
): number | null {
  if (expectedTotal === undefined) return null;
  return readAmount(expectedTotal, currency, { faults, pointer: "/expected_total" });
}

/** Counts a use of each discount of the sale. */
async function claimSale(
  tx: Tx,
  { id, customer }: { readonly id: Id<"order">; readonly customer: Customer | null },
  sale: AgreedSale,
): Promise<void> {
  const uses = usesOfSale(sale);
  if (uses.length === 0) return;
  await claimDiscounts(tx, { orderId: id, customerId: customer?.id ?? null, uses });
}

function usesOfSale({ breakdown }: AgreedSale): readonly DiscountUse[] {
  return breakdown === null ? [] : usesOf(breakdown);
}

/** The customer with this order counted: their row is locked. */
async function countedCustomer(
  tx: Tx,
  known: Customer | null,
  request: OrderRequest,
): Promise<Customer | null> {
  const customer = await customerOf(tx, known, request);
  if (customer === null) return null;
  const counted = await countOrder(tx, customer.id);
  if (counted === undefined) throw new WriteConflict("The customer");
  return counted;
}

async function customerOf(
  tx: Tx,
  known: Customer | null,
  request: OrderRequest,
): Promise<Customer | null> {
  if (known === null) return createOrderCustomer(tx, request);
  const { customer } = request.contact;
  if (customer === undefined || !request.trust.fillsCustomer) return known;
  return fillCustomer(tx, known.id, customer);
}

/**
 * A customer with this contact may have been created since the lookup: running again finds them.
 */
async function createOrderCustomer(
  tx: Tx,
  { contact: { customer }, trust }: OrderRequest,
): Promise<Customer | null> {
  if (customer === undefined) return null;
  try {
    return await createCustomer(tx, { ...customer, isUnverified: !trust.isFromMerchant });
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

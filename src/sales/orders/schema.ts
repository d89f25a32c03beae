// Orders on the wire: the answers.

import Type, { type Static } from "typebox";

import { addressSchema, presentAddress } from "#customers/schema.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { toIso, toIsoOrNull } from "#kernel/time.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { printAmount } from "#platform/http/contract/wire-amount.ts";
import {
  amount,
  choice,
  component,
  currency,
  idOf,
  instant,
  metadata,
  nullable,
  object,
  whole,
} from "#platform/http/contract/words.ts";

import {
  cancelReasons,
  dueOf,
  type Fulfillment,
  fulfillmentStatuses,
  type Order,
  type OrderLine,
  orderStatuses,
  paymentStatuses,
  type WholeOrder,
} from "./order.ts";

export const lineItemSchema = component("LineItem", {
  id: idOf("lineItem"),
  variant_id: idOf("variant"),
  product_id: idOf("product"),
  sku: nullable(Type.String()),
  name: Type.String(),
  quantity: whole(1),
  fulfilled_quantity: whole(0),
  unit_price: amount,
  unit_price_minor: whole(0),
  subtotal: amount,
  discount_total: amount,
  tax_total: amount,
  total: amount,
  total_minor: whole(0),
});

const trackingSchema = object({
  carrier: nullable(Type.String()),
  number: nullable(Type.String()),
  url: nullable(Type.String()),
});

export const fulfillmentSchema = component("Fulfillment", {
  id: idOf("fulfillment"),
  line_items: Type.Array(object({ line_item_id: idOf("lineItem"), quantity: whole(1) })),
  tracking: nullable(trackingSchema),
  created_at: instant,
});

export const orderSchema = component("Order", {
  id: idOf("order"),
  number: whole(1),
  status: choice(orderStatuses),
  payment_status: choice(paymentStatuses),
  fulfillment_status: choice(fulfillmentStatuses),
  customer_id: nullable(idOf("customer")),
  customer: nullable(
    object({
      id: idOf("customer"),
      email: nullable(Type.String()),
      phone: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
  ),
  line_items: Type.Array(lineItemSchema),
  payment_method: choice(paymentMethods),
  currency,
  channel: Type.String(),
  external_id: nullable(Type.String()),
  cart_id: nullable(idOf("cart")),
  shipping_address: nullable(addressSchema),
  billing_address: nullable(addressSchema),
  shipping: nullable(object({ label: nullable(Type.String()), amount })),
  notes: nullable(Type.String()),
  subtotal: amount,
  subtotal_minor: whole(0),
  discount_total: amount,
  discount_total_minor: whole(0),
  shipping_total: amount,
  shipping_total_minor: whole(0),
  tax_total: amount,
  tax_total_minor: whole(0),
  total: amount,
  total_minor: whole(0),
  paid_total: amount,
  paid_total_minor: whole(0),
  refunded_total: amount,
  refunded_total_minor: whole(0),
  due: amount,
  due_minor: whole(0),
  fulfillments: Type.Array(fulfillmentSchema),
  cancel_reason: nullable(choice(cancelReasons)),
  cancel_note: nullable(Type.String()),
  paid_at: nullable(instant),
  fulfilled_at: nullable(instant),
  cancelled_at: nullable(instant),
  expires_at: nullable(instant),
  metadata,
  version: whole(1),
  created_at: instant,
  updated_at: instant,
});

/** Prints an amount of the order. */
export function printOf({ currency: code }: Order, amountMinor: number) {
  return printAmount(amountMinor, code);
}

/** Presents a line item. */
export function presentLine(
  line: OrderLine,
  currencyOfOrder: CurrencyCode,
): Static<typeof lineItemSchema> {
  const print = (amountMinor: number) => printAmount(amountMinor, currencyOfOrder);
  return {
    id: line.id,
    variant_id: line.variantId,
    product_id: line.productId,
    sku: line.sku,
    name: line.name,
    quantity: line.quantity,
    fulfilled_quantity: line.fulfilledQuantity,
    unit_price: print(line.unitPriceMinor),
    unit_price_minor: line.unitPriceMinor,
    subtotal: print(line.subtotalMinor),
    discount_total: print(line.discountMinor),
    tax_total: print(line.taxMinor),
    total: print(line.totalMinor),
    total_minor: line.totalMinor,
  };
}

/** Presents a fulfillment. */
export function presentFulfillment(fulfillment: Fulfillment): Static<typeof fulfillmentSchema> {
  const { tracking } = fulfillment;
  return {
    id: fulfillment.id,
    line_items: fulfillment.lines.map((line) => ({
      line_item_id: line.lineItemId,
      quantity: line.quantity,
    })),
    tracking:
      tracking === null
        ? null
        : { carrier: tracking.carrier, number: tracking.number, url: tracking.url },
    created_at: toIso(fulfillment.createdAt),
  };
}

/** Presents an order. */
export function presentOrder({
  order,
  lines,
  fulfillments,
}: WholeOrder): Static<typeof orderSchema> {
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    payment_status: order.paymentStatus,
    fulfillment_status: order.fulfillmentStatus,
    customer_id: order.customerId,
    customer: presentCustomer(order),
    line_items: lines.map((line) => presentLine(line, order.currency)),
    payment_method: order.paymentMethod,
    currency: order.currency,
    channel: order.channel,
    external_id: order.externalId,
    cart_id: order.cartId,
    shipping_address: order.shippingAddress === null ? null : presentAddress(order.shippingAddress),
    billing_address: order.billingAddress === null ? null : presentAddress(order.billingAddress),
    shipping: presentShipping(order),
    notes: order.notes,
    ...presentTotals(order),
    fulfillments: fulfillments.map(presentFulfillment),
    cancel_reason: order.cancelReason,
    cancel_note: order.cancelNote,
    paid_at: toIsoOrNull(order.paidAt),
    fulfilled_at: toIsoOrNull(order.fulfilledAt),
    cancelled_at: toIsoOrNull(order.cancelledAt),
    expires_at: toIsoOrNull(order.expiresAt),
    metadata: order.metadata,
    version: order.version,
    created_at: toIso(order.createdAt),
    updated_at: toIso(order.updatedAt),
  };
}

function presentCustomer({ customer }: Order) {
  if (customer === null) return null;
  const { id, email, phone, name } = customer;
  return { id, email, phone, name };
}

function presentShipping(order: Order) {
  if (order.shippingLabel === null && order.shippingMinor === 0) return null;
  return { label: order.shippingLabel, amount: printAmount(order.shippingMinor, order.currency) };
}

function presentTotals(order: Order) {
  const dueMinor = dueOf(order);
  return {
    ...presentSaleTotals(order),
    paid_total: printOf(order, order.paidMinor),
    paid_total_minor: order.paidMinor,
    refunded_total: printOf(order, order.refundedMinor),
    refunded_total_minor: order.refundedMinor,
    due: printOf(order, dueMinor),
    due_minor: dueMinor,
  };
}

/** Presents the totals of the sale. */
export function presentSaleTotals(order: Order) {
  return {
    subtotal: printOf(order, order.subtotalMinor),
    subtotal_minor: order.subtotalMinor,
    discount_total: printOf(order, order.discountMinor),
    discount_total_minor: order.discountMinor,
    shipping_total: printOf(order, order.shippingMinor),
    shipping_total_minor: order.shippingMinor,
    tax_total: printOf(order, order.taxMinor),
    tax_total_minor: order.taxMinor,
    total: printOf(order, order.totalMinor),
    total_minor: order.totalMinor,
  };
}

/**
 * Presents a new order to its caller. Without `orders:read` the customer has only the details that
 * the caller sent: a key in a public page must not reveal the customer of an email.
 */
export function presentPlaced(
  placed: WholeOrder,
  sent: { readonly customer?: { readonly [K in "email" | "phone" | "name"]?: string | null } },
  caller: Caller,
): Static<typeof orderSchema> {
  const { customer } = placed.order;
  if (customer === null || caller.scopes.has("orders:read")) return presentOrder(placed);
  const ifSent = (field: "email" | "phone" | "name") => {
    const given = (sent.customer?.[field] ?? "").toLowerCase();
    return given === (customer[field] ?? "").toLowerCase() ? customer[field] : null;
  };
  const visible = {
    id: customer.id,
    email: ifSent("email"),
    phone: ifSent("phone"),
    name: ifSent("name"),
  };
  return presentOrder({ ...placed, order: { ...placed.order, customer: visible } });
}

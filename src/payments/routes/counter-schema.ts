// The counter on the wire: a new order with what is paid and taken along at once, and its preview.
// A preview names nothing that does not exist: it has no id, no number and no link, and line items are known by place.

import Type, { type Static } from "typebox";

import type { CounterSale, SoldOrder } from "#payments/attempts/sell-at-counter.ts";
import { type Caller, requireScope } from "#platform/http/contract/caller.ts";
import {
  amountOrNullOf,
  from,
  inBothUnits,
  list,
  orNull,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  component,
  currency,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";
import { cartDiscounts } from "#pricing/quote/schema.ts";
import {
  hasShipping,
  lineFields,
  type LineView,
  saleParts,
  saleTotals,
  shippingShape,
  viewLines,
} from "#sales/orders/schema.ts";
import type { Visit } from "#sales/placing/order-request.ts";
import { orderRequestSchema, readOrderRequest } from "#sales/placing/request-schema.ts";
import { depositDueOf, dueOf } from "#sales/rows/balance.ts";
import type { Order, OrderLine } from "#sales/rows/order.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import { readTold, toldGiven } from "./request-schema.ts";

/** Money that the merchant takes in the same request, such as at a counter. */
const paidSchema = component(
  "PaidInput",
  {
    method: paymentMethod,
    amount: optional(amountGiven),
    tendered: optional(amountGiven),
    ...toldGiven,
  },
  {
    description:
      "Records a payment by hand with the order. `amount` is the total by default; `tendered` is what the customer handed over, and `change` is answered. Needs `orders:write` and `payments:write`.",
  },
);

export const counterSaleSchema = object({
  ...orderRequestSchema.properties,
  paid: optional(paidSchema),
  fulfilled: optional(
    Type.Boolean({
      description: "Whether the customer takes everything along. Needs `orders:write`.",
    }),
  ),
});

/**
 * Returns the sale. Refuses with `scope_missing` a caller that may only create orders and asks for more
 * in the same request.
 */
export function readCounterSale(
  body: Static<typeof counterSaleSchema>,
  caller: Caller,
  visit: Visit,
): CounterSale {
  const { paid, fulfilled: isFulfilled = false } = body;
  if (paid !== undefined) {
    requireScope(caller, "orders:write", "An order with `paid`");
    requireScope(caller, "payments:write", "An order with `paid`");
  }
  if (isFulfilled) requireScope(caller, "orders:write", "An order with `fulfilled`");
  requireScopeOfPrices(body, caller);
  const { mode } = caller;
  const request = readOrderRequest(body, caller, visit);
  // A sale that is paid at once is paid in its own method, unless the order names another.
  const method = body.payment_method ?? paid?.method ?? request.written.paymentMethod;
  const written = { ...request.written, paymentMethod: method };
  return { request: { ...request, written }, paid: readPaid(paid), isFulfilled, mode };
}

function readPaid(paid: Static<typeof paidSchema> | undefined): CounterSale["paid"] {
  if (paid === undefined) return null;
  const { method, amount, tendered, ...told } = paid;
  return { method, amount, tendered, told: readTold(told) };
}

/** Only the merchant decides what something costs beside the terms of the shop. */
function requireScopeOfPrices(body: Static<typeof counterSaleSchema>, caller: Caller): void {
  const named = [
    [
      body.line_items.some((line) => line.unit_price !== undefined),
      "A line item with `unit_price`",
    ],
    [(body.discount ?? null) !== null, "An order with `discount`"],
    [body.tax_exemption !== undefined, "An order with `tax_exemption`"],
  ] as const;
  for (const [isNamed, part] of named) if (isNamed) requireScope(caller, "orders:write", part);
}

// The line item of an order, but for what only a placed one has.
const {
  id: _id,
  cancelled_quantity: _cancelled,
  fulfilled_quantity: _fulfilled,
  returned_quantity: _returned,
  ...soldFields
} = lineFields;

const lineShape = shape<LineView>()(soldFields);

/** An order that was not placed, as one row. */
interface OrderPreviewView extends Order {
  readonly lines: readonly OrderLine[];
  /** Null where no money was handed over. */
  readonly changeMinor: number | null;
}

export const orderPreviewWire = wire<OrderPreviewView>()("OrderPreview", {
  line_items: from(viewLines, list(lineShape)),
  payment_method: paymentMethod,
  currency,
  shipping: from((order: Order) => (hasShipping(order) ? order : null), orNull(shippingShape)),
  ...saleTotals,
  ...saleParts,
  // Its line items have no ids.
  discounts: cartDiscounts,
  ...inBothUnits("due", (order: Order) => dueOf(order)),
  ...inBothUnits("deposit_due", (order: Order) => depositDueOf(order)),
  change: amountOrNullOf((preview: OrderPreviewView) => preview.changeMinor),
  change_minor: nullable(whole(0)),
});

/** Returns the row of which `orderPreviewWire` makes the response. */
export function viewOrderPreview({ placed, changeMinor }: SoldOrder): OrderPreviewView {
  const { order, lines } = placed;
  return { ...order, lines, changeMinor };
}

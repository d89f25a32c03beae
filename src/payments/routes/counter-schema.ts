// The counter on the wire: the cash-up of a day, a new order with what is paid and taken along at once, and its preview.
// A preview names nothing that does not exist: it has no id, no number and no link, and line items are known by place.

import Type, { type Static } from "typebox";

import { inBounds } from "#kernel/money.ts";
import type {
  CashUp,
  CashUpOfCurrency,
  Sum,
  SumByHand,
  SumOfMethod,
} from "#payments/attempts/read-cash-up.ts";
import type { CounterSale, SoldOrder } from "#payments/attempts/sell-at-counter.ts";
import { type Caller, requireScope } from "#platform/http/contract/caller.ts";
import {
  amountOf,
  amountOrNullOf,
  at,
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
  day,
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
import { namedActorShape } from "#shop/entries/schema.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import { readTold, toldGiven } from "./request-schema.ts";

export const cashUpQuerySchema = object({
  day: optional(
    Type.String({
      ...day,
      description: "A day in the shop's time zone such as 2026-01-31; today by default.",
    }),
  ),
});

const sum = {
  payments: whole(0),
  ...inBothUnits("received", ({ receivedMinor }: Sum) => receivedMinor),
  refunds: whole(0),
  refunded: amountOf(({ refundedMinor }: Sum) => refundedMinor),
  refunded_minor: from(
    ({ refundedMinor }: Sum) => refundedMinor,
    whole(undefined, undefined, {
      description: "Negative if refunds that were counted on an earlier day failed.",
    }),
  ),
  net: amountOf(netOf),
  net_minor: from(netOf, whole()),
};

function netOf({ receivedMinor, refundedMinor }: Sum): number {
  return inBounds(receivedMinor - refundedMinor);
}

const ofMethod = shape<SumOfMethod>()({ method: paymentMethod, ...sum });

const byHand = shape<SumByHand>()({
  method: paymentMethod,
  actor: namedActorShape,
  ...sum,
});

const ofCurrency = shape<CashUpOfCurrency>()({
  currency,
  ...sum,
  by_method: list(ofMethod),
  by_hand: list(byHand, {
    description: "Money that no gateway moved, by who recorded it: what each hands over.",
  }),
});

export const cashUpWire = wire<CashUp>()("CashUp", {
  day: Type.String(day),
  timezone: Type.String(),
  from: at,
  to: at,
  currencies: list(ofCurrency),
});

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

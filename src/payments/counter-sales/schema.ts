// Counter sales on the wire: a new order, with what is paid and taken along at once.

import Type, { type Static } from "typebox";

import type { Customer } from "#customers/customer.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { type Caller, requireScope } from "#platform/http/contract/caller.ts";
import { amountGiven, choice, object, optional } from "#platform/http/contract/words.ts";
import { orderRequestSchema, readOrderRequest } from "#sales/placing/request-schema.ts";

import type { CounterSale } from "./sell-at-counter.ts";

/** Money that the merchant takes in the same request, such as at a counter. */
const paidSchema = object(
  {
    method: choice(paymentMethods),
    amount: optional(amountGiven),
    tendered: optional(amountGiven),
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
  signedIn: Customer | null = null,
): CounterSale {
  const { paid, fulfilled: isFulfilled = false } = body;
  if (paid !== undefined) {
    requireScope(caller, "orders:write", "An order with `paid`");
    requireScope(caller, "payments:write", "An order with `paid`");
  }
  if (isFulfilled) requireScope(caller, "orders:write", "An order with `fulfilled`");
  requireScopeOfPrices(body, caller);
  const { mode } = caller;
  const request = readOrderRequest(body, caller, signedIn);
  // A sale that is paid at once is paid in its own method, unless the order names another.
  const paymentMethod = body.payment_method ?? paid?.method ?? request.written.paymentMethod;
  const written = { ...request.written, paymentMethod };
  return { request: { ...request, written }, paid: paid ?? null, isFulfilled, mode };
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

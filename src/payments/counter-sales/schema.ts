// Counter sales on the wire: a new order, with what is paid and taken along at once.

import type { Static } from "typebox";

import { type Caller, requireScope } from "#platform/http/contract/caller.ts";
import { type orderRequestSchema, readOrderRequest } from "#sales/orders/request-schema.ts";

import type { CounterSale } from "./sell-at-counter.ts";

/**
 * Returns the sale. Refuses with `scope_missing` a caller that may only create orders and asks for more
 * in the same request.
 */
export function readCounterSale(
  body: Static<typeof orderRequestSchema>,
  caller: Caller,
): CounterSale {
  const { paid, fulfilled: isFulfilled = false } = body;
  if (paid !== undefined) {
    requireScope(caller, "orders:write", "An order with `paid`");
    requireScope(caller, "payments:write", "An order with `paid`");
  }
  if (isFulfilled) requireScope(caller, "orders:write", "An order with `fulfilled`");
  const { mode } = caller;
  return { request: readOrderRequest(body, caller), paid: paid ?? null, isFulfilled, mode };
}

// Story: shipped units of an order come back, with the money for them or without.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { readUnits, shippedKind, type UnitsRequest } from "#sales/balance/line-units.ts";
import { findOrder, lockWholeOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/orders/order.ts";

import { type Returned, type ReturnTerms, takeBack } from "./take-back.ts";

export interface ReturnRequest extends ReturnTerms {
  readonly lines: readonly UnitsRequest[];
  /** True if the units return to stock. */
  readonly restock: boolean;
}

/**
 * Saves the return, returns units to stock if asked, and emits `order.returned`. What was paid for the
 * units goes back or is kept. By default what is due is written off if nothing was paid, every shipped unit came
 * back and none is open. Refuses with `order_not_found`, `stale_version` and `validation_failed`.
 */
export async function returnUnits(
  tx: Tx,
  id: Id<"order">,
  { request, expected }: { readonly request: ReturnRequest; readonly expected: ExpectedVersion },
): Promise<Returned> {
  const before = await lockWholeOrder(tx, id);
  requireVersion(before.order.version, expected);
  const faults = new Faults();
  const units = readUnits(before.lines, request.lines, { kind: shippedKind, faults });
  await refuseWrongExchange(tx, before.order, { request, faults });
  faults.refuseIfAny();
  const back = units.map((one) => ({ ...one, isRestocked: request.restock }));
  return takeBack(tx, before, { ...request, units: back });
}

/** Refuses an exchange that is not another order that exists. */
async function refuseWrongExchange(
  tx: Tx,
  { id }: Order,
  { request, faults }: { readonly request: ReturnTerms; readonly faults: Faults },
): Promise<void> {
  const { exchangeOrderId } = request;
  if (exchangeOrderId === null) return;
  if (exchangeOrderId === id) {
    faults.add("/exchange_order_id", "invalid_choice", "An order is not its own exchange.");
  } else if ((await findOrder(tx, exchangeOrderId)) === undefined) {
    faults.add("/exchange_order_id", "unknown_order", "There is no such order.");
  }
}

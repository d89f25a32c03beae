// Story: shipped units of an order come back, with the money for them or without.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { readUnits, shippedKind, type UnitsRequest } from "#sales/balance/line-units.ts";
import { findOrder, lockWholeOrder } from "#sales/orders/lookups.ts";

import { type Returned, type ReturnTerms, takeBack } from "./take-back.ts";

export interface ReturnRequest extends ReturnTerms {
  readonly lines: readonly UnitsRequest[];
  /** Whether the units go back on the shelf. */
  readonly restock: boolean;
}

/**
 * Saves the return, puts units back on the shelf if asked, and emits `order.returned`. What was paid for the
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
  await refuseUnknownExchange(tx, request, faults);
  faults.refuseIfAny();
  const back = units.map((one) => ({ ...one, isRestocked: request.restock }));
  return takeBack(tx, before, { ...request, units: back });
}

async function refuseUnknownExchange(
  tx: Tx,
  { exchangeOrderId }: ReturnTerms,
  faults: Faults,
): Promise<void> {
  if (exchangeOrderId === null || (await findOrder(tx, exchangeOrderId)) !== undefined) return;
  faults.add("/exchange_order_id", "unknown_order", "There is no such order.");
}

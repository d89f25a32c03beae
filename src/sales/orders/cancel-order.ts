// Story: open units of an order are cancelled, all of them or a part. An order of which nothing has shipped and
// nothing is left is cancelled.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { cancelUnits } from "#sales/balance/cancel-units.ts";
import type { MoneyBack } from "#sales/balance/credit-units.ts";
import { openKind, readUnits, type UnitsRequest } from "#sales/balance/line-units.ts";

import { lockWholeOrder } from "./lookups.ts";
import type { CancelReason } from "./order-life.ts";
import { forbidden, type WholeOrder } from "./order.ts";

export interface Cancellation {
  /** All open units if undefined. */
  readonly lines?: readonly UnitsRequest[] | undefined;
  readonly reason: CancelReason;
  readonly note: string | null;
  readonly refund: MoneyBack;
}

/**
 * Cancels the units, releases their stock and emits `order.cancelled` if nothing has shipped and nothing is
 * left, else `order.updated`, and `order.fulfilled` with the last open unit. Returns a cancelled order
 * unchanged. Refuses with `order_not_found`, `stale_version`, `validation_failed`, and with
 * `invalid_transition` if nothing is open.
 */
export async function cancelOrder(
  tx: Tx,
  id: Id<"order">,
  {
    cancellation,
    expected,
  }: { readonly cancellation: Cancellation; readonly expected: ExpectedVersion },
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  if (before.order.status === "cancelled") return before;
  requireVersion(before.order.version, expected);
  if (before.order.status !== "open" || before.order.fulfillmentStatus === "fulfilled") {
    throw forbidden(before.order, "cancel");
  }
  const faults = new Faults();
  const units = readUnits(before.lines, cancellation.lines, { kind: openKind, faults });
  faults.refuseIfAny();
  return cancelUnits(tx, before, { ...cancellation, units });
}

// Story: the merchant gives up what an order still owes.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { formatAmount, readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockWholeOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/rows/balance.ts";
import { forbidden, type Order, type WholeOrder } from "#sales/rows/order.ts";

import { settleLater, settleOrder } from "./settle-order.ts";

interface WriteOff {
  /** Major units. */
  readonly amount: number | string;
  readonly note: string | null;
}

/**
 * Writes the amount off and emits `order.updated`; an order that is shipped and has nothing due is completed.
 * Refuses with `order_not_found`, `stale_version`, `invalid_transition` if nothing is due, and
 * `validation_failed` for more than is due.
 */
export async function writeOffOrder(
  tx: Tx,
  id: Id<"order">,
  { writeOff, expected }: { readonly writeOff: WriteOff; readonly expected: ExpectedVersion },
): Promise<WholeOrder> {
  const before = await lockWholeOrder(tx, id);
  requireVersion(before.order.version, expected);
  const { currency } = before.order;
  const dueMinor = dueOf(before.order);
  if (dueMinor === 0) throw forbidden(before.order, "write_off", "Nothing is due.");
  const faults = new Faults();
  const place = { faults, pointer: "/amount" };
  const amountMinor = readPositiveAmount(writeOff.amount, currency, place) ?? 0;
  if (amountMinor > dueMinor) {
    const most = formatAmount(dueMinor, currency);
    faults.add("/amount", "amount_exceeds_due", `Only ${most} ${currency} is due.`);
  }
  faults.refuseIfAny();
  const { note } = writeOff;
  const order = await writeOffDue(tx, before.order, { amountMinor, note });
  return { ...before, order };
}

/**
 * Writes the amount off, which is at most what is due, and emits `order.updated`. An order that is shipped and
 * has nothing due is completed.
 */
export async function writeOffDue(
  tx: Tx,
  before: Order,
  { amountMinor, note }: { readonly amountMinor: number; readonly note: string | null },
): Promise<Order> {
  const order = await settleOrder(tx, before, {
    change: { writtenOffMinor: before.writtenOffMinor + amountMinor },
    writeOffNote: note,
  });
  await settleLater(tx, order);
  return order;
}

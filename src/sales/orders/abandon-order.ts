// Story: an hour after it was placed, nobody has paid an order that is to be paid first.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { orderLeft } from "#sales/carts/events.ts";
import { issueRecoveryUrl } from "#sales/recovery/issue-recovery-url.ts";

import { awaitsPayment, LOOK_AGAIN_MS, unpaidOrderTimer } from "./order.ts";
import { findLines, holdOrderRow } from "./queries.ts";
import { presentLine } from "./schema.ts";

/**
 * Afterwards `cart.abandoned` is announced for the order, once, and its expiry is watched. While an
 * attempt to pay is open nobody has left, and the story is told again a little later.
 */
export async function abandonOrder(tx: Tx, id: Id<"order">): Promise<void> {
  const order = await holdOrderRow(tx, id);
  if (order === undefined || !awaitsPayment(order)) return;
  const { currency, channel, totalMinor, customer, expiresAt } = order;
  if (expiresAt !== null) {
    await setTimer(tx, { name: unpaidOrderTimer, subject: id, dueAt: expiresAt });
  }
  if (order.openAttempts > 0) {
    await setTimer(tx, { name: "abandon_order", subject: id, dueAt: tx.now + LOOK_AGAIN_MS });
    return;
  }
  const lines = await findLines(tx, [id]);
  const lineItems = lines.map((line) => presentLine(line, currency));
  const recoveryUrl = await issueRecoveryUrl(tx, id);
  const money = { totalMinor, currency };
  await tx.emit(orderLeft({ id, lineItems, ...money, channel, customer, recoveryUrl }));
}

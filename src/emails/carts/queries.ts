// All SQL of when addresses were reminded of carts.

import { eq, lte, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedInsertIfFree, preparedWrite } from "#platform/database/prepared.ts";
import type { RowOf } from "#platform/database/record.ts";

import { cartReminders } from "./tables.ts";

export type CartReminder = RowOf<typeof cartReminders>;

const byHash = prepared<{ contactHash: string }>()((db, at) =>
  db.select().from(cartReminders).where(eq(cartReminders.contactHash, at.contactHash)),
);
const dropUntil = preparedWrite<{ until: number }>()((tx, at) =>
  tx.delete(cartReminders).where(lte(cartReminders.remindedAt, at.until)),
);
const renew = preparedWrite<{ contactHash: string; remindedAt: number }>()((tx, at) =>
  tx
    .update(cartReminders)
    .set({ remindedAt: sql`${at.remindedAt}` })
    .where(eq(cartReminders.contactHash, at.contactHash)),
);
const dropMessage = preparedWrite<{ messageId: string }>()((tx, at) =>
  tx.delete(cartReminders).where(eq(cartReminders.messageId, at.messageId)),
);
const dropOne = preparedWrite<{ contactHash: string }>()((tx, at) =>
  tx.delete(cartReminders).where(eq(cartReminders.contactHash, at.contactHash)),
);

export async function findReminderOf(
  db: Reader,
  contactHash: string,
): Promise<CartReminder | undefined> {
  return (await byHash(db, { contactHash }))[0];
}

/** Inserts the reminder. Returns false, and inserts nothing, if its address has one. */
export const insertReminder = preparedInsertIfFree(cartReminders);

/** Deletes the reminders until an instant, epoch milliseconds. */
export async function deleteRemindersUntil(tx: Tx, until: number): Promise<void> {
  await dropUntil(tx, { until });
}

export async function deleteReminder(tx: Tx, contactHash: string): Promise<void> {
  await dropOne(tx, { contactHash });
}

/** Sets when the address was reminded, epoch milliseconds. */
export async function renewReminder(
  tx: Tx,
  at: Pick<CartReminder, "contactHash" | "remindedAt">,
): Promise<void> {
  await renew(tx, at);
}

/** Deletes the reminder that this message was. */
export async function deleteReminderBy(tx: Tx, messageId: string): Promise<void> {
  await dropMessage(tx, { messageId });
}

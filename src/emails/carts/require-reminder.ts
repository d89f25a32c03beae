// Story: the customer of a cart or an order that was left may be sent its email again.

import { contactHashOf } from "#customers/consent/contact-vault.ts";
import { findContactVault } from "#customers/consent/lookups.ts";
import { type Email, emailClosed } from "#emails/email.ts";
import type { Id } from "#kernel/id.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";

import { findReminder } from "./find-reminder.ts";
import { deleteReminder, findReminderOf } from "./queries.ts";

/**
 * Afterwards the email may remind its address: an earlier message of it that the mail server did not take does not count.
 * Refuses with `email_closed` if nothing would be sent.
 */
export async function requireReminder(
  tx: Tx,
  left: Id<"cart"> | Id<"order">,
  email: Pick<Email, "status" | "messageId">,
): Promise<void> {
  const found = await findReminder(tx, left, tx.now);
  if (typeof found === "string") throw emailClosed({ members: { reason: found } });
  const contacts = await findContactVault(tx);
  const contactHash = contacts === undefined ? null : contactHashOf(contacts, found.address);
  const last = contactHash === null ? undefined : await findReminderOf(tx, contactHash);
  if (contactHash === null || last === undefined || last.remindedAt <= tx.now - DAY_MS) return;
  if (email.status === "sent" || last.messageId !== email.messageId) {
    throw emailClosed({ members: { reason: "recently_reminded" } });
  }
  if (email.status !== "waiting") await deleteReminder(tx, contactHash);
}

// Workflow: the email about a cart or an order that was left, as everything reads now.

import { greetingOf, typed } from "#emails/content/letter.ts";
import { type EmailContent, writeLetter } from "#emails/content/write-letter.ts";
import { type SendingFacts, type SkipReason, whyNoNews } from "#emails/email.ts";
import type { Id } from "#kernel/id.ts";
import type { Shop } from "#platform/database/shop.ts";

import { cartAbandoned, findReminder } from "./find-reminder.ts";
import { claimReminder } from "./reminders.ts";

export interface ReminderToSend extends Omit<SendingFacts, "order"> {
  readonly left: Id<"cart"> | Id<"order">;
  readonly messageId: string;
}

/** Returns the email, whose address then has no other one for 24 hours, or why none is sent. */
export async function composeReminder(
  { database }: Pick<Shop, "database">,
  facts: ReminderToSend,
): Promise<EmailContent | SkipReason> {
  const { left, messageId, email, now } = facts;
  const oldNews = email.resentAt === null ? whyNoNews(facts) : null;
  if (oldNews !== null) return oldNews;
  const reminder = await findReminder(database.read, left, now);
  if (typeof reminder === "string") return reminder;
  const { store, name, address } = reminder;
  const unsubscribeUrl = await database.write((tx) => claimReminder(tx, { address, messageId }));
  if (unsubscribeUrl === null) return "recently_reminded";
  const letter = cartAbandoned(reminder, unsubscribeUrl);
  const to = { name: typed(name), address };
  return writeLetter({ store, greeting: greetingOf(name, store), letter }, { to, unsubscribeUrl });
}

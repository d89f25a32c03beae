// Story: what became of an attempt to send an email.

import { advanceEmail } from "#emails/advance-email.ts";
import { deleteReminderBy } from "#emails/carts/queries.ts";
import { type Email, SEND_TIMER, type SkipReason, waitAfter, waitForTurn } from "#emails/email.ts";
import { emailRows } from "#emails/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import type { MailOutcome } from "#platform/net/smtp.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";

export type EmailOutcome =
  | { readonly kind: "skipped"; readonly reason: SkipReason }
  | (Attempted<MailOutcome> & { readonly messageId: string });

/** Without what the server said, which may repeat the address. */
type Attempted<O> = O extends unknown ? Omit<O, "response"> : never;

/**
 * Saves the outcome of the email as it was read, and sets the timer of its next attempt. One that another program
 * settled meanwhile stays as it is.
 */
export async function settleEmail(tx: Tx, read: Email, outcome: EmailOutcome): Promise<void> {
  const email = await emailRows.findLocked(tx, read.id);
  if (email === undefined || email.version !== read.version) return;
  await clearTimer(tx, SEND_TIMER, email.id);
  if (outcome.kind === "skipped") {
    await advanceEmail(tx, email, { action: "skip", change: { error: outcome.reason } });
    return;
  }
  const isFull = outcome.kind === "later" && outcome.isFull;
  const attempts = email.attempts + (isFull ? 0 : 1);
  const change = { attempts, messageId: outcome.messageId };
  if (outcome.kind === "accepted") {
    const sent = { ...change, error: null, sentAt: tx.now };
    await advanceEmail(tx, email, { action: "succeed", change: sent });
    return;
  }
  const error = `${outcome.fault} ${outcome.codes}`.trimEnd();
  // Who was not reminded of a cart may be reminded of another one.
  if (outcome.kind === "refused") await deleteReminderBy(tx, outcome.messageId);
  const waitMs = waitOf({ ...email, attempts }, outcome, tx.now);
  const action = waitMs === null ? "fail" : "retry";
  await advanceEmail(tx, email, { action, change: { ...change, error } });
  if (waitMs === null) return;
  await setTimer(tx, { name: SEND_TIMER, subject: email.id, dueAt: tx.now + waitMs });
}

/** Milliseconds until the next attempt; null if there is none. */
function waitOf(email: Email, outcome: EmailOutcome, now: number): number | null {
  if (outcome.kind !== "later") return null;
  return outcome.isFull
    ? waitForTurn(now - (email.resentAt ?? email.createdAt))
    : waitAfter(email.attempts);
}

// Emails that failed: how many there are, and the story by which the merchant asks for one again.

import { requireReminder } from "#emails/carts/find-reminder.ts";
import type { Id } from "#kernel/id.ts";
import { type Counted, countUpTo, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { WEEK_MS } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { advanceEmail } from "./advance-email.ts";
import { type Email, leftBy, SEND_TIMER } from "./email.ts";
import { type EmailFilters, emailRows, listEmailRows } from "./queries.ts";

/**
 * Afterwards the email is sent once more, as a message of its own, however old its event is; one that waits is tried at
 * once instead. Refuses with `email_not_found`, and with `email_closed` one about what was left
 * whose customer is reminded no more.
 */
export async function resendEmail(tx: Tx, id: Id<"email">): Promise<Email> {
  const before = await emailRows.lock(tx, id);
  const left = leftBy(before);
  if (left !== null) await requireReminder(tx, left, before);
  const email = before.status === "waiting" ? before : await beginAnew(tx, before);
  await setTimer(tx, { name: SEND_TIMER, subject: id, dueAt: tx.now });
  return email;
}

function beginAnew(tx: Tx, before: Email): Promise<Email> {
  const change = { attempts: 0, error: null, messageId: null, resentAt: tx.now };
  return advanceEmail(tx, before, { action: "resend", change });
}

/** Returns a page of emails, newest first. */
export async function listEmails(
  db: Reader,
  filters: EmailFilters,
  page: PageRequest,
): Promise<Page<Email>> {
  return toPage(await listEmailRows(db, filters, page), page.limit);
}

/** Counts the emails of the last seven days that failed, up to a limit: of older ones the order says more by now. */
export async function countFailedEmails(
  db: Reader,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<Counted> {
  const found = await listEmailRows(db, { statuses: ["failed"] }, { limit, after: null });
  return countUpTo(
    found.filter(({ createdAt }) => now - createdAt <= WEEK_MS),
    limit,
  );
}

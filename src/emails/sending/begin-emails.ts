// Story: from where in the log on there are emails.

import { CONSUMER } from "#emails/email.ts";
import type { Tx } from "#platform/database/database.ts";
import { beginLogCursor, dropLogCursor } from "#platform/event-log/log-cursors.ts";

/**
 * At a start: a shop that can send emails tells what happens from now on, or where it stopped when it could. One that
 * cannot tells nothing that happens meanwhile, also not later.
 */
export async function beginEmails(tx: Tx, canSend: boolean): Promise<void> {
  if (canSend) await beginLogCursor(tx, CONSUMER);
  else await dropLogCursor(tx, CONSUMER);
}

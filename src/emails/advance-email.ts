// The only writer of an email's status. Looks the action up in the life table, and writes the next version.

import { arrow } from "#kernel/machine.ts";
import type { Tx } from "#platform/database/database.ts";

import { type EmailAction, emailLife } from "./email-life.ts";
import type { Email } from "./email.ts";
import { emailRows } from "./queries.ts";

/** Moves the email to its next state. Throws where the life table has none: no caller can ask for that. */
export async function advanceEmail(
  tx: Tx,
  before: Email,
  { action, change }: { readonly action: EmailAction; readonly change: Partial<Email> },
): Promise<Email> {
  const step = arrow(emailLife, before.status, action);
  if (step === null) throw new Error(`An email that is ${before.status} cannot ${action}.`);
  return emailRows.save(tx, before, { ...change, status: step.next });
}

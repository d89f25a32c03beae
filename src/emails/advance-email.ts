// The only writer of an email's status. Looks the action up in the life table, and writes the next version.

import { allowedActions, arrow } from "#kernel/machine.ts";
import type { Tx } from "#platform/database/database.ts";
import { invalidTransition } from "#sales/orders/order.ts";

import { type EmailAction, emailLife } from "./email-life.ts";
import type { Email } from "./email.ts";
import { emailRows } from "./queries.ts";

/** Moves the email to its next state. Refuses with `invalid_transition`. */
export async function advanceEmail(
  tx: Tx,
  before: Email,
  { action, change }: { readonly action: EmailAction; readonly change: Partial<Email> },
): Promise<Email> {
  const step = arrow(emailLife, before.status, action);
  if (step === null) {
    throw invalidTransition({
      detail: `The email is ${before.status}.`,
      members: { from: before.status, action, allowed: allowedBy(before) },
    });
  }
  return emailRows.save(tx, before, { ...change, status: step.next });
}

/** What a caller may ask for: the server itself does the rest. */
function allowedBy({ status }: Email): string[] {
  return allowedActions(emailLife, status).filter((action) => action === "resend");
}

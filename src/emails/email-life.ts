// The states of an email to a customer.

import { type ActionOf, machine, type StateOf } from "#kernel/machine.ts";

/** No step announces an event: emails about emails would never end. */
// prettier-ignore
export const emailLife = machine({
  waiting: { retry: ["waiting", null], succeed: ["sent", null], fail: ["failed", null], skip: ["skipped", null] },
  sent:    { resend: ["waiting", null] },
  failed:  { resend: ["waiting", null] },
  skipped: { resend: ["waiting", null] },
});

export type EmailStatus = StateOf<typeof emailLife>;
export type EmailAction = ActionOf<typeof emailLife>;
export const emailStates = [
  "waiting",
  "sent",
  "failed",
  "skipped",
] as const satisfies readonly EmailStatus[];

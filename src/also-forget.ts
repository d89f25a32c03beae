// Removes with an erasure what is kept beside the nouns of the shop. It has a file of its own, because background work
// needs it at the start, when the routes are not loaded yet.

import { forgetSessions } from "#customers/sessions/end-sessions.ts";
import { forgetReminders } from "#emails/carts/reminders.ts";
import { forgetCustomerFiles } from "#imports/kept/jobs.ts";
import { FORGET_TIMER } from "#messaging/webhooks/deliveries/delivery.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import type { AlsoForget } from "#privacy/erase-next-orders.ts";
import { forgetMessages } from "#sandbox/inbox/list-inbox.ts";

/** The inbox and the reminders of carts forget the customer, sessions and codes end, kept files of customers go, and so do the saved responses of receivers: some came while the orders were erased. */
export const alsoForget: AlsoForget = async (tx, customer) => {
  await forgetMessages(tx, customer);
  await forgetReminders(tx, customer);
  await forgetSessions(tx, customer);
  await forgetCustomerFiles(tx);
  if (customer.erasedAt === null) return;
  await setTimer(tx, { name: FORGET_TIMER, subject: customer.id, dueAt: tx.now });
};

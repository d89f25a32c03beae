// The timer of emails, on the shop's clock.

import { SEND_TIMER } from "#emails/email.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { isId } from "#kernel/id.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";

import { sendEmail } from "./send-email.ts";

/** Connections to the mail server at once: the servers of small providers take few. */
const WIDTH = 3;

/** Sends emails beside the shop's other work: a mail server that does not answer delays no other timer. */
export const emailTimers: readonly TimerWorkflow<EmailsShop>[] = [
  {
    name: SEND_TIMER,
    queueOf: (_shop, subject) =>
      Promise.resolve({ name: SEND_TIMER, width: WIDTH, about: subject }),
    runWith: async (shop, subject) => {
      if (isId("email", subject)) await sendEmail(shop, subject);
    },
  },
];

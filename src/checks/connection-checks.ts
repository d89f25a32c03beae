// Checks of what the shop is connected to.

import { SECOND_MS } from "#kernel/time.ts";
import { countFailingWebhooks } from "#messaging/webhooks/endpoints/lookups.ts";
import { type MailFault, tryMailServer } from "#platform/net/smtp.ts";

import { type Check, fail, ok, type Place, type Stored, todo } from "./check.ts";

const COUNT_MAX = 100;
/** Less than a check may take, so that a silent server is told from one that refuses. */
const MAIL_MS_MAX = 4 * SECOND_MS;

const mailFaults: Partial<Record<MailFault, string>> = {
  authentication: "knows no such user and password",
  tls: "has no trusted certificate",
  timeout: "does not answer",
  connection: "cannot be reached",
};

export const mail: Check<Place> = {
  name: "mail",
  area: "connections",
  href: "/guides/emails#set-up-a-mail-server",
  look: async ({ mode, config: { mail: given } }) => {
    if (mode === "test") return ok("Emails of the test shop stay in its inbox.");
    const { server, from } = given;
    if (server === null || from === null) {
      return todo(
        "Customers get no emails about their orders.",
        "Set DUKA_SMTP_URL and DUKA_MAIL_FROM.",
      );
    }
    const fault = await tryMailServer(server, MAIL_MS_MAX);
    if (fault === null) return ok(`${server.host} takes emails from ${from.address}.`);
    const found = `The mail server ${server.host} ${mailFaults[fault] ?? "takes no emails now"}.`;
    return fail(found, "Correct DUKA_SMTP_URL, or ask the provider of the mail server.");
  },
};

export const webhooks: Check<Stored> = {
  name: "webhooks",
  area: "connections",
  href: "/webhooks",
  look: async ({ db }) => {
    const { count } = await countFailingWebhooks(db, COUNT_MAX);
    if (count === 0) return ok("No webhook is failing.");
    const found = count === 1 ? "A webhook is failing." : `${count} webhooks are failing.`;
    return todo(`${found} Its program is not told what happens here.`, "See what it answered.");
  },
};

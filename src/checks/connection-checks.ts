// Checks of what the shop is connected to.

import { DAY_MS, SECOND_MS } from "#kernel/time.ts";
import { countFailingWebhooks } from "#messaging/webhooks/endpoints/lookups.ts";
import { type MailFault, tryMailServer } from "#platform/net/smtp.ts";

import {
  type Check,
  fail,
  ok,
  type Place,
  type Served,
  type Stored,
  todo,
  unknown,
} from "./check.ts";

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

/** A gateway that sends its notices sends one for each sale. */
const NOTICE_MS_MAX = 7 * DAY_MS;

export const gateway: Check<Served> = {
  name: "gateway",
  area: "connections",
  href: "/settings/payments",
  look: async ({ mode, askGateways, shopNow }) => {
    const asked = await askGateways();
    const names = asked.map((one) => one.gateway).join(" and ");
    if (asked.length === 0) {
      return mode === "test"
        ? ok("The simulated gateway takes payments.")
        : unknown(
            "No payment provider is connected.",
            "Store the secret of one with duka gateways set.",
          );
    }
    const refused = asked.flatMap((one) => one.refused);
    const [first] = refused;
    if (first !== undefined)
      return fail(
        first,
        "Try duka gateways check; where the secret is refused, store another: duka gateways set.",
      );
    const since = shopNow() - NOTICE_MS_MAX;
    const silent = asked.filter(
      ({ paidAt, noticedAt }) => (paidAt ?? 0) > since && (noticedAt ?? 0) <= since,
    );
    // Nothing outside reaches most test shops, which find out by polls.
    if (silent.length === 0 || mode === "test") return ok(`${names} answers.`);
    return todo(
      `${silent.map((one) => one.gateway).join(" and ")} took a payment and sent no notice of it.`,
      "Have it send notices here: duka gateways connect.",
    );
  },
};

/** No operation is deprecated yet: the requests for those that are will be counted since the start. */
export const deprecated: Check<Place> = {
  name: "deprecated",
  area: "connections",
  href: "/guides/upgrading",
  look: () => ok("No operation of this version will go away."),
};

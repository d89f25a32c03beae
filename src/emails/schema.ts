// Emails to customers on the wire.

import Type, { type Static } from "typebox";

import { anyOf } from "#platform/http/contract/filters.ts";
import { states } from "#platform/http/contract/states.ts";
import { at, from, orNull, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  emailGiven,
  idOf,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";
import type { MailOutcome } from "#platform/net/smtp.ts";

import { emailLife, emailStates } from "./email-life.ts";
import { type Email, emailTemplates } from "./email.ts";
import type { EmailFilters } from "./queries.ts";

/** The status of an email, for the documentation. */
export const emailStatus = states(
  { name: "EmailStatus", about: "What became of the email.", life: emailLife },
  {
    waiting: "It waits for its next attempt.",
    sent: "The mail server took it.",
    failed: "The mail server refused it, or took it in no attempt. It can be sent again.",
    skipped: "There was no one to tell, or no news any more; `error` says why.",
  },
);

/** The response of an email. */
export const emailWire = wire<Email>()("Email", {
  id: idOf("email"),
  order_id: nullable(idOf("order")),
  cart_id: nullable(idOf("cart")),
  event_id: idOf("event"),
  template: {
    ...choice(emailTemplates),
    description: "What it is about, as in `notifications` of the store.",
  },
  status: emailStatus.schema,
  attempts: whole(0),
  error: nullable(
    Type.String({
      description:
        "Of the last attempt: `rejected`, `busy`, `authentication`, `tls`, `timeout`, `connection` or `not_configured`, with the codes of the mail server's answer. Of an email that was skipped: `no_recipient`, `too_old`, `turned_off`, `already_paid`, `shipment_cancelled`, `nothing_to_say` or `order_gone`. Of one about a cart or an order that was left also `cart_gone`, `cart_completed`, `cart_expired`, `cart_taken_up`, `no_consent` or `recently_reminded`.",
    }),
  ),
  sent_at: orNull(at),
  created_at: at,
  version: whole(1),
});

/** As many as a page of carts has. */
const CARTS_MAX = 100;

export const emailQuerySchema = object({
  order_id: optional(line(64)),
  cart_id: optional(
    Type.Array(line(64), {
      minItems: 1,
      maxItems: CARTS_MAX,
      description: "Any of these, comma-separated.",
    }),
  ),
  status: anyOf(emailStates),
  template: anyOf(emailTemplates),
});

/** Reads the filters of the list of emails. */
export function readEmailQuery(query: Static<typeof emailQuerySchema>): EmailFilters {
  return {
    orderId: query.order_id,
    cartIds: query.cart_id,
    statuses: query.status,
    templates: query.template,
  };
}

export const testEmailSchema = object({ to: emailGiven });

/** The words of the mail server. */
export const testEmailWire = wire<MailOutcome>()("TestEmail", {
  accepted: from(({ kind }: MailOutcome) => kind === "accepted", Type.Boolean()),
  error: from(
    (outcome: MailOutcome) => ("fault" in outcome ? outcome.fault : null),
    nullable(
      Type.String({ description: "Null if it was accepted; the words are those of an email." }),
    ),
  ),
  response: from(({ response }: MailOutcome) => response, Type.String()),
});

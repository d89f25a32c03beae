// The routes of emails to customers.

import { sendTestEmail } from "#emails/sending/send-email.ts";
import { pathId } from "#platform/http/contract/path.ts";
import {
  listRoute,
  readRoute,
  type Route,
  workflowRoute,
  writeRoute,
} from "#platform/http/contract/route.ts";

import { emailClosed, emailNotConfigured, emailNotFound } from "./email.ts";
import type { EmailsShop } from "./emails-shop.ts";
import { listEmails, resendEmail } from "./failed-emails.ts";
import { emailRows } from "./queries.ts";
import {
  emailQuerySchema,
  emailWire,
  readEmailQuery,
  testEmailSchema,
  testEmailWire,
} from "./schema.ts";

const tag = "Emails";
const params = { id: pathId("email", emailNotFound) };

export const emailRoutes: readonly Route<EmailsShop>[] = [
  listRoute({
    method: "GET",
    path: "/v2/emails",
    operationId: "listEmails",
    tag,
    summary: "List emails to customers, newest first",
    description:
      "To whom an email went, and what it said, is not kept: it is read from the order or the cart when the email is sent.",
    scopes: ["orders:read"],
    query: emailQuerySchema,
    response: emailWire,
    handler: (db, { query, page }) => listEmails(db, readEmailQuery(query), page),
  }),
  readRoute({
    method: "GET",
    path: "/v2/emails/{id}",
    operationId: "retrieveEmail",
    tag,
    summary: "Retrieve an email",
    scopes: ["orders:read"],
    params,
    response: emailWire,
    handler: (db, { params: { id } }) => emailRows.get(db, id),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/emails/{id}/resend",
    operationId: "resendEmail",
    tag,
    summary: "Send an email again",
    description:
      "It is sent within seconds, however old its event is, and says what the order or the cart reads now. An email that waits for its next attempt is tried at once. One about a cart is refused where its customer is not reminded any more.",
    scopes: ["orders:write"],
    params,
    response: emailWire,
    refusals: [emailClosed],
    handler: (tx, { params: { id } }) => resendEmail(tx, id),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/emails/test",
    operationId: "sendTestEmail",
    tag,
    summary: "Send a test email",
    description:
      "Sends a short email at once, and answers what the mail server said. In test mode it is in the inbox `mail`.",
    scopes: ["store:write"],
    body: testEmailSchema,
    response: testEmailWire,
    refusals: [emailNotConfigured],
    handler: (shop, { body }) => sendTestEmail(shop, body.to),
  }),
];

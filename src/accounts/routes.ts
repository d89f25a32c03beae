// The routes of customers who sign in: codes and sessions, and what is read and changed with a session.

import {
  customerErased,
  customerExists,
  customerNotFound,
  provedContact,
} from "#customers/customer.ts";
import { codeInvalid } from "#customers/sessions/code.ts";
import { endSession, endSessionsOf } from "#customers/sessions/end-sessions.ts";
import { getSignedIn } from "#customers/sessions/lookups.ts";
import { customerSessionInvalid } from "#customers/sessions/session.ts";
import { staleVersion } from "#kernel/change.ts";
import { mapPage } from "#kernel/page.ts";
import { HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import { type Budget, perAddressAndNetwork } from "#platform/http/contract/budget-terms.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { rateLimited } from "#platform/http/contract/refusals.ts";
import {
  listRoute,
  readRoute,
  type Route,
  workflowRoute,
  writeRoute,
} from "#platform/http/contract/route.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { linkExpired, linkInvalid, orderTokenRequired } from "#sales/links/link-token.ts";
import { listOrdersOfContact } from "#sales/orders/lookups.ts";
import { orderNotFound } from "#sales/rows/order.ts";

import type { AccountsShop } from "./accounts-shop.ts";
import { exportMe } from "./export-me.ts";
import { getLinkedOrder, linkedOrderWire } from "./linked-order.ts";
import { openCustomerSession } from "./open-customer-session.ts";
import { getOwnOrder, ownOrderWire, viewOwnOrder } from "./own-order.ts";
import { codesNotConfigured, requestCode } from "./request-code.ts";
import {
  codeRequestSchema,
  exportedMeWire,
  meWire,
  myChangeSchema,
  openedSessionWire,
  readCodeContact,
  readMyChange,
  readSessionRequest,
  requestedCodeWire,
  sessionRequestSchema,
} from "./schema.ts";
import { updateMe } from "./update-me.ts";

const sessionsTag = "Customer sessions";
const meTag = "Me";
const customer = { id: pathId("customer", customerNotFound) };

/** Each may cost the merchant an SMS. */
const askingBudgets = perAddressAndNetwork(
  { narrow: 60, wide: 320 },
  { name: "codes", perMs: HOUR_MS, abuse: "codes", refusal: rateLimited },
);

/** Guesses count although they are refused. */
const trying = {
  name: "tries of codes",
  perMs: 10 * MINUTE_MS,
  countsRefused: true,
  abuse: "guesses",
  refusal: rateLimited,
} as const;
const tryingLimits = { narrow: 30, wide: 480 } as const;

/** Counts the address also of one who sends `Customer-Token`: with sessions of their own, strangers would guess more. */
const signInBudgets = perAddressAndNetwork(tryingLimits, trying);

/**
 * A customer who is signed in takes nothing of neighbours behind the same address, and they nothing of the customer. A
 * change without a code is no try of one.
 */
const changeBudgets = perAddressAndNetwork(tryingLimits, {
  ...trying,
  countsCustomers: true,
  countsOnlyWith: "code",
});

/** The terms of acts as the customer of `Customer-Token`. */
const asMe = { tag: meTag, scopes: ["customers:login"], asCustomer: true } as const;

/** A page asks for its order at each visit, and while a payment is under way. */
const byLinkBudget: Budget = {
  name: "orders by link",
  unit: "narrow",
  limit: 120,
  perMs: MINUTE_MS,
  countsRefused: true,
  abuse: "requests",
  refusal: rateLimited,
};

export const accountRoutes: readonly Route<AccountsShop>[] = [
  workflowRoute({
    method: "POST",
    path: "/v2/customer-sessions/code",
    operationId: "sendCustomerSessionCode",
    tag: sessionsTag,
    summary: "Send a customer a code",
    description:
      "Sends a code to the email or the phone, valid for ten minutes and five tries. Keep the `challenge` of the answer in the browser that asked, and send it with the code: then the tries of others do not count against it, and another code does not replace it. The code has six digits; eight or twelve, as `digits` says, once many wrong ones were given for the contact. The answer is the same whether a customer has the contact or not. A contact is sent one code a minute and five an hour from one network, and twenty an hour in all; the shop sends `limits.email_codes_per_day` to emails and `limits.phone_codes_per_day` to phones; in test mode only where `enforce_limits` is set. In test mode, codes to emails are in the inbox `mail` and those to phones in the inbox `messages`; that of an email at `example.com`, and of a magic phone, is `000000`, and is not sent.",
    budgets: askingBudgets,
    audit: false,
    scopes: ["customers:login"],
    answersSecret: true,
    body: codeRequestSchema,
    response: requestedCodeWire,
    status: 202,
    refusals: [codesNotConfigured],
    handler: (shop, { body, clientNetwork }) =>
      requestCode(shop, readCodeContact(body), clientNetwork()),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/customer-sessions",
    operationId: "createCustomerSession",
    tag: sessionsTag,
    summary: "Create a session: sign a customer in",
    description:
      "With the code that was sent to an email or a phone, and its `challenge`; without one, the newest code of the contact counts, with five tries for all who name none. A contact that no customer has becomes a new customer; one that a customer only claimed, who has proved another, becomes one, too. A shop with a login of its own sends `customer_id` instead, and where its login proved a contact, that one; it needs the scope `customers:write`. The session ends after 30 days.",
    budgets: signInBudgets,
    audit: false,
    scopes: ["customers:login", "customers:write"],
    answersSecret: true,
    masked: ["code", "challenge"],
    body: sessionRequestSchema,
    response: openedSessionWire,
    status: 201,
    location: () => "/v2/customer-sessions/current",
    refusals: [codeInvalid, customerNotFound, customerErased],
    handler: (shop, { body, caller }) =>
      openCustomerSession(shop, readSessionRequest(body), caller),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/customer-sessions/current",
    operationId: "endCustomerSession",
    tag: sessionsTag,
    summary: "Delete the session: sign the customer out",
    description: "Ends the session of the token. One that has ended is no fault.",
    audit: false,
    scopes: ["customers:login"],
    asCustomer: true,
    response: null,
    status: 204,
    handler: (tx, { customerToken }) => endSession(tx, customerToken ?? ""),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/customers/{id}/sessions",
    operationId: "endCustomerSessions",
    tag: "Customers",
    summary: "Delete all sessions of a customer",
    scopes: ["customers:write"],
    params: customer,
    response: null,
    status: 204,
    handler: (tx, { params: { id } }) => endSessionsOf(tx, id),
  }),
  readRoute({
    method: "GET",
    path: "/v2/orders/by-link",
    operationId: "retrieveOrderByLink",
    tag: "Orders",
    summary: "Retrieve the order of a link",
    description:
      "For the page of an order in your own storefront: the header `Order-Token` has the `order_token` of the order, or the token that your page at `order_url_template` was opened with. The contact is told by the token of a link that shows it; contact, addresses, notes and tracking are null once the order has not changed for 30 days, or its customer was erased.",
    scopes: ["orders:create", "orders:read"],
    asBearer: true,
    budgets: [byLinkBudget],
    response: linkedOrderWire,
    refusals: [orderTokenRequired, linkInvalid, linkExpired],
    handler: (db, { orderToken: token, now }) => getLinkedOrder(db, { token, now }),
  }),
  readRoute({
    ...asMe,
    method: "GET",
    path: "/v2/me",
    operationId: "retrieveMe",
    summary: "Retrieve the customer who is signed in",
    response: meWire,
    refusals: [customerSessionInvalid],
    handler: (db, { customerToken, now }) => getSignedIn(db, customerToken, now),
  }),
  workflowRoute({
    ...asMe,
    method: "PUT",
    path: "/v2/me",
    operationId: "updateMe",
    budgets: changeBudgets,
    summary: "Update the customer who is signed in",
    description:
      "Only the fields in the request change; `addresses` replaces the whole list, whose first one is the default, and needs a verified contact. Another email or phone needs the `code` that was sent to it, with its `challenge`, and is verified then; the customer has the former one no more.",
    audit: false,
    masked: ["code", "challenge"],
    body: myChangeSchema,
    response: meWire,
    refusals: [customerSessionInvalid, codeInvalid, customerExists, staleVersion],
    handler: (shop, { body, customerToken, ifMatch }) =>
      updateMe(shop, customerToken, readMyChange(body, ifMatch)),
  }),
  listRoute({
    ...asMe,
    method: "GET",
    path: "/v2/me/orders",
    operationId: "listMeOrders",
    summary: "List the customer's orders, newest first",
    description:
      "Those that were placed with an email or a phone that the customer has verified, whatever customer they belong to.",
    response: ownOrderWire,
    refusals: [customerSessionInvalid],
    handler: async (db, { customerToken, now, page }) => {
      const contact = provedContact(await getSignedIn(db, customerToken, now));
      const terms = await getLinkTerms(db);
      const found = await listOrdersOfContact(db, contact, page);
      return mapPage(found, (one) => viewOwnOrder(one, terms));
    },
  }),
  readRoute({
    ...asMe,
    method: "GET",
    path: "/v2/me/orders/{id}",
    operationId: "retrieveMeOrder",
    summary: "Retrieve an order of the customer",
    params: { id: pathId("order", orderNotFound) },
    response: ownOrderWire,
    refusals: [customerSessionInvalid, orderNotFound],
    handler: async (db, { params: { id }, customerToken, now }) =>
      getOwnOrder(db, id, await getSignedIn(db, customerToken, now)),
  }),
  workflowRoute({
    ...asMe,
    method: "GET",
    path: "/v2/me/export",
    operationId: "exportMe",
    summary: "Export what the shop has of the customer who is signed in",
    response: exportedMeWire,
    refusals: [customerSessionInvalid],
    handler: (shop, { customerToken }) => exportMe(shop, customerToken),
  }),
];

// The routes of the sandbox. With a live key there is nothing here.

import { mapPage } from "#kernel/page.ts";
import { toIso } from "#kernel/time.ts";
import { getOrigin } from "#messaging/events/get-origin.ts";
import { eventSchema, presentEvent } from "#messaging/events/schema.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { listRoute, type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";
import { clockBackwards } from "#sandbox/clock/clock.ts";
import { listTimers, placeOf } from "#sandbox/clock/list-timers.ts";
import { emptyInbox } from "#sandbox/inbox/empty-inbox.ts";
import { listInbox } from "#sandbox/inbox/list-inbox.ts";
import {
  emptyInboxQuerySchema,
  inboxMessageSchema,
  inboxQuerySchema,
  presentMessage,
  readInboxQuery,
} from "#sandbox/inbox/schema.ts";
import { alreadySeeded, seedShop } from "#sandbox/seed/seed-shop.ts";
import { triggerEvent } from "#sandbox/seed/trigger-event.ts";

import { requireSandbox } from "./require-sandbox.ts";
import { resetShop } from "./reset-shop.ts";
import {
  advanceRequestSchema,
  advanceSchema,
  clockMoveSchema,
  clockSchema,
  presentAdvance,
  presentClock,
  presentSeeded,
  presentTimer,
  resetSchema,
  seededSchema,
  seedRequestSchema,
  timerSchema,
  triggerRequestSchema,
} from "./schema.ts";

/** What all of them have in common. */
const terms = { tag: "Sandbox", scopes: ["sandbox:use"], isTestOnly: true } as const;

export const sandboxRoutes: readonly Route<PaymentsShop>[] = [
  workflowRoute({
    ...terms,
    method: "GET",
    path: "/v2/test/clock",
    summary: "Read the shop's clock",
    response: clockSchema,
    handler: async (shop) => presentClock(shop),
  }),
  workflowRoute({
    ...terms,
    method: "PUT",
    path: "/v2/test/clock",
    summary: "Move the shop's clock to a later instant",
    description: "The clock runs on from there. What is due by then happens at once.",
    body: clockMoveSchema,
    response: clockSchema,
    refusals: [clockBackwards],
    handler: async (shop, { body }) => {
      await requireSandbox(shop).moveTo(Date.parse(body.now));
      return presentClock(shop);
    },
  }),
  workflowRoute({
    ...terms,
    method: "DELETE",
    path: "/v2/test/clock",
    summary: "Return the shop's clock to real time",
    response: clockSchema,
    handler: async (shop) => {
      await requireSandbox(shop).returnToMachineTime();
      return presentClock(shop);
    },
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/clock/advance",
    summary: "Advance the shop's clock and let happen what is due on the way",
    description:
      "Goes to each due time in turn and waits for what happens there, 10 seconds of real time in all.",
    body: advanceRequestSchema,
    response: advanceSchema,
    handler: async (shop, { body }) =>
      presentAdvance(await requireSandbox(shop).advance(body.seconds * 1000)),
  }),
  listRoute({
    ...terms,
    method: "GET",
    path: "/v2/test/timers",
    summary: "List what is to happen, soonest first",
    response: timerSchema,
    cursorOf: placeOf,
    handler: async (db, { page }) => mapPage(await listTimers(db, page), presentTimer),
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/reset",
    summary: "Empty the test shop",
    description:
      "Settings and API keys stay, the clock returns to real time, and `sequence` goes on rising.",
    response: resetSchema,
    handler: async (shop) => ({ reset_at: toIso(await resetShop(shop)) }),
  }),
  writeRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/seed",
    summary: "Fill the test shop with products and customers",
    description: "Prices are in the given currency, or else in the shop's own.",
    body: seedRequestSchema,
    response: seededSchema,
    refusals: [alreadySeeded],
    handler: async (tx, { body }) => presentSeeded(await seedShop(tx, body.currency)),
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/trigger",
    summary: "Announce an event of things that are not there",
    description:
      "It is in the feed and goes to webhooks like any other, and `data.triggered` is true. Nothing else happens in the shop: the ids in it are of nothing.",
    body: triggerRequestSchema,
    response: eventSchema,
    handler: async (shop, { body: { event, data = {} } }) =>
      presentEvent(
        await triggerEvent(shop, event, data),
        await getOrigin(shop.database.read, shop.mode),
      ),
  }),
  listRoute({
    ...terms,
    method: "GET",
    path: "/v2/test/inbox",
    summary: "List what arrived at the test shop's own receiver, newest first",
    description:
      "It takes whatever is posted to `/hooks/test/inbox/{name}`, each shop's newest 1,000 messages of up to 256 KiB, and says whether a webhook of the shop signed them. A webhook may lead there. With `?status=503` it answers that instead of 200.",
    query: inboxQuerySchema,
    response: inboxMessageSchema,
    handler: async (db, { query, page }) =>
      mapPage(await listInbox(db, readInboxQuery(query), page), presentMessage),
  }),
  writeRoute({
    ...terms,
    method: "DELETE",
    path: "/v2/test/inbox",
    summary: "Throw away what arrived at the test shop's own receiver",
    query: emptyInboxQuerySchema,
    response: null,
    status: 204,
    handler: (tx, { query }) => emptyInbox(tx, query.name),
  }),
];

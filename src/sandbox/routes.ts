// The routes of the sandbox; with a live key they do not exist.

import type { MediaShop } from "#catalog/media/media-shop.ts";
import { mapPage } from "#kernel/page.ts";
import { toIso } from "#kernel/time.ts";
import { getOrigin } from "#messaging/events/get-origin.ts";
import { eventWire } from "#messaging/events/schema.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { newerSchema } from "#platform/database/errors.ts";
import { listRoute, type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";
import { clockBackwards, clockMoving, listTimers, positionOf } from "#sandbox/clock/clock.ts";
import { MESSAGE_BYTES_MAX } from "#sandbox/inbox/inbox.ts";
import { emptyInbox, listInbox } from "#sandbox/inbox/list-inbox.ts";
import {
  emptyInboxQuerySchema,
  inboxMessageWire,
  inboxQuerySchema,
  readInboxQuery,
} from "#sandbox/inbox/schema.ts";
import { alreadySeeded, seedShop } from "#sandbox/seed/seed-shop.ts";
import { triggerEvent } from "#sandbox/trigger/trigger-event.ts";

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

const terms = { tag: "Sandbox", scopes: ["sandbox:use"], isTestOnly: true } as const;

export const sandboxRoutes: readonly Route<PaymentsShop & MediaShop>[] = [
  workflowRoute({
    ...terms,
    method: "GET",
    path: "/v2/test/clock",
    operationId: "retrieveClock",
    summary: "Retrieve the shop's clock",
    response: clockSchema,
    handler: async (shop) => presentClock(shop),
  }),
  workflowRoute({
    ...terms,
    method: "PUT",
    path: "/v2/test/clock",
    operationId: "updateClock",
    summary: "Update the shop's clock to a later instant",
    description:
      "The clock continues from there. What is due now is done first, for at most 10 seconds of real time; timers that are due by then fire at once afterwards.",
    body: clockMoveSchema,
    response: clockSchema,
    refusals: [clockBackwards, clockMoving],
    handler: async (shop, { body }) => {
      await requireSandbox(shop).moveTo(Date.parse(body.now));
      return presentClock(shop);
    },
  }),
  workflowRoute({
    ...terms,
    method: "DELETE",
    path: "/v2/test/clock",
    operationId: "resetClock",
    summary: "Reset the shop's clock to real time",
    response: clockSchema,
    refusals: [clockMoving],
    handler: async (shop) => {
      await requireSandbox(shop).returnToMachineTime();
      return presentClock(shop);
    },
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/clock/advance",
    operationId: "advanceClock",
    summary: "Advance the shop's clock and fire the timers due on the way",
    description:
      "Stops at each due time in turn and waits for the work that is due there, for at most 10 seconds of real time in all.",
    body: advanceRequestSchema,
    response: advanceSchema,
    handler: async (shop, { body }) =>
      presentAdvance(await requireSandbox(shop).advance(body.seconds * 1000)),
  }),
  listRoute({
    ...terms,
    method: "GET",
    path: "/v2/test/timers",
    operationId: "listTimers",
    summary: "List pending timers, soonest first",
    response: timerSchema,
    cursorOf: positionOf,
    handler: async (db, { page }) => mapPage(await listTimers(db, page), presentTimer),
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/reset",
    operationId: "resetTestShop",
    summary: "Empty the test shop",
    description:
      "Settings, API keys and webhook endpoints stay, the clock returns to real time, and `sequence` continues.",
    response: resetSchema,
    refusals: [clockMoving, newerSchema],
    handler: async (shop) => ({ reset_at: toIso(await resetShop(shop)) }),
  }),
  writeRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/seed",
    operationId: "seedTestShop",
    summary: "Seed the test shop with products, customers and three weeks of sales",
    description:
      "Orders, carts, payments and refunds of the three weeks that end now are in every state that they can reach. Prices are in the given currency, by default the shop's own. The same shop is seeded every time, apart from ids and times.",
    body: seedRequestSchema,
    response: seededSchema,
    refusals: [alreadySeeded],
    handler: async (tx, { body: { currency }, publicUrl }) =>
      presentSeeded(await seedShop(tx, { currency, publicUrl })),
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/test/trigger",
    operationId: "triggerEvent",
    summary: "Trigger a sample event",
    description:
      "The event appears in the feed and is delivered to webhooks like any other, with `data.triggered` set to true. Nothing else changes in the shop: the ids in the event refer to no object.",
    body: triggerRequestSchema,
    response: eventWire,
    handler: async (shop, { body: { event, data = {} } }) => ({
      ...(await triggerEvent(shop, event, data)),
      ...(await getOrigin(shop.database.read, shop.mode)),
    }),
  }),
  listRoute({
    ...terms,
    method: "GET",
    path: "/v2/test/inbox",
    operationId: "listInbox",
    summary: "List messages in the test shop's inbox, newest first",
    description: `The inbox receives every POST to \`/hooks/test/inbox/{name}\` of up to ${MESSAGE_BYTES_MAX / 1024} KiB, keeps the newest 1,000 messages, and reports whether a webhook of the shop signed them. A webhook's URL may point there. With \`?status=503\` it responds with that status instead of 200.`,
    query: inboxQuerySchema,
    response: inboxMessageWire,
    handler: (db, { query, page }) => listInbox(db, readInboxQuery(query), page),
  }),
  writeRoute({
    ...terms,
    method: "DELETE",
    path: "/v2/test/inbox",
    operationId: "emptyInbox",
    summary: "Empty the test shop's inbox",
    query: emptyInboxQuerySchema,
    response: null,
    status: 204,
    handler: (tx, { query }) => emptyInbox(tx, query.name),
  }),
];

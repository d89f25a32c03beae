// The routes of deliveries: ping, replay, list, retrieve, resend.

import { mapPage } from "#kernel/page.ts";
import { getWebhook } from "#messaging/webhooks/endpoints/lookups.ts";
import { webhookWire } from "#messaging/webhooks/endpoints/schema.ts";
import {
  replayRunning,
  webhookDisabled,
  webhookNotFound,
} from "#messaging/webhooks/endpoints/webhook.ts";
import type { MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";
import { pathId } from "#platform/http/contract/path.ts";
import {
  listRoute,
  readRoute,
  type Route,
  workflowRoute,
  writeRoute,
} from "#platform/http/contract/route.ts";
import { formerly } from "#platform/http/contract/ways.ts";

import { deliveryNotFound, eventGone } from "./delivery.ts";
import { getDelivery, listDeliveries } from "./lookups.ts";
import { pingWebhook, resendDelivery } from "./manual-deliveries.ts";
import { startReplay } from "./replays.ts";
import {
  deliveryQuerySchema,
  deliveryWire,
  readDeliveryQuery,
  readReplayRequest,
  replayRequestSchema,
  viewDelivery,
  wholeDeliveryWire,
} from "./schema.ts";

const tag = "Webhooks";
const params = { id: pathId("webhook", webhookNotFound) };

export const deliveryRoutes: readonly Route<MessagingShop>[] = [
  workflowRoute({
    method: "POST",
    path: "/v2/webhooks/{id}/ping",
    operationId: "pingWebhook",
    tag,
    summary: "Send a signed test message to a webhook",
    description:
      "Sends a `webhook.ping` to this webhook at once and returns the delivery with the result. The ping is not an event: it does not appear in the feed.",
    scopes: ["webhooks:write"],
    params,
    response: wholeDeliveryWire,
    refusals: [webhookNotFound],
    handler: async (shop, { params: { id }, caller }) =>
      viewDelivery(await pingWebhook(shop, id), caller),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/webhooks/{id}/replay",
    operationId: "replayEvents",
    tag,
    summary: "Replay past events to a webhook",
    description:
      "Sends the events of a span of the log again, given by time or by sequence. New events are sent first. `replay` of the webhook shows the progress.",
    scopes: ["webhooks:write"],
    alsoScopes: ["events:read"],
    params,
    body: replayRequestSchema,
    response: webhookWire,
    refusals: [webhookNotFound, webhookDisabled, replayRunning],
    handler: async (tx, { params: { id }, body }) => {
      await startReplay(tx, id, readReplayRequest(body));
      return getWebhook(tx, id);
    },
  }),
  listRoute({
    method: "GET",
    path: "/v2/webhooks/{id}/deliveries",
    operationId: "listDeliveries",
    tag,
    summary: "List the deliveries to a webhook, with every attempt",
    description:
      "Deliveries are kept for 30 days. The responses of the receiver are included when a single delivery is retrieved.",
    scopes: ["webhooks:read"],
    params,
    query: deliveryQuerySchema,
    response: deliveryWire,
    refusals: [webhookNotFound],
    handler: async (db, { params: { id }, query, page, caller }) =>
      mapPage(await listDeliveries(db, readDeliveryQuery(id, query), page), (traced) =>
        viewDelivery(traced, caller),
      ),
  }),
  readRoute({
    method: "GET",
    path: "/v2/webhook-deliveries/{id}",
    // Undocumented: by its words alone it could be the way to a webhook.
    also: [
      formerly("GET", "/v2/webhooks/deliveries/{id}", {
        instead: "Use `/v2/webhook-deliveries/{id}`.",
        isDocumented: false,
      }),
    ],
    operationId: "retrieveDelivery",
    tag,
    summary: "Retrieve a delivery with every attempt and response",
    scopes: ["webhooks:read"],
    params: { id: pathId("delivery", deliveryNotFound) },
    response: wholeDeliveryWire,
    refusals: [deliveryNotFound],
    handler: async (db, { params: { id }, caller }) =>
      viewDelivery(await getDelivery(db, id), caller),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/webhook-deliveries/{id}/retry",
    also: [
      formerly("POST", "/v2/webhooks/deliveries/{id}/resend", {
        instead: "Use `/v2/webhook-deliveries/{id}/retry`.",
        isDocumented: false,
      }),
    ],
    operationId: "resendDelivery",
    tag,
    summary: "Resend a delivery",
    description:
      "Sends the delivery at once. If the attempt fails, the schedule of the delivery does not change.",
    scopes: ["webhooks:write"],
    alsoScopes: ["events:read"],
    params: { id: pathId("delivery", deliveryNotFound) },
    response: wholeDeliveryWire,
    refusals: [deliveryNotFound, webhookNotFound, webhookDisabled, eventGone],
    handler: async (shop, { params: { id }, caller }) =>
      viewDelivery(await resendDelivery(shop, id), caller),
  }),
];

// The routes of what is delivered: to see it, to try it, to have it again.

import { mapPage } from "#kernel/page.ts";
import { getWebhook } from "#messaging/webhooks/endpoints/lookups.ts";
import { presentWebhook, webhookSchema } from "#messaging/webhooks/endpoints/schema.ts";
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

import { deliveryNotFound, eventGone } from "./delivery.ts";
import { getDelivery, listDeliveries } from "./lookups.ts";
import { pingWebhook } from "./ping-webhook.ts";
import { startReplay } from "./replays.ts";
import { resendDelivery } from "./resend-delivery.ts";
import {
  deliveryQuerySchema,
  deliverySchema,
  presentDelivery,
  presentWholeDelivery,
  readDeliveryQuery,
  readReplayRequest,
  replayRequestSchema,
  wholeDeliverySchema,
} from "./schema.ts";

const tag = "Webhooks";
const params = { id: pathId("webhook", webhookNotFound) };

export const deliveryRoutes: readonly Route<MessagingShop>[] = [
  workflowRoute({
    method: "POST",
    path: "/v2/webhooks/{id}/ping",
    tag,
    summary: "Send a signed test message to a webhook",
    description:
      "Sent at once, to this webhook alone, as `webhook.ping`, which is no event of the shop. The answer tells what came of it.",
    scopes: ["webhooks:write"],
    params,
    response: wholeDeliverySchema,
    refusals: [webhookNotFound],
    handler: async (shop, { params: { id } }) => presentWholeDelivery(await pingWebhook(shop, id)),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/webhooks/{id}/replay",
    tag,
    summary: "Send what happened before once more",
    description:
      "Everything of a span of the log, by time or by sequence, behind what is fresh. `replay` of the webhook tells how far it is.",
    scopes: ["webhooks:write"],
    params,
    body: replayRequestSchema,
    response: webhookSchema,
    refusals: [webhookNotFound, webhookDisabled, replayRunning],
    handler: async (tx, { params: { id }, body }) => {
      await startReplay(tx, id, readReplayRequest(body));
      return presentWebhook(await getWebhook(tx, id));
    },
  }),
  listRoute({
    method: "GET",
    path: "/v2/webhooks/{id}/deliveries",
    tag,
    summary: "List what was or is to be delivered to a webhook, with every attempt",
    description: "Kept for 30 days. What receivers answered is shown with a single delivery.",
    scopes: ["webhooks:read"],
    params,
    query: deliveryQuerySchema,
    response: deliverySchema,
    refusals: [webhookNotFound],
    handler: async (db, { params: { id }, query, page }) =>
      mapPage(await listDeliveries(db, readDeliveryQuery(id, query), page), presentDelivery),
  }),
  readRoute({
    method: "GET",
    path: "/v2/webhooks/deliveries/{id}",
    tag,
    summary: "Read a delivery with every attempt and what was answered",
    scopes: ["webhooks:read"],
    params: { id: pathId("delivery", deliveryNotFound) },
    response: wholeDeliverySchema,
    refusals: [deliveryNotFound],
    handler: async (db, { params: { id } }) => presentWholeDelivery(await getDelivery(db, id)),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/webhooks/deliveries/{id}/resend",
    tag,
    summary: "Send a delivery once more, now",
    description: "The schedule stays as it is, unless the receiver takes it.",
    scopes: ["webhooks:write"],
    params: { id: pathId("delivery", deliveryNotFound) },
    response: wholeDeliverySchema,
    refusals: [deliveryNotFound, webhookNotFound, webhookDisabled, eventGone],
    handler: async (shop, { params: { id } }) =>
      presentWholeDelivery(await resendDelivery(shop, id)),
  }),
];

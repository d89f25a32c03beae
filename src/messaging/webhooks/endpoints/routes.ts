// The routes of endpoints; those of what is delivered to them stand beside the deliveries.

import { mapPage } from "#kernel/page.ts";
import { staleVersion } from "#kernel/version.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getWebhook, listWebhooks } from "./lookups.ts";
import {
  newWebhookSchema,
  presentWebhook,
  presentWithSecret,
  readNewWebhook,
  readOverlap,
  readWebhookChange,
  readWebhookQuery,
  rotationSchema,
  webhookChangeSchema,
  webhookQuerySchema,
  webhookSchema,
  webhookWithSecretSchema,
} from "./schema.ts";
import { rotateSecret } from "./secrets.ts";
import { updateWebhook } from "./update-webhook.ts";
import { webhookLimit, webhookNotFound } from "./webhook.ts";

const tag = "Webhooks";
const params = { id: pathId("webhook", webhookNotFound) };

export const webhookRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/webhooks",
    tag,
    summary: "List webhooks, newest first",
    scopes: ["webhooks:read"],
    query: webhookQuerySchema,
    response: webhookSchema,
    handler: async (db, { query, page }) =>
      mapPage(await listWebhooks(db, readWebhookQuery(query), page), presentWebhook),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/webhooks",
    tag,
    summary: "Have events sent to a URL",
    description:
      "It gets what happens from now on, every event where none is named. Requests are signed as Standard Webhooks has it, with the `secret` that is answered only here.",
    scopes: ["webhooks:write"],
    answersSecret: true,
    body: newWebhookSchema,
    response: webhookWithSecretSchema,
    status: 201,
    location: (webhook) => `/v2/webhooks/${webhook.id}`,
    refusals: [webhookLimit],
    handler: async (tx, { body, caller: { mode }, publicUrl }) =>
      presentWithSecret(await createWebhook(tx, readNewWebhook(body), { mode, publicUrl })),
  }),
  readRoute({
    method: "GET",
    path: "/v2/webhooks/{id}",
    tag,
    summary: "Read a webhook and how it stands with it",
    scopes: ["webhooks:read"],
    params,
    response: webhookSchema,
    handler: async (db, { params: { id } }) => presentWebhook(await getWebhook(db, id)),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/webhooks/{id}",
    tag,
    summary: "Change, disable or enable a webhook",
    description:
      "Fields that are given replace; the rest stays, the secret too. Disabling cancels what still waits; one that is enabled again gets what happens from then on.",
    scopes: ["webhooks:write"],
    params,
    body: webhookChangeSchema,
    response: webhookSchema,
    refusals: [staleVersion],
    handler: async (
      tx,
      { params: { id }, body, caller: { mode }, publicUrl, ifMatch: expected },
    ) => {
      const update = { change: readWebhookChange(body), expected, terms: { mode, publicUrl } };
      return presentWebhook(await updateWebhook(tx, id, update));
    },
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/webhooks/{id}",
    tag,
    summary: "Delete a webhook",
    scopes: ["webhooks:write"],
    params,
    response: null,
    status: 204,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, ifMatch }) => deleteWebhook(tx, id, ifMatch),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/webhooks/{id}/rotate-secret",
    tag,
    summary: "Give a webhook a new secret",
    description:
      "The new secret signs at once, the old one too until the overlap is over; of an earlier rotation nothing is left. The `secret` is answered only here.",
    scopes: ["webhooks:write"],
    answersSecret: true,
    params,
    body: rotationSchema,
    response: webhookWithSecretSchema,
    refusals: [staleVersion],
    handler: async (tx, { params: { id }, body, ifMatch: expected }) =>
      presentWithSecret(await rotateSecret(tx, id, { overlapHours: readOverlap(body), expected })),
  }),
];

// The routes of endpoints. The routes of deliveries are in `deliveries/routes.ts`.

import { staleVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { AuditTerms } from "#platform/http/contract/audit-terms.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { getWebhook, listWebhooks, lockWebhook } from "./lookups.ts";
import {
  newWebhookSchema,
  readNewWebhook,
  readOverlap,
  readWebhookChange,
  readWebhookQuery,
  rotationSchema,
  webhookChangeSchema,
  webhookQuerySchema,
  webhookWire,
  webhookWithSecretWire,
} from "./schema.ts";
import { rotateSecret } from "./secrets.ts";
import { createWebhook, deleteWebhook, updateWebhook } from "./update-webhook.ts";
import { webhookLimit, webhookNotFound } from "./webhook.ts";

const tag = "Webhooks";
const params = { id: pathId("webhook", webhookNotFound) };

/** Path and query of a URL may be the receiver's secret, so the audit log keeps its origin. */
const auditedWebhook: AuditTerms<{ readonly id: Id<"webhook"> }> = {
  before: async (tx, { id }) => webhookWire.present(await lockWebhook(tx, id)),
  keeps: (shown) =>
    typeof shown["url"] === "string" ? { ...shown, url: new URL(shown["url"]).origin } : shown,
};

/** The origin of a new one: an alert names the host to which events go. */
const notesOrigin: Pick<AuditTerms<unknown>, "notes"> = {
  notes: ({ url }) => (typeof url === "string" ? { url: new URL(url).origin } : {}),
};

export const webhookRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/webhooks",
    operationId: "listWebhooks",
    tag,
    summary: "List webhooks, newest first",
    scopes: ["webhooks:read"],
    query: webhookQuerySchema,
    response: webhookWire,
    handler: (db, { query, page }) => listWebhooks(db, readWebhookQuery(query), page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/webhooks",
    operationId: "createWebhook",
    tag,
    summary: "Create a webhook",
    description:
      "The webhook receives events that occur after its creation: all events unless `events` names some. Requests are signed according to Standard Webhooks with `secret`, which only this response contains.",
    audit: notesOrigin,
    scopes: ["webhooks:write"],
    alsoScopes: ["events:read"],
    answersSecret: true,
    body: newWebhookSchema,
    response: webhookWithSecretWire,
    status: 201,
    location: (webhook) => `/v2/webhooks/${webhook.id}`,
    refusals: [webhookLimit],
    handler: (tx, { body, caller: { mode }, publicUrl, testReach }) =>
      createWebhook(tx, readNewWebhook(body), { mode, publicUrl, testReach }),
  }),
  readRoute({
    method: "GET",
    path: "/v2/webhooks/{id}",
    operationId: "retrieveWebhook",
    tag,
    summary: "Retrieve a webhook and its health",
    scopes: ["webhooks:read"],
    params,
    response: webhookWire,
    handler: (db, { params: { id } }) => getWebhook(db, id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/webhooks/{id}",
    operationId: "updateWebhook",
    tag,
    summary: "Update a webhook, disable or enable it",
    description:
      "Only the fields in the request change; the secret stays. Disabling cancels pending deliveries. A webhook that is enabled again receives events that occur from then on.",
    audit: auditedWebhook,
    scopes: ["webhooks:write"],
    alsoScopes: ["events:read"],
    params,
    body: webhookChangeSchema,
    response: webhookWire,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, body, caller: { mode }, ifMatch: expected, ...input }) => {
      const { publicUrl, testReach } = input;
      const terms = { mode, publicUrl, testReach };
      return updateWebhook(tx, id, { change: readWebhookChange(body), expected, terms });
    },
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/webhooks/{id}",
    operationId: "deleteWebhook",
    tag,
    summary: "Delete a webhook",
    audit: auditedWebhook,
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
    operationId: "rotateWebhookSecret",
    tag,
    summary: "Rotate the secret of a webhook",
    description:
      "Requests are signed with the new secret at once, and with the previous secret as well until the overlap ends. A secret from an earlier rotation stops signing. Only this response contains `secret`.",
    scopes: ["webhooks:write"],
    answersSecret: true,
    params,
    body: rotationSchema,
    response: webhookWithSecretWire,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      rotateSecret(tx, id, { overlapHours: readOverlap(body), expected }),
  }),
];

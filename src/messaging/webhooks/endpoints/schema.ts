// Endpoints on the wire. Only the responses that create a secret contain it.

import Type, { type Static } from "typebox";

import { toIso, toIsoOrNull } from "#kernel/time.ts";
import { eventPatterns } from "#messaging/events/event.ts";
import type { Replay } from "#messaging/webhooks/deliveries/replay-queries.ts";
import {
  choice,
  component,
  idOf,
  instant,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import type { NewWebhook, SecretWebhook } from "./create-webhook.ts";
import type { WholeWebhook } from "./lookups.ts";
import type { EndpointFilters } from "./queries.ts";
import type { WebhookUpdate } from "./update-webhook.ts";
import {
  disabledReasons,
  type EndpointStatus,
  everything,
  OVERLAP_HOURS_DEFAULT,
  OVERLAP_HOURS_MAX,
} from "./webhook.ts";

const URL_LENGTH_MAX = 2_048;
const EVENTS_MAX = 50;
const DESCRIPTION_LENGTH_MAX = 500;
const statuses = ["enabled", "disabled"] as const satisfies readonly EndpointStatus[];

const fields = {
  id: idOf("webhook"),
  url: Type.String(),
  events: Type.Array(Type.String(), { description: "Event names or patterns: `order.*`, `*`." }),
  description: nullable(Type.String()),
  status: choice(statuses),
  disabled_reason: nullable(choice(disabledReasons)),
  disabled_at: nullable(instant),
  failing_since: nullable(instant),
  last_success_at: nullable(instant),
  failures_in_row: whole(0, undefined, { description: "Failed attempts since the last success." }),
  old_secret_expires_at: nullable(instant),
  replay: nullable(
    object(
      {
        after: whole(0),
        until: whole(0),
        events: nullable(Type.Array(Type.String())),
        failed_only: Type.Boolean(),
        created_at: instant,
      },
      { description: "The running replay. It continues with the event after `after`." },
    ),
  ),
  version: whole(1),
  created_at: instant,
  updated_at: instant,
};

export const webhookSchema = component("Webhook", fields);

export const webhookWithSecretSchema = component("WebhookWithSecret", {
  ...fields,
  secret: Type.String({ description: "Signs requests. It cannot be retrieved later." }),
});

const url = line(URL_LENGTH_MAX, {
  description:
    "An https URL on port 443 or 8443 of a public host. In test mode also an http URL, and any port of the machine that runs Duka.",
});
const events = Type.Array(choice(eventPatterns), { minItems: 1, maxItems: EVENTS_MAX });
const description = nullable(line(DESCRIPTION_LENGTH_MAX));

export const newWebhookSchema = object({
  url,
  events: optional({ ...events, default: everything }),
  description: optional(description),
});

export const webhookChangeSchema = object({
  url: optional(url),
  events: optional(events),
  description: optional(description),
  status: optional(choice(statuses)),
});

export const rotationSchema = object({
  overlap_hours: optional(
    whole(0, OVERLAP_HOURS_MAX, {
      default: OVERLAP_HOURS_DEFAULT,
      description: "The previous secret keeps signing for this many hours.",
    }),
  ),
});

export const webhookQuerySchema = object({
  status: optional(
    Type.Array(choice(statuses), {
      minItems: 1,
      maxItems: statuses.length,
      description: "One or more statuses, comma-separated.",
    }),
  ),
});

/** The endpoint on the wire, without its secret. */
export function presentWebhook(found: WholeWebhook): Static<typeof webhookSchema> {
  const { endpoint, health, replay } = found;
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events],
    description: endpoint.description,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    disabled_at: toIsoOrNull(endpoint.disabledAt),
    failing_since: toIsoOrNull(health.failingSince),
    last_success_at: toIsoOrNull(health.lastSuccessAt),
    failures_in_row: health.failuresInRow,
    old_secret_expires_at: toIsoOrNull(endpoint.oldSecretExpiresAt),
    replay: replay === null ? null : presentReplay(replay),
    version: endpoint.version,
    created_at: toIso(endpoint.createdAt),
    updated_at: toIso(endpoint.updatedAt),
  };
}

function presentReplay(replay: Replay) {
  return {
    after: replay.after,
    until: replay.until,
    events: replay.names === null ? null : [...replay.names],
    failed_only: replay.failedOnly,
    created_at: toIso(replay.createdAt),
  };
}

/** The endpoint on the wire with its new secret. */
export function presentWithSecret(found: SecretWebhook): Static<typeof webhookWithSecretSchema> {
  return { ...presentWebhook(found), secret: found.secret };
}

/** The request to create an endpoint. */
export function readNewWebhook(body: Static<typeof newWebhookSchema>): NewWebhook {
  return { url: body.url, events: body.events, description: body.description };
}

/** The request to change an endpoint. */
export function readWebhookChange(
  body: Static<typeof webhookChangeSchema>,
): WebhookUpdate["change"] {
  return {
    url: body.url,
    events: body.events,
    description: body.description,
    status: body.status,
  };
}

/** How many hours the previous secret keeps signing. */
export function readOverlap(body: Static<typeof rotationSchema>): number {
  return body.overlap_hours ?? OVERLAP_HOURS_DEFAULT;
}

/** The filters of a list. */
export function readWebhookQuery(query: Static<typeof webhookQuerySchema>): EndpointFilters {
  return { status: query.status };
}

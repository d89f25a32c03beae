// Endpoints on the wire. Only the responses that create a secret contain it.

import Type, { type Static } from "typebox";

import { eventPatterns } from "#messaging/events/event.ts";
import type { Replay } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { at, from, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  idOf,
  line,
  nullable,
  object,
  optional,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";
import { URL_LENGTH_MAX } from "#platform/net/target-url.ts";

import type { WholeWebhook } from "./lookups.ts";
import type { EndpointFilters } from "./queries.ts";
import type { NewWebhook, SecretWebhook, WebhookUpdate } from "./update-webhook.ts";
import { disabledReasons, type EndpointStatus } from "./webhook-life.ts";
import { everything, OVERLAP_HOURS_DEFAULT, OVERLAP_HOURS_MAX } from "./webhook.ts";

const EVENTS_MAX = 50;
const DESCRIPTION_LENGTH_MAX = 500;
const statuses = ["enabled", "disabled"] as const satisfies readonly EndpointStatus[];

const replayShape = shape<Replay>()(
  {
    after: whole(0),
    until: whole(0),
    events: from(({ names }: Replay) => names, nullable(Type.Array(Type.String()))),
    failed_only: Type.Boolean(),
    created_at: at,
  },
  {
    name: "WebhookReplay",
    description: "The running replay. It continues with the event after `after`.",
  },
);

const fields = {
  id: idOf("webhook"),
  url: Type.String(),
  events: Type.Array(Type.String(), { description: "Event names or patterns: `order.*`, `*`." }),
  description: nullable(Type.String()),
  status: choice(statuses),
  disabled_reason: nullable(choice(disabledReasons)),
  disabled_at: orNull(at),
  failing_since: orNull(at),
  last_success_at: orNull(at),
  failures_in_row: whole(0, undefined, { description: "Failed attempts since the last success." }),
  old_secret_expires_at: orNull(at),
  replay: orNull(replayShape),
  version: whole(1),
  created_at: at,
  updated_at: at,
};

export const webhookWire = wire<WholeWebhook>()("Webhook", fields);

export const webhookWithSecretWire = wire<SecretWebhook>()("WebhookWithSecret", {
  ...fields,
  secret: Type.String({ description: "Signs requests. It cannot be retrieved later." }),
});

const url = line(URL_LENGTH_MAX, {
  ...verbatim,
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

// The events of webhooks.

import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { added, at, from, orNull, shape } from "#platform/http/contract/wire.ts";
import { choice, idOf, nullable, webAddress } from "#platform/http/contract/words.ts";

import { disabledReasons } from "./webhook-life.ts";
import type { Endpoint, EndpointHealth } from "./webhook.ts";

interface EndpointView extends Endpoint, EndpointHealth {}

const disabledEvents = declareEvents(
  shape<EndpointView>()({
    id: added(idOf("webhook")),
    webhook_id: from((endpoint: EndpointView) => endpoint.id, idOf("webhook")),
    url: webAddress,
    reason: from(
      (endpoint: EndpointView) => endpoint.disabledReason,
      nullable(choice(disabledReasons)),
    ),
    failing_since: orNull(at),
    last_success_at: orNull(at),
  }),
  ["webhook.disabled"],
);

export const webhookEvents = disabledEvents.payloads;

/** Builds `webhook.disabled`. */
export function webhookDisabledEvent(endpoint: Endpoint, health: EndpointHealth): Announcement {
  return disabledEvents.announce("webhook.disabled", endpoint.id, { ...endpoint, ...health });
}

// The events of webhooks.

import { toIsoOrNull } from "#kernel/time.ts";
import type { Announcement } from "#platform/database/database.ts";

import type { Endpoint, EndpointHealth } from "./webhook.ts";

/** `webhook.disabled`: no more deliveries go to the endpoint. Other endpoints receive this event. */
export function webhookDisabledEvent(endpoint: Endpoint, health: EndpointHealth): Announcement {
  return {
    name: "webhook.disabled",
    subject: endpoint.id,
    data: {
      webhook_id: endpoint.id,
      url: endpoint.url,
      reason: endpoint.disabledReason,
      failing_since: toIsoOrNull(health.failingSince),
      last_success_at: toIsoOrNull(health.lastSuccessAt),
    },
  };
}

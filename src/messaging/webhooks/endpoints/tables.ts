// The tables of endpoints and of their health.

import type { Id } from "#kernel/id.ts";
import { int, json, sequence, table, text, time } from "#platform/database/kit.ts";

import type { DisabledReason, EndpointStatus } from "./webhook.ts";

export const endpoints = table("webhook_endpoints", {
  id: text().$type<Id<"webhook">>().primaryKey(),
  url: text().notNull(),
  /** Event names or patterns: `order.*`, `*`. */
  events: json().$type<readonly string[]>().notNull(),
  description: text(),
  status: text().$type<EndpointStatus>().notNull(),
  disabledReason: text("disabled_reason").$type<DisabledReason>(),
  disabledAt: time("disabled_at"),
  /** The endpoint receives only events with a greater sequence. */
  startsAfter: sequence("starts_after").notNull(),
  sealedSecret: text("sealed_secret").notNull(),
  /** The previous secret, which keeps signing until `oldSecretExpiresAt`. */
  sealedOldSecret: text("sealed_old_secret"),
  oldSecretExpiresAt: time("old_secret_expires_at"),
  version: int().notNull(),
  createdAt: time("created_at").notNull(),
  updatedAt: time("updated_at").notNull(),
});

/** Results of deliveries. A table of its own, so that a delivery does not change the endpoint's version. */
export const endpointHealth = table("webhook_health", {
  endpointId: text("endpoint_id").$type<Id<"webhook">>().primaryKey(),
  /** Failed attempts since the last success. */
  failuresInRow: int("failures_in_row").notNull(),
  failingSince: time("failing_since"),
  lastSuccessAt: time("last_success_at"),
});

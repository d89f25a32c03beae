// The tables of endpoints and of their health.

import { defineKind } from "#kernel/id.ts";
import { int, json, sequence, text, time } from "#platform/database/kit.ts";
import {
  hidden,
  id,
  plain,
  record,
  type RowOf,
  stamps,
  type WholeRowOf,
} from "#platform/database/record.ts";

import type { DisabledReason, EndpointStatus } from "./webhook-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    webhook: "whk";
  }
}
defineKind("webhook", "whk");

export const endpoints = record(
  "webhook_endpoints",
  {
    id: id("webhook").primaryKey(),
    url: plain(text().notNull()),
    /** Event names or patterns: `order.*`, `*`. */
    events: plain(json().$type<readonly string[]>().notNull()),
    description: plain(text()),
    status: text().$type<EndpointStatus>().notNull(),
    disabledReason: text().$type<DisabledReason>(),
    disabledAt: time(),
    /** The endpoint receives only events with a greater sequence. */
    startsAfter: sequence().notNull(),
    sealedSecret: hidden(plain(text().notNull())),
    /** The previous secret, which keeps signing until `oldSecretExpiresAt`. */
    sealedOldSecret: hidden(plain(text())),
    oldSecretExpiresAt: time(),
    ...stamps(),
  },
  () => [],
);

/** Results of deliveries. A table of its own, so that a delivery does not change the endpoint's version. */
export const endpointHealth = record(
  "webhook_health",
  {
    endpointId: id("webhook").primaryKey(),
    /** Failed attempts since the last success. */
    failuresInRow: int().notNull(),
    /** When the first attempt after the last success failed. */
    failingSince: time(),
    lastSuccessAt: time(),
  },
  () => [],
);

export type EndpointRow = RowOf<typeof endpoints>;
export type SealedEndpointRow = WholeRowOf<typeof endpoints>;
export type HealthRow = RowOf<typeof endpointHealth>;

// An endpoint: where a merchant wants to hear what happens, which events, and what it takes to be heard.

import type { Id } from "#kernel/id.ts";
import { machine, type StateOf } from "#kernel/machine.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { eventNames } from "#messaging/events/event.ts";

/** Endpoints of one store and mode. */
export const ENDPOINTS_MAX = 50;
/** How long the old secret signs too where nothing else is said, and at most: hours. */
export const OVERLAP_HOURS_DEFAULT = 24;
export const OVERLAP_HOURS_MAX = 168;
/** The timer that ends the overlap of a rotation. */
export const OLD_SECRET_TIMER = "webhooks.forget_old_secret";
/** An endpoint of which nothing but failures was heard for this long is disabled: 5 days. */
export const FAILING_MS_MAX = 5 * 86_400_000;

/** Nothing is sent to a disabled endpoint; what happens meanwhile stays in the log. */
export const endpointLife = machine({
  enabled: { disable: ["disabled", "webhook.disabled"] },
  disabled: { enable: ["enabled", null] },
});

export type EndpointStatus = StateOf<typeof endpointLife>;

export const disabledReasons = ["manual", "gone", "failing"] as const;
/** By hand; because it answered 410; or because it failed for too long. */
export type DisabledReason = (typeof disabledReasons)[number];

export interface Endpoint {
  readonly id: Id<"webhook">;
  readonly url: string;
  /** Event names, `order.*`, `*`. */
  readonly events: readonly string[];
  readonly description: string | null;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: number | null;
  /** It gets what has a greater sequence. */
  readonly startsAfter: number;
  readonly sealedSecret: string;
  readonly sealedOldSecret: string | null;
  readonly oldSecretExpiresAt: number | null;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What deliveries tell of an endpoint. */
export interface EndpointHealth {
  readonly failuresInRow: number;
  /** Since the first failure after the last success. */
  readonly failingSince: number | null;
  readonly lastSuccessAt: number | null;
}

export const healthy: EndpointHealth = {
  failuresInRow: 0,
  failingSince: null,
  lastSuccessAt: null,
};

/** The health after one more attempt. */
export function healthAfter(before: EndpointHealth, isSuccess: boolean, now: number) {
  if (isSuccess) return { failuresInRow: 0, failingSince: null, lastSuccessAt: now };
  return {
    failuresInRow: before.failuresInRow + 1,
    failingSince: before.failingSince ?? now,
    lastSuccessAt: before.lastSuccessAt,
  };
}

/** The sealed secrets that count now: the one before the last rotation too until it expires. */
export function validSeals(
  { sealedSecret, sealedOldSecret, oldSecretExpiresAt }: Endpoint,
  now: number,
): string[] {
  const isOldValid = sealedOldSecret !== null && (oldSecretExpiresAt ?? 0) > now;
  return isOldValid ? [sealedSecret, sealedOldSecret] : [sealedSecret];
}

/** Whether an endpoint wants events of this name. */
export function wants(patterns: readonly string[], name: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === "*" ||
      pattern === name ||
      (pattern.endsWith(".*") && name.startsWith(pattern.slice(0, -1))),
  );
}

export const webhookNotFound = defineRefusal(
  "webhook_not_found",
  "not_found",
  "There is no such webhook.",
);
export const webhookLimit = defineRefusal(
  "webhook_limit",
  "conflict",
  `A shop has at most ${ENDPOINTS_MAX} webhooks.`,
);
export const webhookDisabled = defineRefusal(
  "webhook_disabled",
  "conflict",
  "The webhook is disabled: nothing is sent to it.",
);
export const replayRunning = defineRefusal(
  "replay_running",
  "conflict",
  "An earlier replay to this webhook is still under way.",
);

const nouns = new Set(eventNames.map((name) => name.slice(0, name.indexOf("."))));

/** What an endpoint gets where nothing is said. */
export const everything: readonly string[] = ["*"];

/** Names, `order.*` and its like, `*`. */
export const eventPatterns: readonly string[] = [
  ...eventNames,
  ...[...nouns].map((noun) => `${noun}.*`),
  ...everything,
];

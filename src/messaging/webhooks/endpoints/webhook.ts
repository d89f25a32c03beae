// An endpoint: the URL that receives events, which events, its secrets and its health.

import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS } from "#kernel/time.ts";
import { isNamedOnly } from "#messaging/events/event.ts";

import type { EndpointRow, HealthRow, SealedEndpointRow } from "./tables.ts";

/** Endpoints per store and mode. */
export const ENDPOINTS_MAX = 50;
/** Hours that the previous secret keeps signing after a rotation: the default and the maximum. */
export const OVERLAP_HOURS_DEFAULT = 24;
export const OVERLAP_HOURS_MAX = 168;
/** The timer that deletes the previous secret. */
export const OLD_SECRET_TIMER = "webhooks.forget_old_secret";
/** An endpoint whose attempts all fail for this long is disabled: 5 days. */
export const FAILING_MS_MAX = 5 * DAY_MS;

/** An endpoint without its secrets. */
export type Endpoint = EndpointRow;

/** An endpoint with its sealed secrets. */
export type SealedEndpoint = SealedEndpointRow;

/** Results of the deliveries to an endpoint. */
export type EndpointHealth = Omit<HealthRow, "endpointId">;

export const healthy: EndpointHealth = {
  failuresInRow: 0,
  failingSince: null,
  lastSuccessAt: null,
};

/** The health after another attempt. */
export function healthAfter(before: EndpointHealth, isSuccess: boolean, now: number) {
  if (isSuccess) return { failuresInRow: 0, failingSince: null, lastSuccessAt: now };
  return {
    failuresInRow: before.failuresInRow + 1,
    failingSince: before.failingSince ?? now,
    lastSuccessAt: before.lastSuccessAt,
  };
}

/** Returns true if an endpoint should receive events and does not: its last attempts failed, or Duka disabled it. */
export function isFailing({
  status,
  disabledReason,
  failingSince,
}: Pick<Endpoint, "status" | "disabledReason"> & Partial<EndpointHealth>): boolean {
  if (status === "disabled") return disabledReason !== "manual";
  return (failingSince ?? null) !== null;
}

/** The sealed secrets that sign at this time, the previous one included until it expires. */
export function validSeals(
  { sealedSecret, sealedOldSecret, oldSecretExpiresAt }: SealedEndpoint,
  now: number,
): string[] {
  const isOldValid = sealedOldSecret !== null && (oldSecretExpiresAt ?? 0) > now;
  return isOldValid ? [sealedSecret, sealedOldSecret] : [sealedSecret];
}

/** Returns true if one of the patterns matches the event's name. `*` leaves out what has to be named. */
export function wants(patterns: readonly string[], name: string): boolean {
  return patterns.some(
    (pattern) =>
      (pattern === "*" && !isNamedOnly(name)) ||
      pattern === name ||
      (pattern.endsWith(".*") && name.startsWith(pattern.slice(0, -1))),
  );
}

export const webhookNotFound = defineRefusal(
  "webhook_not_found",
  "not_found",
  "There is no such webhook.",
);
export const webhookLimit = defineRefusal("webhook_limit", "conflict", {
  title: `A shop has at most ${ENDPOINTS_MAX} webhooks.`,
  cause: "The shop already has as many webhooks as a shop can have.",
  remedy: "Delete webhooks that are no longer needed.",
});
export const webhookDisabled = defineRefusal("webhook_disabled", "conflict", {
  title: "The webhook is disabled and receives no deliveries.",
  cause: "The webhook was disabled, by hand or after days of failed deliveries.",
  remedy: "Enable the webhook first.",
});
export const replayRunning = defineRefusal("replay_running", "conflict", {
  title: "Another replay to this webhook is still running.",
  cause: "The webhook is still receiving the events of an earlier replay.",
  remedy: "Retry when that replay has ended, or use another webhook.",
});

/** The default events of an endpoint: all of them. */
export const everything: readonly string[] = ["*"];

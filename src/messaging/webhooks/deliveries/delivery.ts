// A delivery: one event for one endpoint. The retry schedule and the meaning of responses.
// Reference: Standard Webhooks 1.0.0.

import type { Id } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#kernel/time.ts";
import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";

import type { FailureClass } from "./delivery-life.ts";
import type { AttemptRow, DeliveryRow } from "./tables.ts";

/** The waits before attempts 1 to 10, each after the end of the previous one: 75 h 35 m 05 s in all. */
export const waitsMs: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Each wait varies by this share in both directions, so deliveries that fail together spread out. */
const JITTER = 0.2;
/** The longest Retry-After that is honored. */
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
/** How long finished deliveries and their attempts are kept: 30 days. */
export const KEPT_MS = 30 * 24 * HOUR_MS;

export type Delivery = DeliveryRow;

export type DeliveryAttempt = AttemptRow;

/** The name of the log cursor. */
export const CONSUMER = "webhooks";
/** The timer that removes an erased customer from saved responses. */
export const FORGET_TIMER = "webhooks.forget";

/** A new delivery of a logged event, due now. */
export function newDelivery(
  id: Id<"delivery">,
  { event, endpointId, now, isReplay = false }: NewDelivery,
): Delivery {
  return {
    id,
    endpointId,
    eventId: event.id,
    eventName: event.name,
    sequence: event.sequence,
    isReplay,
    status: "pending",
    attempts: 0,
    nextAt: now,
    claim: null,
    claimedAt: null,
    createdAt: now,
    finishedAt: null,
  };
}

interface NewDelivery {
  readonly event: {
    readonly id: Id<"event">;
    readonly name: string;
    readonly sequence: number;
  };
  readonly endpointId: Id<"webhook">;
  readonly now: number;
  readonly isReplay?: boolean;
}

/** The result of one request to a receiver. */
export interface DeliveryOutcome {
  readonly responseStatus: number | null;
  readonly failure: FailureClass | null;
  readonly address: string | null;
  readonly excerpt: string;
  readonly durationMs: number;
  /** The receiver's Retry-After, milliseconds. */
  readonly retryAfterMs: number | null;
  /** Difference between the receiver's clock and this machine's, milliseconds; null without a Date. */
  readonly skewMs: number | null;
}

/** A finished attempt. */
export interface EndedAttempt {
  /** On the shop's clock. */
  readonly startedAt: number;
  /** The event's `data` as sent; null for a ping, which contains no customer data. */
  readonly sentData: string | null;
  readonly outcome: DeliveryOutcome;
}

/**
 * The result of a claim, before it is saved: an attempt; `dropped` if the endpoint or the event is
 * gone; `released` if it was not sent and is due again; `unknown` if an internal error leaves open
 * whether it was sent.
 */
export interface EndedClaim {
  readonly delivery: Delivery;
  readonly ended: EndedAttempt | "dropped" | "released" | "unknown";
}

/**
 * Returns true if the delivery dates from before the endpoint was last enabled and is to be cancelled.
 * Replayed deliveries never are.
 */
export function isBehind(
  { isReplay, sequence }: Pick<Delivery, "isReplay" | "sequence">,
  { startsAfter }: Pick<Endpoint, "startsAfter">,
): boolean {
  return !isReplay && (sequence ?? 0) <= startsAfter;
}

/**
 * The part of a response that may be saved, given the event's current `data`: nothing if the data
 * changed since it was sent, because then a customer was erased from it.
 */
export function excerptToSave(
  { sentData, outcome }: EndedAttempt,
  currentData: string | undefined,
): string {
  return sentData === null || sentData === currentData ? outcome.excerpt : "";
}

/** Success is a 2xx whose whole response arrived in time. */
export function isSuccess(outcome: Pick<DeliveryOutcome, "responseStatus" | "failure">): boolean {
  const { responseStatus: status, failure } = outcome;
  return failure === null && status !== null && status >= 200 && status < 300;
}

/**
 * The wait after this many attempts, milliseconds; null after the last. `share`, from 0 to 1, sets
 * the jitter. A Retry-After (RFC 9110, 10.2.3) makes the wait longer, never shorter.
 */
export function waitAfter(
  attempts: number,
  { share, retryAfterMs }: { readonly share: number; readonly retryAfterMs: number | null },
): number | null {
  const scheduled = waitsMs[attempts];
  if (scheduled === undefined) return null;
  const spread = Math.round(scheduled * (1 - JITTER + 2 * JITTER * share));
  return Math.max(spread, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}

/**
 * The wait in a Retry-After header, a number of seconds or an HTTP date, as milliseconds from `now`
 * (epoch milliseconds, real time). Null for any other text and for a date in the past.
 */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Math.min(Number(trimmed) * SECOND_MS, RETRY_AFTER_MS_MAX);
  if (!/^[A-Z][a-z]{2}/.test(trimmed)) return null;
  const wait = Date.parse(trimmed) - now;
  return wait > 0 ? wait : null;
}

/** The receiver or its proxy reports overload, or the request timed out. */
export function isOverloaded({ responseStatus, failure }: DeliveryOutcome): boolean {
  return failure === "timeout" || [429, 502, 504].includes(responseStatus ?? 0);
}

/** The receiver answered 410: the endpoint is gone permanently (RFC 9110, 15.5.11). */
export function isGone({ responseStatus, failure }: DeliveryOutcome): boolean {
  return (failure === null || failure === "status") && responseStatus === 410;
}

export const deliveryNotFound = defineRefusal(
  "delivery_not_found",
  "not_found",
  "There is no such delivery.",
);
export const eventGone = defineRefusal("event_gone", "conflict", {
  title: "The event of this delivery is no longer kept.",
  cause: "The event is older than the time for which events are kept.",
  remedy: "Read the current state of the object instead.",
});

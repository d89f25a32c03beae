// A delivery: one event for one endpoint. Its life, the retry schedule and the meaning of responses.
// Reference: Standard Webhooks 1.0.0.

import type { Id } from "#kernel/id.ts";
import { machine, type StateOf } from "#kernel/machine.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#kernel/time.ts";
import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";

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

/** No step emits an event: deliveries of events about deliveries would never end. */
export const deliveryLife = machine({
  pending: {
    claim: ["sending", null],
    cancel: ["cancelled", null],
    confirm: ["succeeded", null],
  },
  sending: {
    succeed: ["succeeded", null],
    retry: ["pending", null],
    exhaust: ["exhausted", null],
    release: ["pending", null],
    cancel: ["cancelled", null],
    confirm: ["succeeded", null],
  },
  succeeded: {},
  /** A resend may still succeed. */
  exhausted: { confirm: ["succeeded", null] },
  cancelled: { confirm: ["succeeded", null] },
});

export type DeliveryStatus = StateOf<typeof deliveryLife>;
export const deliveryStatuses = [
  "pending",
  "sending",
  "succeeded",
  "exhausted",
  "cancelled",
] as const satisfies readonly DeliveryStatus[];

export const attemptTriggers = ["schedule", "resend", "ping"] as const;
export type AttemptTrigger = (typeof attemptTriggers)[number];
/** `unknown`: the program ended or failed during the attempt. */
export const attemptOutcomes = ["succeeded", "failed", "unknown"] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
/** Why an attempt failed. `status`: the receiver answered with another status than 2xx. */
export const failureClasses = [
  "status",
  "dns",
  "blocked_address",
  "connect",
  "tls",
  "timeout",
  "reset",
  "too_large",
  "protocol",
  "secret_unreadable",
] as const;
export type FailureClass = (typeof failureClasses)[number];

export interface Delivery {
  readonly id: Id<"delivery">;
  readonly endpointId: Id<"webhook">;
  readonly eventId: Id<"event">;
  readonly eventName: string;
  /** Null for a ping, which is not in the log. */
  readonly sequence: number | null;
  readonly isReplay: boolean;
  readonly status: DeliveryStatus;
  /** Scheduled attempts, including one in flight. */
  readonly attempts: number;
  readonly nextAt: number | null;
  readonly claim: string | null;
  readonly claimedAt: number | null;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export interface DeliveryAttempt {
  readonly deliveryId: Id<"delivery">;
  readonly number: number;
  readonly trigger: AttemptTrigger;
  readonly outcome: AttemptOutcome;
  readonly startedAt: number;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly failure: FailureClass | null;
  readonly address: string | null;
  readonly excerpt: string;
  readonly nextAt: number | null;
}

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
 * Whether the delivery dates from before the endpoint was last enabled and is to be cancelled.
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
export const eventGone = defineRefusal(
  "event_gone",
  "conflict",
  "The event of this delivery is no longer kept.",
);

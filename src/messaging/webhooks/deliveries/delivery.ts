// A delivery: one event on its way to one endpoint. The schedule, what an answer means, and the life
// between. Reference: Standard Webhooks 1.0.0.

import type { Id } from "#kernel/id.ts";
import { machine, type StateOf } from "#kernel/machine.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The waits before attempts 1 to 10, each from the end of the attempt before: 75 h 35 m 05 s. */
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
/** Waits are spread by so much to either side, so that what failed together does not return so. */
const JITTER = 0.2;
/** However long a receiver asks us to wait. */
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
/** How long attempts and deliveries that are over are kept: 30 days. */
export const KEPT_MS = 30 * 24 * HOUR_MS;

/** Nothing is announced: a delivery is the announcement. */
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
  /** A manual attempt may still succeed. */
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
/** `unknown`: the program ended, or failed, while it was under way. */
export const attemptOutcomes = ["succeeded", "failed", "unknown"] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];
/** Why there is no 2xx; `status` where the receiver answered something else. */
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
  /** Null for a ping, which is in no log. */
  readonly sequence: number | null;
  readonly isReplay: boolean;
  readonly status: DeliveryStatus;
  /** Attempts by schedule, the one under way included. */
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

/** The name under which the log is read. */
export const CONSUMER = "webhooks";
/** The timer that takes a person out of what receivers answered. */
export const FORGET_TIMER = "webhooks.forget";

/** A delivery of an event that is in the log, due at once. */
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

/** What came of calling a receiver. */
export interface DeliveryOutcome {
  readonly responseStatus: number | null;
  readonly failure: FailureClass | null;
  readonly address: string | null;
  readonly excerpt: string;
  readonly durationMs: number;
  /** How long the receiver asked us to wait, milliseconds. */
  readonly retryAfterMs: number | null;
  /** How far the receiver's clock is from ours, milliseconds; null where it does not say. */
  readonly skewMs: number | null;
}

/** An attempt that ended: on the shop's clock when it began, what was told, what came of it. */
export interface EndedAttempt {
  readonly startedAt: number;
  /** The event's `data` as it was sent; null for a ping, which tells of nobody. */
  readonly told: string | null;
  readonly outcome: DeliveryOutcome;
}

/**
 * What became of a claim, on its way into the store: an attempt; `dropped` where there is nobody to
 * send it to any more; `released` where it was not sent and is to be taken again; `unknown` where a
 * fault of ours leaves open whether it was sent.
 */
export interface EndedClaim {
  readonly delivery: Delivery;
  readonly ended: EndedAttempt | "dropped" | "released" | "unknown";
}

/**
 * Whether it is of the time before the endpoint was enabled, and was to be cancelled. What was asked
 * to be replayed is never behind.
 */
export function isBehind(
  { isReplay, sequence }: Pick<Delivery, "isReplay" | "sequence">,
  { startsAfter }: Pick<Endpoint, "startsAfter">,
): boolean {
  return !isReplay && (sequence ?? 0) <= startsAfter;
}

/**
 * What may be kept of an answer: nothing where the event no longer says what was told, because a
 * person was taken out of it meanwhile.
 */
export function keptExcerpt({ told, outcome }: EndedAttempt, data: string | undefined): string {
  return told === null || told === data ? outcome.excerpt : "";
}

/** Only 2xx is success, and only where the whole answer came in time. */
export function isSuccess(outcome: Pick<DeliveryOutcome, "responseStatus" | "failure">): boolean {
  const { responseStatus: status, failure } = outcome;
  return failure === null && status !== null && status >= 200 && status < 300;
}

/**
 * How long to wait after so many attempts, milliseconds; null after the last. `share` from 0 to 1
 * spreads it. What the receiver asked for (RFC 9110, 10.2.3) makes it longer, never shorter.
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
 * What a Retry-After header asks for, milliseconds from `now` (epoch milliseconds, real time): a
 * number of seconds or an HTTP date. Null for what is neither, and for what lies behind.
 */
export function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Math.min(Number(trimmed) * SECOND_MS, RETRY_AFTER_MS_MAX);
  if (!/^[A-Z][a-z]{2}/.test(trimmed)) return null;
  const wait = Date.parse(trimmed) - now;
  return wait > 0 ? wait : null;
}

/** The receiver is there and says that it has too much to do, or its proxy says so for it. */
export function asksForQuiet({ responseStatus, failure }: DeliveryOutcome): boolean {
  return failure === "timeout" || [429, 502, 504].includes(responseStatus ?? 0);
}

/** The endpoint is gone for good (RFC 9110, 15.5.11). */
export function saysGone({ responseStatus, failure }: DeliveryOutcome): boolean {
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

// Deliveries, attempts and replays on the wire.

import Type, { type Static } from "typebox";

import { toIso, toIsoOrNull } from "#kernel/time.ts";
import { eventPatterns } from "#messaging/events/event.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/created-at.ts";
import {
  choice,
  component,
  idOf,
  instant,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import {
  attemptOutcomes,
  attemptTriggers,
  type DeliveryAttempt,
  deliveryStatuses,
  failureClasses,
} from "./delivery.ts";
import type { TracedDelivery } from "./lookups.ts";
import type { DeliveryFilters } from "./queries.ts";
import type { ReplayRequest } from "./replays.ts";

const PATTERNS_MAX = 50;

const attemptFields = {
  number: whole(1),
  trigger: choice(attemptTriggers),
  outcome: choice(attemptOutcomes),
  started_at: instant,
  duration_ms: nullable(whole(0)),
  response_status: nullable(whole(100, 999)),
  failure: nullable(
    Type.Unsafe<DeliveryAttempt["failure"]>({
      type: "string",
      enum: [...failureClasses],
      description:
        "Why the attempt failed. `status`: the receiver answered with another status than 2xx.",
    }),
  ),
  address: nullable(
    Type.String({ description: "The IP address of the connection, or of the last one tried." }),
  ),
  next_attempt_at: nullable(instant),
};

const attemptSchema = component("DeliveryAttempt", attemptFields);
const wholeAttemptSchema = component("WholeDeliveryAttempt", {
  ...attemptFields,
  response_body: Type.String({ description: "The first 16 KB of the response." }),
});

const fields = {
  id: idOf("delivery"),
  webhook_id: idOf("webhook"),
  event_id: idOf("event"),
  event: Type.String(),
  sequence: nullable(whole(1)),
  is_replay: Type.Boolean(),
  status: choice(deliveryStatuses),
  scheduled_attempts: whole(0, undefined, {
    description: "Scheduled attempts so far, including one in flight; at most 10.",
  }),
  next_attempt_at: nullable(instant),
  created_at: instant,
  finished_at: nullable(instant),
};

export const deliverySchema = component("Delivery", {
  ...fields,
  attempts: Type.Array(attemptSchema),
});

export const wholeDeliverySchema = component("WholeDelivery", {
  ...fields,
  attempts: Type.Array(wholeAttemptSchema),
});

export const deliveryQuerySchema = object({
  status: optional(
    Type.Array(choice(deliveryStatuses), {
      minItems: 1,
      maxItems: deliveryStatuses.length,
      description: "One or more statuses, comma-separated.",
    }),
  ),
  event: optional(
    Type.Array(line(64), {
      minItems: 1,
      maxItems: PATTERNS_MAX,
      description: "Event names, comma-separated.",
    }),
  ),
  event_id: optional(line(64)),
  ...createdAtFilters,
});

export const replayRequestSchema = object({
  from: optional(nullable(instant)),
  to: optional(nullable({ ...instant, description: "Exclusive; now by default." })),
  after: optional(
    nullable(whole(0, undefined, { description: "Only events with a greater sequence." })),
  ),
  until: optional(
    nullable(whole(0, undefined, { description: "Only events up to this sequence." })),
  ),
  events: optional(
    nullable(
      Type.Array(choice(eventPatterns), {
        minItems: 1,
        maxItems: PATTERNS_MAX,
        description: "The events of the webhook by default.",
      }),
    ),
  ),
  failed_only: optional(
    Type.Boolean({
      default: false,
      description: "Only events whose deliveries were exhausted or cancelled and never succeeded.",
    }),
  ),
});

/** A delivery in a list, without the responses of its attempts. */
export function presentDelivery(found: TracedDelivery): Static<typeof deliverySchema> {
  return { ...presentFields(found), attempts: found.attempts.map(presentAttempt) };
}

/** A delivery with the responses of its attempts. */
export function presentWholeDelivery(found: TracedDelivery): Static<typeof wholeDeliverySchema> {
  const attempts = found.attempts.map((attempt) => ({
    ...presentAttempt(attempt),
    response_body: attempt.excerpt,
  }));
  return { ...presentFields(found), attempts };
}

function presentFields({ delivery }: TracedDelivery) {
  return {
    id: delivery.id,
    webhook_id: delivery.endpointId,
    event_id: delivery.eventId,
    event: delivery.eventName,
    sequence: delivery.sequence,
    is_replay: delivery.isReplay,
    status: delivery.status,
    scheduled_attempts: delivery.attempts,
    next_attempt_at: toIsoOrNull(delivery.nextAt),
    created_at: toIso(delivery.createdAt),
    finished_at: toIsoOrNull(delivery.finishedAt),
  };
}

function presentAttempt(attempt: DeliveryAttempt): Static<typeof attemptSchema> {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    outcome: attempt.outcome,
    started_at: toIso(attempt.startedAt),
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    failure: attempt.failure,
    address: attempt.address,
    next_attempt_at: toIsoOrNull(attempt.nextAt),
  };
}

/** The filters of a list of deliveries. */
export function readDeliveryQuery(
  endpointId: string,
  query: Static<typeof deliveryQuerySchema>,
): DeliveryFilters {
  const { status, event, event_id: eventId } = query;
  return { endpointId, status, event, eventId, ...idSpan("delivery", query) };
}

/** The request to start a replay. */
export function readReplayRequest(body: Static<typeof replayRequestSchema>): ReplayRequest {
  return {
    from: readInstant(body.from),
    to: readInstant(body.to),
    after: body.after ?? null,
    until: body.until ?? null,
    names: body.events ?? null,
    failedOnly: body.failed_only ?? false,
  };
}

function readInstant(text: string | null | undefined): number | null {
  return text === undefined || text === null ? null : Date.parse(text);
}

// Deliveries, attempts and replays on the wire.

import Type, { type Static } from "typebox";

import type { Id } from "#kernel/id.ts";
import { eventNames, eventPatterns } from "#messaging/events/event.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/filters.ts";
import { states } from "#platform/http/contract/states.ts";
import { at, from, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  about,
  choice,
  idOf,
  instant,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";
import { modeChoice } from "#shop/keys/schema.ts";

import {
  attemptOutcomes,
  attemptTriggers,
  deliveryLife,
  deliveryStatuses,
  type FailureClass,
  failureClasses,
} from "./delivery-life.ts";
import type { Delivery, DeliveryAttempt } from "./delivery.ts";
import type { TracedDelivery } from "./lookups.ts";
import type { DeliveryFilters } from "./queries.ts";
import type { ReplayRequest } from "./replays.ts";

const PATTERNS_MAX = 50;

export const PING = "webhook.ping";

/** A signed test message, as one row. */
interface Ping {
  readonly id: Id<"event">;
  readonly event: typeof PING;
  readonly createdAt: number;
  readonly storeId: Id<"store">;
  readonly mode: Mode;
  readonly sequence: null;
  readonly data: { readonly webhookId: Id<"webhook"> };
}

/** The shape of an event without a place in the log. */
export const pingWire = wire<Ping>()("WebhookPing", {
  id: idOf("event"),
  event: choice([PING]),
  created_at: at,
  store_id: idOf("store"),
  mode: modeChoice,
  sequence: Type.Null({ description: "A ping is not in the log." }),
  data: shape<Ping["data"]>()({ webhook_id: idOf("webhook") }),
});

/** The message that a webhook receives beside events. */
export const pingSchema = {
  description: "A test message that was asked for by `POST /v2/webhooks/{id}/ping`.",
  payload: pingWire.schema,
};

const attemptFields = {
  number: whole(1),
  trigger: choice(attemptTriggers),
  outcome: choice(attemptOutcomes),
  started_at: at,
  duration_ms: nullable(whole(0)),
  response_status: nullable(whole(100, 999)),
  failure: nullable(
    Type.Unsafe<FailureClass>({
      type: "string",
      enum: [...failureClasses],
      description:
        "Why the attempt failed. `status`: the receiver answered with another status than 2xx.",
    }),
  ),
  address: nullable(
    Type.String({ description: "The IP address of the connection, or of the last one tried." }),
  ),
  next_attempt_at: from(({ nextAt }: DeliveryAttempt) => nextAt, orNull(at)),
};

const attemptWire = wire<DeliveryAttempt>()("DeliveryAttempt", attemptFields);
const wholeAttemptWire = wire<DeliveryAttempt>()("WholeDeliveryAttempt", {
  ...attemptFields,
  response_body: from(
    ({ excerpt }: DeliveryAttempt) => excerpt,
    Type.String({
      description: "The first 16 KB of the response; empty without the scope `events:read`.",
    }),
  ),
});

/** A delivery with its attempts, as one row. */
interface DeliveryView extends Delivery {
  readonly made: readonly DeliveryAttempt[];
}

/** The status of a delivery, for the documentation. */
export const deliveryStatus = states(
  {
    name: "DeliveryStatus",
    about: "How far the event is on its way to the webhook.",
    life: deliveryLife,
  },
  {
    pending: "It waits for its next attempt.",
    sending: "An attempt is under way.",
    succeeded: "The receiver answered with 2xx.",
    exhausted: "Ten attempts failed. It can be sent again.",
    cancelled: "Its webhook was disabled or deleted before it was sent.",
  },
);

const fields = {
  id: idOf("delivery"),
  webhook_id: from(({ endpointId }: Delivery) => endpointId, idOf("webhook")),
  event_id: idOf("event"),
  event: from(({ eventName }: Delivery) => eventName, Type.String()),
  sequence: nullable(whole(1)),
  is_replay: Type.Boolean(),
  status: deliveryStatus.schema,
  scheduled_attempts: from(
    ({ attempts }: Delivery) => attempts,
    whole(0, undefined, {
      description: "Scheduled attempts so far, including one in flight; at most 10.",
    }),
  ),
  next_attempt_at: from(({ nextAt }: Delivery) => nextAt, orNull(at)),
  created_at: at,
  finished_at: orNull(at),
};

/** A delivery in a list, without the responses of its attempts. */
export const deliveryWire = wire<DeliveryView>()("Delivery", {
  ...fields,
  attempts: from(({ made }: DeliveryView) => made, list(attemptWire)),
});

/** A delivery with the responses of its attempts. */
export const wholeDeliveryWire = wire<DeliveryView>()("WholeDelivery", {
  ...fields,
  attempts: from(({ made }: DeliveryView) => made, list(wholeAttemptWire)),
});

/**
 * Returns the row of which the wires make the response. Only a key that may read events learns what a
 * receiver answered: the answer may repeat the event, or be that of another program at the address.
 */
export function viewDelivery(
  { delivery, attempts }: TracedDelivery,
  { scopes }: Pick<Caller, "scopes">,
): DeliveryView {
  if (scopes.has("events:read")) return { ...delivery, made: attempts };
  return { ...delivery, made: attempts.map((attempt) => ({ ...attempt, excerpt: "" })) };
}

export const deliveryQuerySchema = object({
  status: optional(
    Type.Array(choice(deliveryStatuses), {
      minItems: 1,
      maxItems: deliveryStatuses.length,
      description: "One or more statuses, comma-separated.",
    }),
  ),
  event: optional(
    Type.Array(choice([...eventNames, PING]), {
      minItems: 1,
      maxItems: PATTERNS_MAX,
      description: "Event names, comma-separated; no patterns.",
    }),
  ),
  event_id: optional(line(64)),
  ...createdAtFilters,
});

export const replayRequestSchema = object({
  from: optional(nullable(instant)),
  to: optional(nullable(about(instant, "Exclusive; now by default."))),
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

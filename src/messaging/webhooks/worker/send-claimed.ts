// Workflow: send a claimed delivery as one signed request, with the current URL and secrets of its endpoint and the
// current event, from which erased customers are removed. It writes nothing; the caller saves the outcome.

import type { Id } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";
import { envelopeText, getOrigin } from "#messaging/events/get-origin.ts";
import type { FailureClass } from "#messaging/webhooks/deliveries/delivery-life.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  type EndedAttempt,
  isBehind,
  isSuccess,
  readRetryAfter,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { findSealedEndpoint } from "#messaging/webhooks/endpoints/queries.ts";
import { type SealedEndpoint, validSeals } from "#messaging/webhooks/endpoints/webhook.ts";
import { findEvent } from "#platform/event-log/event-log.ts";
import type { CallResult } from "#platform/net/call-out.ts";
import { signatureHeaders } from "#platform/net/signature.ts";
import { reachOf } from "#platform/net/target-url.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import type { MessagingShop } from "./messaging-shop.ts";

/**
 * Returns the attempt, or `dropped` without sending if the endpoint or the event is gone, or if the
 * endpoint is disabled or was disabled since the delivery was created.
 */
export async function sendClaimed(
  shop: MessagingShop,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<EndedAttempt | "dropped"> {
  const db = shop.database.read;
  const endpoint = await findSealedEndpoint(db, delivery.endpointId);
  if (endpoint?.status !== "enabled" || isBehind(delivery, endpoint)) return "dropped";
  const event = await findEvent(db, delivery.eventId);
  if (event === undefined) return "dropped";
  const startedAt = shop.clock.now();
  const outcome = await callReceiver(shop, endpoint, {
    deliveryId: delivery.id,
    eventId: event.id,
    body: envelopeText(event, await getOrigin(db, shop.mode)),
    signal,
  });
  return { startedAt, sentData: event.data, outcome };
}

interface Message {
  readonly deliveryId: Id<"delivery">;
  readonly eventId: string;
  /** Signed and sent as is. */
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** Sends the message. Its timestamp is real time, because receivers reject old messages. */
export async function callReceiver(
  shop: MessagingShop,
  endpoint: SealedEndpoint,
  { deliveryId, eventId, body, signal }: Message,
): Promise<DeliveryOutcome> {
  const secrets = secretsOf(shop, endpoint);
  if (secrets === null) return failedAs("secret_unreadable");
  const now = realClock.now();
  const message = { id: eventId, timestamp: Math.floor(now / 1000), body };
  const result = await shop.callOut({
    url: endpoint.url,
    headers: {
      ...signatureHeaders(message, secrets),
      "content-type": "application/json",
      "duka-delivery-id": deliveryId,
      "user-agent": "Duka-Webhooks",
    },
    body,
    reach: reachOf(shop),
    ...(signal === undefined ? {} : { signal }),
  });
  return outcomeOf(result);
}

/** Null if the secrets were sealed with the key of another data directory. */
function secretsOf({ database, clock }: MessagingShop, endpoint: SealedEndpoint): string[] | null {
  try {
    return validSeals(endpoint, clock.now()).map((sealed) => database.vault.unseal(sealed));
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

function outcomeOf(result: CallResult): DeliveryOutcome {
  const now = realClock.now();
  const receiverNow = Date.parse(result.headers?.get("date") ?? "");
  const outcome = {
    responseStatus: result.status,
    failure: result.failure,
    address: result.address,
    excerpt: result.excerpt,
    durationMs: Math.round(result.durationMs),
    retryAfterMs: readRetryAfter(result.headers?.get("retry-after") ?? null, now),
    skewMs: Number.isNaN(receiverNow) ? null : Math.abs(receiverNow - now),
  };
  if (outcome.failure !== null || isSuccess(outcome)) return outcome;
  return { ...outcome, failure: "status" };
}

function failedAs(failure: FailureClass): DeliveryOutcome {
  return {
    responseStatus: null,
    failure,
    address: null,
    excerpt: "",
    durationMs: 0,
    retryAfterMs: null,
    skewMs: null,
  };
}

// Workflow: send a claimed delivery with the current URL and secrets of its endpoint and the current
// event, from which erased customers are removed.

import { envelopeText, getOrigin } from "#messaging/events/get-origin.ts";
import {
  type Delivery,
  type EndedAttempt,
  isBehind,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { findSealedEndpoint } from "#messaging/webhooks/endpoints/queries.ts";
import { findEvent } from "#platform/event-log/event-log.ts";

import { callReceiver } from "./call-receiver.ts";
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

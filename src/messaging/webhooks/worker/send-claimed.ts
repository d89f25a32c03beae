// Workflow: a claimed delivery is sent to its endpoint as that is now: another address, another
// secret, or nobody any more; and the event as it is now, without people who are gone.

import { envelopeText } from "#messaging/events/envelope.ts";
import { getOrigin } from "#messaging/events/get-origin.ts";
import {
  type Delivery,
  type EndedAttempt,
  isBehind,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { findEndpointRow } from "#messaging/webhooks/endpoints/queries.ts";
import { findEvent } from "#platform/event-log/event-log.ts";

import { callReceiver } from "./call-receiver.ts";
import type { MessagingShop } from "./messaging-shop.ts";

/**
 * The attempt; `dropped`, and nothing was sent, where the endpoint is disabled or gone, was disabled
 * in between, or where the event is gone.
 */
export async function sendClaimed(
  shop: MessagingShop,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<EndedAttempt | "dropped"> {
  const db = shop.database.read;
  const endpoint = await findEndpointRow(db, delivery.endpointId);
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
  return { startedAt, told: event.data, outcome };
}

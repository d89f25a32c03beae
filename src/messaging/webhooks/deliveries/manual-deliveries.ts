// Workflows: send to one endpoint by request. A ping is a signed test message, which is not an event
// and not in the log; a resend sends a delivery again and leaves its schedule unchanged if it fails.

import { type Id, newId } from "#kernel/id.ts";
import { envelopeText, getOrigin } from "#messaging/events/get-origin.ts";
import { getSealedEndpoint } from "#messaging/webhooks/endpoints/queries.ts";
import { webhookDisabled } from "#messaging/webhooks/endpoints/webhook.ts";
import type { MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";
import { recordManual } from "#messaging/webhooks/worker/outcomes.ts";
import { callReceiver } from "#messaging/webhooks/worker/send-claimed.ts";
import { findEvent } from "#platform/event-log/event-log.ts";

import { eventGone, isSuccess } from "./delivery.ts";
import { getDelivery, type TracedDelivery } from "./lookups.ts";
import { deliveryRows } from "./queries.ts";
import { PING, pingWire } from "./schema.ts";

/** Sends the ping, also to a disabled endpoint, and returns its delivery. Refuses with `webhook_not_found`. */
export async function pingWebhook(shop: MessagingShop, id: Id<"webhook">): Promise<TracedDelivery> {
  const db = shop.database.read;
  const endpoint = await getSealedEndpoint(db, id);
  const now = shop.clock.now();
  const deliveryId = newId("delivery", now);
  const eventId = newId("event", now);
  const { storeId, mode } = await getOrigin(db, shop.mode);
  const body = pingWire.write({
    id: eventId,
    event: PING,
    createdAt: now,
    storeId,
    mode,
    sequence: null,
    data: { webhookId: id },
  });
  const outcome = await callReceiver(shop, endpoint, { deliveryId, eventId, body });
  await shop.database.write(async (tx) => {
    await deliveryRows.insert(tx, {
      id: deliveryId,
      endpointId: id,
      eventId,
      eventName: PING,
      sequence: null,
      isReplay: false,
      status: isSuccess(outcome) ? "succeeded" : "exhausted",
      attempts: 0,
      nextAt: null,
      claim: null,
      claimedAt: null,
      createdAt: now,
      finishedAt: tx.now,
    });
    const attempt = { trigger: "ping", startedAt: now, sentData: null, outcome } as const;
    await recordManual(tx, deliveryId, attempt);
  });
  return getDelivery(db, deliveryId);
}

/**
 * Sends the delivery now and returns it after the attempt. Refuses with `delivery_not_found`,
 * `webhook_not_found`, `webhook_disabled`, and with `event_gone` if its event is not in the log.
 */
export async function resendDelivery(
  shop: MessagingShop,
  id: Id<"delivery">,
): Promise<TracedDelivery> {
  const db = shop.database.read;
  const { delivery } = await getDelivery(db, id);
  const endpoint = await getSealedEndpoint(db, delivery.endpointId);
  if (endpoint.status === "disabled") throw webhookDisabled();
  const event = await findEvent(db, delivery.eventId);
  if (event === undefined) throw eventGone();
  const startedAt = shop.clock.now();
  const outcome = await callReceiver(shop, endpoint, {
    deliveryId: id,
    eventId: event.id,
    body: envelopeText(event, await getOrigin(db, shop.mode)),
  });
  const attempt = { trigger: "resend", startedAt, sentData: event.data, outcome } as const;
  await shop.database.write((tx) => recordManual(tx, id, attempt));
  return getDelivery(db, id);
}

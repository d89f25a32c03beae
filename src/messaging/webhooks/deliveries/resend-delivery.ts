// Workflow: resend a delivery by request. A failure leaves its schedule unchanged.

import type { Id } from "#kernel/id.ts";
import { envelopeText } from "#messaging/events/envelope.ts";
import { getOrigin } from "#messaging/events/get-origin.ts";
import { findEndpointRow } from "#messaging/webhooks/endpoints/queries.ts";
import { webhookDisabled, webhookNotFound } from "#messaging/webhooks/endpoints/webhook.ts";
import { callReceiver } from "#messaging/webhooks/worker/call-receiver.ts";
import { type MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";
import { recordManual } from "#messaging/webhooks/worker/outcomes.ts";
import { findEvent } from "#platform/event-log/event-log.ts";

import { eventGone } from "./delivery.ts";
import { getDelivery, type TracedDelivery } from "./lookups.ts";

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
  const endpoint = await findEndpointRow(db, delivery.endpointId);
  if (endpoint === undefined) throw webhookNotFound();
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

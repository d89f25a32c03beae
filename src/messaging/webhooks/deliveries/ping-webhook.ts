// Workflow: send a signed test message to one endpoint. It is not an event and not in the log.

import { type Id, newId } from "#kernel/id.ts";
import { toIso } from "#kernel/time.ts";
import { getOrigin } from "#messaging/events/get-origin.ts";
import { findEndpointRow } from "#messaging/webhooks/endpoints/queries.ts";
import { webhookNotFound } from "#messaging/webhooks/endpoints/webhook.ts";
import { callReceiver } from "#messaging/webhooks/worker/call-receiver.ts";
import { type MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";
import { recordManual } from "#messaging/webhooks/worker/outcomes.ts";

import { isSuccess } from "./delivery.ts";
import { getDelivery, type TracedDelivery } from "./lookups.ts";
import { insertDelivery } from "./queries.ts";

const PING = "webhook.ping";

/** Sends the ping, also to a disabled endpoint, and returns its delivery. Refuses with `webhook_not_found`. */
export async function pingWebhook(shop: MessagingShop, id: Id<"webhook">): Promise<TracedDelivery> {
  const db = shop.database.read;
  const endpoint = await findEndpointRow(db, id);
  if (endpoint === undefined) throw webhookNotFound();
  const now = shop.clock.now();
  const deliveryId = newId("delivery", now);
  const eventId = newId("event", now);
  const { storeId, mode } = await getOrigin(db, shop.mode);
  const body = JSON.stringify({
    id: eventId,
    event: PING,
    created_at: toIso(now),
    store_id: storeId,
    mode,
    sequence: null,
    data: { webhook_id: id },
  });
  const outcome = await callReceiver(shop, endpoint, { deliveryId, eventId, body });
  await shop.database.write(async (tx) => {
    await insertDelivery(tx, {
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

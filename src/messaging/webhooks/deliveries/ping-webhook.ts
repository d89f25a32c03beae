// Workflow: a signed message to one endpoint, to see whether it is heard. It is no event of the shop
// and in no log.

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

/** What came of it. A disabled endpoint can be tried too. Refuses with `webhook_not_found`. */
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
    await recordManual(tx, deliveryId, { trigger: "ping", startedAt: now, told: null, outcome });
  });
  return getDelivery(db, deliveryId);
}

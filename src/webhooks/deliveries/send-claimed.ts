// Workflow: a claimed delivery is sent to its endpoint as that is now: another address, another
// secret, or nobody any more.

import { envelopeText } from "#events/envelope.ts";
import { findOrigin } from "#events/find-origin.ts";
import type { Messenger } from "#webhooks/messenger.ts";
import { findEndpointRow } from "#webhooks/queries.ts";

import { callReceiver } from "./call-receiver.ts";
import type { ClaimedDelivery } from "./claim-due.ts";
import type { Outcome } from "./delivery.ts";

/** What came of it; `dropped` where the endpoint is disabled or gone, or the event is. */
export async function sendClaimed(
  shop: Messenger,
  { delivery, event }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Outcome | "dropped"> {
  const endpoint = await findEndpointRow(shop.store.read, delivery.endpointId);
  if (endpoint?.status !== "enabled" || event === null) return "dropped";
  const origin = await findOrigin(shop.store.read, shop.mode);
  return callReceiver(shop, endpoint, {
    deliveryId: delivery.id,
    eventId: event.id,
    body: envelopeText(event, origin),
    signal,
  });
}

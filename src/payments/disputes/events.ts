// The events of disputes.

import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { from, shape } from "#platform/http/contract/wire.ts";
import { idOf, nullable } from "#platform/http/contract/words.ts";

import type { Dispute } from "./dispute.ts";
import { disputeWire } from "./schema.ts";

const declared = declareEvents(
  shape<Dispute>()({
    id: idOf("dispute"),
    dispute_id: from((dispute: Dispute) => dispute.id, idOf("dispute")),
    payment_id: idOf("payment"),
    order_id: nullable(idOf("order")),
    dispute: from((dispute: Dispute): Dispute => dispute, disputeWire),
  }),
  ["payment.disputed", "payment.dispute_closed"],
);

export const disputeEvents = declared.payloads;

/** Builds the event of a dispute. The subject is its order; a payment link is its own subject. */
export function disputeMoved(name: string, dispute: Dispute): Announcement {
  return declared.announce(name, dispute.orderId ?? dispute.paymentId, dispute);
}

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
  {
    "payment.disputed": "A customer's bank asks for the money of a payment back.",
    "payment.dispute_closed": "A dispute was won, lost, or closed without a decision.",
  },
);

export const disputeEvents = declared.schemas;

/** Builds the event of a dispute. The subject is its order; a payment link is its own subject. */
export function disputeMoved(name: string, dispute: Dispute): Announcement {
  return declared.announce(name, dispute.orderId ?? dispute.paymentId, dispute);
}

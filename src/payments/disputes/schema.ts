// Disputes on the wire.

import Type, { type Static } from "typebox";

import { amountOf, at, from, orNull, wire } from "#platform/http/contract/wire.ts";
import {
  anyOf,
  choice,
  currency,
  idOf,
  line,
  nullable,
  object,
  optional,
  whole,
} from "#platform/http/contract/words.ts";

import { disputedMoney, disputeStates } from "./dispute-life.ts";
import type { Dispute } from "./dispute.ts";
import type { DisputeQuery } from "./lookups.ts";

const textOrNull = nullable(Type.String());

/** The response of a dispute. */
export const disputeWire = wire<Dispute>()("Dispute", {
  id: idOf("dispute"),
  payment_id: idOf("payment"),
  order_id: nullable(idOf("order")),
  gateway: Type.String(),
  gateway_dispute_id: from((dispute: Dispute) => dispute.name, Type.String()),
  status: {
    ...choice(disputeStates),
    description:
      "`warning`: the bank asks, and takes nothing. `open`: it is not decided. `closed`: it ended without a decision.",
  },
  money: {
    ...choice(disputedMoney),
    description: "Whether the gateway took the disputed money, and gave it back.",
  },
  amount: amountOf((dispute: Dispute) => dispute.amountMinor),
  amount_minor: whole(0),
  currency,
  reason: textOrNull,
  due_at: orNull(at),
  version: whole(1),
  created_at: at,
  updated_at: at,
});

export const disputeQuerySchema = object({
  status: anyOf(disputeStates),
  payment: optional(line(80, { description: "The reference or the id of a payment." })),
});

/** Reads the filters of the list of disputes. */
export function readDisputeQuery(query: Static<typeof disputeQuerySchema>): DisputeQuery {
  return { statuses: query.status, payment: query.payment };
}

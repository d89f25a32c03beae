// Returns and write-offs on the wire: the requests.

import Type, { type Static } from "typebox";

import {
  amountGiven,
  choice,
  idOf,
  note,
  nullable,
  object,
  optional,
} from "#platform/http/contract/words.ts";
import { moneyBackGiven, readUnitsGiven, unitsGiven } from "#sales/orders/request-schema.ts";

import { returnReasons } from "./return-life.ts";
import type { ReturnRequest } from "./return-units.ts";

export const returnRequestSchema = object({
  line_items: unitsGiven("Shipped units that came back."),
  restock: optional(Type.Boolean({ description: "Returns the units to stock." })),
  reason: optional(choice(returnReasons)),
  note: optional(nullable(note(500))),
  refund: optional(moneyBackGiven),
  write_off: optional(
    Type.Boolean({
      description:
        "Writes off what is still due. True by default if nothing was paid, every shipped unit came back and none is open.",
    }),
  ),
  exchange_order_id: optional(nullable(idOf("order"))),
});

export const writeOffSchema = object({
  amount: amountGiven,
  note: optional(nullable(note(500))),
});

/** Reads the body of a return; the default reason is `other`. */
export function readReturnRequest(body: Static<typeof returnRequestSchema>): ReturnRequest {
  return {
    lines: readUnitsGiven(body.line_items),
    restock: body.restock ?? false,
    reason: body.reason ?? "other",
    note: body.note ?? null,
    refund: body.refund ?? true,
    writeOff: body.write_off,
    exchangeOrderId: body.exchange_order_id ?? null,
  };
}

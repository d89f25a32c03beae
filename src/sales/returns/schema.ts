// Returns on the wire: the answers.

import Type from "typebox";

import { at, from, inBothUnits, list, shape, wire } from "#platform/http/contract/wire.ts";
import { choice, idOf, nullable, whole } from "#platform/http/contract/words.ts";
import { type OrderView, orderWire } from "#sales/orders/schema.ts";

import type { ReturnView } from "./lookups.ts";
import { type ReturnedLine, returnReasons } from "./return-life.ts";

const returnedLineShape = shape<ReturnedLine>()({
  line_item_id: idOf("lineItem"),
  quantity: whole(1),
  restocked: whole(0),
});

const fields = {
  id: idOf("return"),
  order_id: idOf("order"),
  line_items: from((row: ReturnView) => row.lines, list(returnedLineShape)),
  reason: choice(returnReasons),
  note: nullable(Type.String()),
  ...inBothUnits("refund", (row: ReturnView) => row.refundMinor),
  ...inBothUnits("written_off", (row: ReturnView) => row.writtenOffMinor),
  exchange_order_id: nullable(idOf("order")),
  created_at: at,
};

export const returnWire = wire<ReturnView>()("Return", fields);

/** A return with the order after it. */
export interface ReturnedView extends ReturnView {
  readonly order: OrderView;
}

export const returnedWire = wire<ReturnedView>()("ReturnedOrder", { ...fields, order: orderWire });

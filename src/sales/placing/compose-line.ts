// The row of a line of a new order.

import { type Id, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import type { AgreedLine } from "#pricing/quote/agreed-sale.ts";
import type { OrderLine } from "#sales/orders/order.ts";

/** A line of a new order. */
export function composeLine(tx: Tx, orderId: Id<"order">, line: AgreedLine): OrderLine {
  return {
    ...line,
    orderId,
    id: newId("lineItem", tx.now),
    cancelledQuantity: 0,
    fulfilledQuantity: 0,
    returnedQuantity: 0,
  };
}

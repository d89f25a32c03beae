// The event of units that came back.

import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { from, shape } from "#platform/http/contract/wire.ts";
import { choice } from "#platform/http/contract/words.ts";
import { orderNews } from "#sales/orders/events.ts";
import { fulfillmentStatuses, paymentStatuses } from "#sales/orders/order-life.ts";
import type { Order } from "#sales/orders/order.ts";

import { returnWire } from "./schema.ts";
import type { ReturnRow } from "./tables.ts";

interface OrderWithReturn extends Order {
  readonly returned: ReturnRow;
}

const events = declareEvents(
  shape<OrderWithReturn>()({
    ...orderNews,
    payment_status: choice(paymentStatuses),
    fulfillment_status: choice(fulfillmentStatuses),
    return: from(
      (order: OrderWithReturn) => ({ ...order.returned, currency: order.currency }),
      returnWire,
    ),
  }),
  ["order.returned"],
);

export const returnEvents = events.payloads;

/** Builds `order.returned`. */
export function orderReturned(order: Order, returned: ReturnRow): Announcement {
  return events.announce("order.returned", order.id, { ...order, returned });
}

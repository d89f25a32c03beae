// Events of orders. Every payload starts with the same fields, named and typed as in `order.paid`,
// followed by those of its event.

import Type from "typebox";

import { eventContact, eventContactAdded, eventCustomer } from "#customers/events.ts";
import { addressWire } from "#customers/schema.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import {
  added,
  amountOf,
  from,
  inBothUnits,
  list,
  orNull,
  shape,
} from "#platform/http/contract/wire.ts";
import {
  choice,
  currency,
  idOf,
  metadata,
  nullable,
  whole,
} from "#platform/http/contract/words.ts";
import {
  furtherTotalsAdded,
  orderDiscounts,
  type PartTaxes,
  taxLines,
  taxLinesOfPart,
} from "#pricing/quote/schema.ts";
import type { FulfilledLine } from "#sales/rows/order-life.ts";
import type { Fulfillment, Order, OrderLine, WholeOrder } from "#sales/rows/order.ts";
import type { Sale } from "#sales/rows/sale.ts";
import type { ReturnRow } from "#sales/rows/tables.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import {
  cancelReason,
  fulfillmentStatus,
  fulfillmentWire,
  lineUnitsShape,
  orderedLines,
  orderPaymentStatus,
  returnWire,
  saleTotals,
  statusUrlText,
} from "./schema.ts";

/** An order with what its event is about. */
interface OrderNews extends Order {
  readonly lines: readonly OrderLine[];
}

/** The members that every event of an order begins with. */
export const orderNews = {
  id: added(idOf("order")),
  order_id: from((order: Order) => order.id, idOf("order")),
  ...inBothUnits("total", (order: Order) => order.totalMinor, added),
  currency,
  channel: Type.String(),
  payment_method: paymentMethod,
  customer: eventCustomer((order: Order) => order.customer),
  number: whole(1),
  external_id: nullable(Type.String()),
};

/** An order with the link to its page. */
interface LinkedNews extends OrderNews {
  readonly statusUrl: string;
}

/** The members that a receiver needs to ship and to write to the customer. */
const destination = {
  customer: eventContactAdded((order: Order) => order.customer),
  shipping_address: added(orNull(addressWire)),
  status_url: added(statusUrlText),
};

/** How the totals came about. */
const saleNews = {
  discounts: added(orderDiscounts),
  tax_lines: added(taxLines),
  ...furtherTotalsAdded,
};

/** The refunded part of the sale, without the refunds of a surplus. */
export function saleRefunded<Row extends Order>(refundedMinorOf: (row: Row) => number) {
  return inBothUnits("sale_refunded_total", refundedMinorOf);
}

const placedEvents = declareEvents(
  shape<LinkedNews>()({
    ...orderNews,
    ...destination,
    cart_id: nullable(idOf("cart")),
    line_items: orderedLines,
    ...saleNews,
    metadata,
  }),
  ["order.placed"],
);

/** The order with the lines and totals of the sale in place of what was agreed. */
interface PaidOrder extends LinkedNews {
  readonly agreedMinor: number;
}

const paidEvents = declareEvents(
  shape<PaidOrder>()({
    ...orderNews,
    ...destination,
    cart_id: nullable(idOf("cart")),
    line_items: orderedLines,
    ...saleTotals,
    ...saleNews,
    ...inBothUnits("order_total", (order: PaidOrder) => order.agreedMinor, added),
    ...inBothUnits("written_off_total", (order: Order) => order.writtenOffMinor, added),
    ...saleRefunded<PaidOrder>(() => 0),
  }),
  ["order.paid"],
);

interface FulfilledOrder extends Order {
  readonly fulfillment: Fulfillment;
}

const fulfilledEvents = declareEvents(
  shape<FulfilledOrder>()({ ...orderNews, fulfillment: fulfillmentWire }),
  ["order.fulfilled"],
);

interface ChangedOrder extends Order {
  readonly changed: readonly string[];
  readonly fulfillment: Fulfillment | null;
  readonly cancelled: readonly FulfilledLine[];
  readonly note: string | null;
  /** True if the order had been fulfilled, and units of it are open again. */
  readonly isUnfulfilled: boolean;
  /** The amount that this change wrote off; below 0 where late money or returned goods took some back. */
  readonly changedWriteOffMinor: number;
  /** True if it changed what was sold before. */
  readonly isOfSale: boolean;
  readonly reduction: SaleReduction | null;
  readonly kept: KeptChange | null;
}

/** A change of the money that is kept beside the sale, with its taxes. Below zero where less is kept than before. */
export interface KeptChange extends PartTaxes {
  readonly amountMinor: number;
}

const keptChange = shape<KeptChange>()({
  amount: amountOf((kept: KeptChange) => kept.amountMinor),
  amount_minor: from(
    (kept: KeptChange) => kept.amountMinor,
    whole(undefined, undefined, {
      description:
        "How much more is kept of the money for goods that were never sold, with its taxes; below zero where less is. `tax_lines` has no signs.",
    }),
  ),
  tax_lines: taxLinesOfPart,
});

/** The part that is sold no more, with its taxes. */
interface SaleReduction extends PartTaxes {
  readonly amountMinor: number;
}

const saleReduction = shape<SaleReduction>()({
  amount: amountOf((reduction: SaleReduction) => reduction.amountMinor),
  amount_minor: from(
    (reduction: SaleReduction) => reduction.amountMinor,
    whole(1, undefined, {
      description:
        "How much less was sold than `order.paid` announced: what had been written off of units that were cancelled or came back since. No refund is of it.",
    }),
  ),
  tax_lines: taxLinesOfPart,
});

const updatedEvents = declareEvents(
  shape<ChangedOrder>()({
    ...orderNews,
    changed: Type.Array(Type.String(), { description: "The names of the fields that changed." }),
    fulfillment: added(orNull(fulfillmentWire)),
    cancelled_line_items: from(
      (order: ChangedOrder) => order.cancelled,
      added(list(lineUnitsShape)),
    ),
    note: added(nullable(Type.String())),
    unfulfilled: added(
      from(
        (order: ChangedOrder) => order.isUnfulfilled,
        Type.Boolean({
          description:
            "Whether `order.fulfilled` holds no more: its last shipment was recorded by mistake. It is sent again with the last open unit.",
        }),
      ),
    ),
    written_off: amountOf((order: ChangedOrder) => order.changedWriteOffMinor),
    written_off_minor: added(
      from(
        (order: ChangedOrder) => order.changedWriteOffMinor,
        whole(undefined, undefined, {
          description: "What was written off; below 0 where late money or returns took some back.",
        }),
      ),
    ),
    written_off_of_sale: from(
      (order: ChangedOrder) => order.isOfSale,
      added(
        Type.Boolean({
          description:
            "Whether `written_off` is of a sale that `order.paid` announced before. What was written off until then is its `written_off_total`.",
        }),
      ),
    ),
    sale_reduction: from((order: ChangedOrder) => order.reduction, added(orNull(saleReduction))),
    kept: added(orNull(keptChange)),
  }),
  ["order.updated"],
);

interface CancelledOrder extends Order {
  readonly refund: boolean;
}

const cancelledEvents = declareEvents(
  shape<CancelledOrder>()({
    ...orderNews,
    cancel_reason: nullable(cancelReason),
    cancel_note: nullable(Type.String()),
    refund: Type.Boolean({ description: "Whether what was paid is refunded." }),
  }),
  ["order.cancelled"],
);

interface AbandonedOrder extends OrderNews {
  readonly recoveryUrl: string;
}

const abandonedEvents = declareEvents(
  shape<AbandonedOrder>()(
    {
      id: added(idOf("order")),
      cart_id: from(() => null, Type.Null()),
      order_id: from((order: Order) => order.id, idOf("order")),
      source: from((): "order" => "order", choice(["order"])),
      channel: Type.String(),
      line_items: orderedLines,
      ...inBothUnits("discount_total", (order: Order) => order.discountMinor, added),
      ...inBothUnits("total", (order: Order) => order.totalMinor, added),
      currency,
      customer: eventContact((order: Order) => order.customer),
      recovery_url: Type.String(),
    },
    { name: "UnpaidOrderNews" },
  ),
  ["cart.abandoned"],
);

export const orderEvents = {
  ...placedEvents.payloads,
  ...paidEvents.payloads,
  ...fulfilledEvents.payloads,
  ...updatedEvents.payloads,
  ...cancelledEvents.payloads,
};
/** The half of `cart.abandoned` that is about orders; the other half is in `cartEvents`. */
export const unpaidOrderEvents = abandonedEvents.payloads;

type OrderWithLines = Pick<WholeOrder, "order" | "lines">;

/** Builds `order.placed` with the link to the order's page. */
export function orderPlaced({ order, lines }: OrderWithLines, statusUrl: string): Announcement {
  return placedEvents.announce("order.placed", order.id, { ...order, lines, statusUrl });
}

/** Builds `order.paid` with the lines and totals of what is sold, and the link to the order's page. */
export function orderPaid(
  order: Order,
  { lines, totals, breakdown }: Sale,
  statusUrl: string,
): Announcement {
  const news = { ...order, ...totals, breakdown, lines, agreedMinor: order.totalMinor, statusUrl };
  return paidEvents.announce("order.paid", order.id, news);
}

/** Builds `cart.abandoned` for an order that is still unpaid, in the shape of the event of a cart. */
export function orderAbandoned(
  { order, lines }: OrderWithLines,
  recoveryUrl: string,
): Announcement {
  return abandonedEvents.announce("cart.abandoned", order.id, { ...order, lines, recoveryUrl });
}

/** Builds `order.fulfilled`. */
export function orderFulfilled(order: Order, fulfillment: Fulfillment): Announcement {
  return fulfilledEvents.announce("order.fulfilled", order.id, { ...order, fulfillment });
}

/** Builds `order.updated` for a part of the order that was shipped; open units remain. */
export function orderPartlyFulfilled(order: Order, fulfillment: Fulfillment): Announcement {
  return orderUpdated(order, { changed: ["fulfillments"], fulfillment });
}

/** Builds `order.updated`; `changed` names the fields. */
export function orderUpdated(
  order: Order,
  news: Pick<ChangedOrder, "changed"> & Partial<ChangedOrder>,
): Announcement {
  return updatedEvents.announce("order.updated", order.id, {
    fulfillment: null,
    cancelled: [],
    note: null,
    isUnfulfilled: false,
    changedWriteOffMinor: 0,
    isOfSale: false,
    reduction: null,
    kept: null,
    ...order,
    ...news,
  });
}

/** Builds `order.cancelled`; `refund` says whether what was paid is refunded. */
export function orderCancelled(order: Order, refund: boolean): Announcement {
  return cancelledEvents.announce("order.cancelled", order.id, { ...order, refund });
}

interface OrderWithReturn extends Order {
  readonly returned: ReturnRow;
}

const returnedEvents = declareEvents(
  shape<OrderWithReturn>()({
    ...orderNews,
    payment_status: orderPaymentStatus.schema,
    fulfillment_status: fulfillmentStatus.schema,
    return: from(
      (order: OrderWithReturn) => ({ ...order.returned, currency: order.currency }),
      returnWire,
    ),
  }),
  ["order.returned"],
);

export const returnEvents = returnedEvents.payloads;

/** Builds `order.returned`. */
export function orderReturned(order: Order, returned: ReturnRow): Announcement {
  return returnedEvents.announce("order.returned", order.id, { ...order, returned });
}

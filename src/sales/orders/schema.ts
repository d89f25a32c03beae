// Orders and returns on the wire: the answers.

import Type, { type Static } from "typebox";

import { addressWire, taxExemption } from "#customers/schema.ts";
import { type Id, isId } from "#kernel/id.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { computedStates, states } from "#platform/http/contract/states.ts";
import {
  added,
  amountOrNullOf,
  at,
  type Field,
  from,
  inBothUnits,
  keepingText,
  list,
  orNull,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import {
  amount,
  component,
  currency,
  idOf,
  lineMetadata,
  metadata,
  namedChoice,
  nullable,
  optional,
  taxClass,
  whole,
} from "#platform/http/contract/words.ts";
import { taxClassOfLine } from "#pricing/quote/breakdown.ts";
import {
  furtherTotals,
  includedTaxOfLineFields,
  type LineOfSale,
  orderDiscounts,
  shownFields,
  taxLines,
} from "#pricing/quote/schema.ts";
import { type BearerLink, orderLinkOf, type PlacedOrder } from "#sales/links/link-addresses.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { depositDueOf, dueOf } from "#sales/rows/balance.ts";
import {
  type CancelReason,
  type CustomerSnapshot,
  type FulfilledLine,
  type FulfillmentStatus,
  orderLife,
  type OrderPaymentStatus,
  type ReturnedLine,
  type ReturnReason,
  type Tracking,
} from "#sales/rows/order-life.ts";
import type { Fulfillment, Order, OrderLine, WholeOrder } from "#sales/rows/order.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import type { ReturnView } from "./lookups.ts";

const textOrNull = nullable(Type.String());

/** A line item with what its order has of it. */
export type LineView = OrderLine & LineOfSale;

export const lineFields = {
  ...publicFields({
    id: idOf("lineItem"),
    variant_id: nullable(idOf("variant")),
    product_id: nullable(idOf("product")),
    product_slug: shownFields.product_slug,
    sku: textOrNull,
    name: Type.String(),
    variant_title: shownFields.variant_title,
    options: shownFields.options,
    image: shownFields.image,
    quantity: whole(1),
    cancelled_quantity: whole(0),
    fulfilled_quantity: whole(0),
    returned_quantity: whole(0),
    ...inBothUnits("unit_price", (line: LineView) => line.unitPriceMinor),
    ...inBothUnits("subtotal", (line: LineView) => line.subtotalMinor, added),
    ...inBothUnits("discount_total", (line: LineView) => line.discountMinor, added),
    ...inBothUnits("tax_total", (line: LineView) => line.taxMinor, added),
    ...includedTaxOfLineFields,
    ...inBothUnits("total", (line: LineView) => line.totalMinor),
    tax_class: added(
      from(
        ({ breakdown, position }: LineView) => taxClassOfLine(breakdown, position),
        nullable({
          ...taxClass,
          description:
            "The class by which it is taxed. Null where the shop had neither taxes nor other terms of prices.",
        }),
      ),
    ),
  }),
  ...publicFields({ metadata: added(lineMetadata) }, { names: SENT_NAMES }),
};

/** Units of a line item. */
export const lineUnitsShape = shape<FulfilledLine>()(
  publicFields({ line_item_id: idOf("lineItem"), quantity: whole(1) }),
  { name: "LineUnits" },
);

/** The line items of an order, in answers and in events. */
export const orderedLines = keepingText(
  ["breakdown", "currency", "lines"],
  from(viewLines, list(wire<LineView>()("LineItem", lineFields))),
);

const trackingShape = shape<Tracking>()(
  publicFields({ carrier: textOrNull, number: textOrNull, url: textOrNull }),
  { name: "Tracking" },
);

export const fulfillmentWire = wire<Fulfillment>()("Fulfillment", {
  ...publicFields({
    id: idOf("fulfillment"),
    line_items: from(({ lines }: Fulfillment) => lines, list(lineUnitsShape)),
    tracking: orNull(trackingShape),
    created_at: at,
  }),
  ...publicFields({ metadata: added(metadata) }, { names: SENT_NAMES }),
  cancelled_at: added(orNull(at)),
  cancel_note: added(textOrNull),
});

const customerShape = shape<CustomerSnapshot>()(
  {
    // A stranger cannot tell by it whether the customer is new.
    id: idOf("customer"),
    ...publicFields({ email: textOrNull, phone: textOrNull, name: textOrNull }),
  },
  { name: "OrderCustomer" },
);

export const shippingShape = shape<Order>()(
  publicFields({
    label: from((order: Order) => order.shippingLabel, textOrNull),
    ...inBothUnits("amount", (order: Order) => order.shippingMinor, added),
    rate_id: from(optionIdOf("shippingRate"), nullable(idOf("shippingRate"))),
    pickup_location_id: from(optionIdOf("pickupLocation"), nullable(idOf("pickupLocation"))),
    ...inBothUnits("discount", (order: Order) => order.breakdown?.shipping.discountMinor ?? 0),
  }),
  { name: "OrderShipping" },
);

function optionIdOf<K extends "shippingRate" | "pickupLocation">(kind: K) {
  return ({ breakdown }: Order): Id<K> | null => {
    const id = breakdown?.shipping.optionId ?? "";
    return isId(kind, id) ? id : null;
  };
}

export function hasShipping({ shippingLabel, shippingMinor, breakdown }: Order): boolean {
  const optionId = breakdown?.shipping.optionId ?? null;
  return shippingLabel !== null || shippingMinor !== 0 || optionId !== null;
}

/** How the totals came about, in answers; the log keeps events as they were, so some have less. */
export const saleParts = {
  discount_codes: from(({ breakdown }: Order) => breakdown?.codes ?? [], Type.Array(Type.String())),
  discounts: orderDiscounts,
  prices_include_tax: from(
    ({ breakdown }: Order) => breakdown?.taxTerms.isIncluded ?? false,
    Type.Boolean(),
  ),
  tax_lines: taxLines,
  ...furtherTotals,
  tax_country: from((order: Order) => order.breakdown?.taxTerms.country ?? null, textOrNull),
  tax_region: from((order: Order) => order.breakdown?.taxTerms.region ?? null, textOrNull),
  tax_exemption: from(
    ({ breakdown }: Order) => breakdown?.taxTerms.exemption ?? "none",
    taxExemption,
  ),
};

/** The totals of the sale, in responses and in events. */
export const saleTotals = {
  ...inBothUnits("subtotal", (order: Order) => order.subtotalMinor),
  ...inBothUnits("discount_total", (order: Order) => order.discountMinor),
  ...inBothUnits("shipping_total", (order: Order) => order.shippingMinor),
  ...inBothUnits("tax_total", (order: Order) => order.taxMinor),
  ...inBothUnits("total", (order: Order) => order.totalMinor),
};

/** The link to the page of an order, in responses and in events. */
const orderTokenText = Type.String({
  description:
    "The token of `status_url`: anyone who has it reads the order by `GET /v2/orders/by-link`. Keep it out of addresses that are logged.",
});

export const statusUrlText = Type.String({
  description:
    "The page on which the customer follows and pays the order. Anyone who has the link can open it, for two years.",
});

/** An order with its lines and fulfillments, and the link to its page, as one row. */
export interface OrderView extends Order {
  readonly lines: readonly OrderLine[];
  readonly fulfillments: readonly Fulfillment[];
  readonly statusUrl: string;
  readonly orderToken: string;
}

export const cancelReason = namedChoice<CancelReason>(
  { name: "CancelReason", about: "Why an order, or a part of it, was cancelled." },
  {
    customer: "The customer does not want it any more.",
    merchant: "The shop cannot deliver.",
    fraud: "Suspected fraud.",
    inventory: "It is out of stock.",
    payment_failed: "It was not paid.",
    expired: "It was not paid in time.",
    other: "Another reason.",
  },
);

export const returnReason = namedChoice<ReturnReason>(
  { name: "ReturnReason", about: "Why units came back." },
  {
    unwanted: "The customer does not want them any more.",
    damaged: "They were damaged.",
    wrong_item: "They were not what was ordered.",
    refused_at_door: "The customer did not take them from the courier.",
    not_collected: "The customer did not collect them.",
    other: "Another reason.",
  },
);

/** The status of an order, for the documentation. */
export const orderStatus = states(
  {
    name: "OrderStatus",
    about: "Whether there is anything left to do.",
    life: orderLife,
  },
  {
    open: "Something is to be paid, or to be shipped.",
    completed: "Everything is shipped and nothing is due.",
    cancelled: "It was cancelled as a whole, or expired unpaid. Its stock is free again.",
  },
);

/** The payment status of an order, for the documentation. */
export const orderPaymentStatus = computedStates<OrderPaymentStatus>(
  {
    name: "OrderPaymentStatus",
    about:
      "How the money stands, computed from `due`, what was paid and refunded, and the open payments. The first that fits: while something is due `review`, `partially_paid`, `pending`, `unpaid`; where nothing is due and no money came `paid`, if the order was fully paid or free, else `review`, `unpaid`; where money came `refunded`, `overpaid`, `partially_refunded`, `paid`.",
  },
  {
    unpaid:
      "Nothing was paid, and no payment is under way; so is an order that was cancelled before.",
    pending: "Nothing was paid yet, and a payment is under way.",
    review: "Money came that does not match, and a person has to accept it or give it back.",
    partially_paid: "A part was paid, and `due` is the rest.",
    paid: "Nothing is due. An order that costs nothing is paid when it is placed.",
    overpaid: "More was paid than is owed, and the surplus is being refunded.",
    partially_refunded: "Nothing is due, and a part of what was paid went back.",
    refunded: "All that was paid went back.",
  },
);

/** The fulfillment status of an order, for the documentation. */
export const fulfillmentStatus = computedStates<FulfillmentStatus>(
  {
    name: "FulfillmentStatus",
    about:
      "How the goods stand, computed from the units of its line items. Units that were cancelled do not count.",
  },
  {
    unfulfilled: "No unit has been shipped.",
    partially_fulfilled: "Some units have been shipped, and others are still to be.",
    fulfilled: "Every unit has been shipped or handed over.",
  },
);

export const orderFields = {
  ...publicFields({
    id: idOf("order"),
    number: whole(1),
    status: orderStatus.schema,
    payment_status: orderPaymentStatus.schema,
    fulfillment_status: fulfillmentStatus.schema,
  }),
  customer_id: nullable(idOf("customer")),
  ...publicFields({
    customer: orNull(customerShape),
    line_items: orderedLines,
    payment_method: paymentMethod,
    currency,
    channel: Type.String(),
  }),
  external_id: textOrNull,
  ...publicFields({
    cart_id: nullable(idOf("cart")),
    shipping_address: orNull(addressWire),
    billing_address: orNull(addressWire),
    shipping: from((order: Order) => (hasShipping(order) ? order : null), orNull(shippingShape)),
    notes: textOrNull,
    ...saleTotals,
    ...saleParts,
    tax_id: textOrNull,
    ...inBothUnits("credited_total", (order: Order) => order.creditedMinor, added),
    ...inBothUnits("kept_total", (order: Order) => order.keptMinor, added),
    ...inBothUnits("written_off_total", (order: Order) => order.writtenOffMinor, added),
    ...inBothUnits("paid_total", (order: Order) => order.paidMinor),
    ...inBothUnits("refunding_total", (order: Order) => order.refundingMinor, added),
    ...inBothUnits("refunded_total", (order: Order) => order.refundedMinor),
    ...inBothUnits("due", (order: Order) => dueOf(order)),
    ...inBothUnits("deposit_due", (order: Order) => depositDueOf(order), added),
    deposit_percent: added(
      whole(1, 100, { description: "The percentage that, once paid, stops the order's expiry." }),
    ),
  }),
  fulfillments: list(fulfillmentWire),
  cancel_reason: nullable(cancelReason),
  cancel_note: textOrNull,
  ...publicFields({ paid_at: orNull(at), fulfilled_at: orNull(at), cancelled_at: orNull(at) }),
  ...publicFields({
    expires_at: orNull(at),
    status_url: added(statusUrlText),
    order_token: added(orderTokenText),
  }),
  ...publicFields({ metadata }, { names: SENT_NAMES }),
  ...publicFields({ version: whole(1), created_at: at, updated_at: at }),
};

export const orderWire = wire<OrderView>()("Order", orderFields);

/** An order as it is answered. By its name the checker does not go through the whole shape again at each use. */
export interface OrderAnswer extends Static<(typeof orderWire)["schema"]> {}

/** A new order, with what the customer gets back of the money that they handed over. */
interface PlacedOrderView extends OrderView {
  /** Null where no money was handed over. */
  readonly changeMinor: number | null;
}

const soldOrder = wire<PlacedOrderView>()("SoldOrder", {
  ...orderFields,
  // The change of money that a merchant took.
  change: amountOrNullOf((placed: PlacedOrderView) => placed.changeMinor),
  change_minor: nullable(whole(0)),
});

/** An order as it is read later, so that its ETag stays valid; `change` only where there is one. */
export const placedOrderWire: Field<PlacedOrderView> = {
  schema: component("PlacedOrder", {
    ...soldOrder.schema.properties,
    change: optional(amount),
    change_minor: optional(whole(0)),
  }),
  present: (placed) => wireOf(placed).present(placed),
  write: (placed) => wireOf(placed).write(placed),
};

function wireOf({ changeMinor }: PlacedOrderView): Field<PlacedOrderView> {
  return changeMinor === null ? orderWire : soldOrder;
}

/** Line items with what their order has of them. */
export function viewLines({
  lines,
  currency: code,
  breakdown,
}: Pick<OrderView, "lines" | "currency" | "breakdown">): LineView[] {
  return lines.map((line) => ({ ...line, breakdown, currency: code }));
}

/** Returns the row of which `orderWire` makes the response; the terms make the link to its page. */
export function viewOrder(given: WholeOrder, terms: LinkTerms): OrderView {
  return withLink(given, orderLinkOf(terms, given.order));
}

/** The contact details that came with an order. */
type SentContact = { readonly [K in "email" | "phone" | "name"]?: string | null };

/**
 * Returns the row of a new order for a caller who sent this contact, or whose session has it. Without `orders:read` that is all that
 * the row has of the customer: the order may have taken the rest from a record that the caller cannot read.
 * The page of its link shows the contact only if all of it was sent: what is missing would else tell whether
 * the record has it.
 */
export function viewPlaced(
  placed: PlacedOrder,
  sent: SentContact | null | undefined,
  { scopes }: Pick<Caller, "scopes">,
): OrderView {
  const { order, linkTerms, link } = placed;
  const { customer } = order;
  if (customer === null || scopes.has("orders:read")) return withLink(placed, link);
  const ifSent = (field: keyof SentContact) => {
    const given = (sent?.[field] ?? "").toLowerCase();
    return given === (customer[field] ?? "").toLowerCase() ? customer[field] : null;
  };
  const visible = {
    id: customer.id,
    email: ifSent("email"),
    phone: ifSent("phone"),
    name: ifSent("name"),
  };
  const isWhole = [sent?.email, sent?.phone, sent?.name].every((one) => (one ?? "") !== "");
  const showsContact = isWhole && Bun.deepEquals(visible, customer);
  const shown = { ...placed, order: { ...order, customer: visible } };
  return withLink(shown, showsContact ? link : orderLinkOf(linkTerms, order, { showsContact }));
}

function withLink({ order, lines, fulfillments }: WholeOrder, link: BearerLink): OrderView {
  return { ...order, lines, fulfillments, ...link };
}

const returnedLineShape = shape<ReturnedLine>()(
  {
    line_item_id: idOf("lineItem"),
    quantity: whole(1),
    restocked: whole(0),
  },
  { name: "ReturnedLine" },
);

const fields = {
  id: idOf("return"),
  order_id: idOf("order"),
  line_items: from((row: ReturnView) => row.lines, list(returnedLineShape)),
  reason: returnReason,
  note: nullable(Type.String()),
  ...inBothUnits("refund", (row: ReturnView) => row.refundMinor),
  ...inBothUnits("written_off", (row: ReturnView) => row.writtenOffMinor),
  exchange_order_id: nullable(idOf("order")),
  created_at: at,
  metadata: added(metadata),
};

export const returnWire = wire<ReturnView>()("Return", fields);

/** A return with the order after it. */
export interface ReturnedView extends ReturnView {
  readonly order: OrderView;
}

export const returnedWire = wire<ReturnedView>()("ReturnedOrder", { ...fields, order: orderWire });

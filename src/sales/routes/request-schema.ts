// Orders, returns and write-offs on the wire: the requests.

import Type, { type Static } from "typebox";

import { addressGivenSchema } from "#customers/schema.ts";
import type { ExpectedVersion, WholeChange } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import {
  about,
  amountGiven,
  component,
  identifying,
  idOf,
  line,
  matching,
  metadata,
  note,
  nullable,
  object,
  optional,
  webAddress,
  whole,
} from "#platform/http/contract/words.ts";
import { readShippingGiven, shippingGiven } from "#pricing/quote/schema.ts";
import { contactObject, readAddressOrNull } from "#sales/carts/schema.ts";
import type { Cancellation } from "#sales/changing/cancel-order.ts";
import type { FulfillmentRequest } from "#sales/changing/fulfillments.ts";
import type { OrderChange } from "#sales/changing/order-change.ts";
import type { ReturnRequest } from "#sales/changing/returns.ts";
import { cancelReason, returnReason } from "#sales/orders/schema.ts";
import { lineItems, readLines } from "#sales/placing/request-schema.ts";
import { LINES_MAX, QUANTITY_MAX } from "#sales/rows/cart.ts";
import type { UnitsRequest } from "#sales/rows/line-units.ts";
import type { Tracking } from "#sales/rows/order-life.ts";

const address = nullable(addressGivenSchema);

export const orderChangeSchema = object({
  customer: optional(about(contactObject, "Changes the order's customer, not their record.")),
  shipping_address: optional(address),
  billing_address: optional(address),
  notes: optional(nullable(note(5000))),
  metadata: optional(metadata),
  line_items: optional(lineItems),
  shipping: optional(shippingGiven),
});

/** Units of line items, as requests name them. */
const unitsGiven = (description: string) =>
  Type.Array(
    component("LineUnitsInput", {
      line_item_id: idOf("lineItem"),
      quantity: whole(1, QUANTITY_MAX),
    }),
    {
      minItems: 1,
      maxItems: LINES_MAX,
      description,
    },
  );

const trackingGiven = component("TrackingInput", {
  carrier: optional(nullable(line(100))),
  number: optional(nullable(line(100, identifying))),
  url: optional(nullable(webAddress)),
});

/** How much of the money for units goes back. */
const moneyBackGiven = Type.Union([Type.Boolean(), amountGiven], {
  description:
    "What goes back of the money paid for these units: all of it (if not given), nothing, or an amount in major units. An amount is all that goes back: what was overpaid first, then money for the units, of which the rest is kept.",
});

/** The answer to money above the caller's limit. */
export const aboveLimitGiven = Type.Unsafe<"refuse" | "ask">({
  type: "string",
  ...matching("^(refuse|ask)$", "This must be one of: refuse, ask."),
  maxLength: 20,
  default: "refuse",
  description:
    "Money above what the caller may still refund is refused with `refund_limit_exceeded` (`refuse`), or its refund saved with the status `needs_approval` (`ask`): set aside until someone with `refunds:write` approves or declines it.",
});

export const fulfillmentRequestSchema = object({
  line_items: optional(unitsGiven("All open units by default.")),
  tracking: optional(nullable(trackingGiven)),
  force: optional(Type.Boolean({ description: "Ships although all money was refunded." })),
  metadata: optional(metadata),
});

export const trackingRequestSchema = object({
  tracking: nullable(trackingGiven),
  metadata: optional(metadata),
});

export const fulfillmentCancellationSchema = object({ note: optional(nullable(note(500))) });

export const cancellationSchema = object({
  line_items: optional(
    unitsGiven("All open units by default. Requires an `Idempotency-Key` or `If-Match`."),
  ),
  reason: optional(cancelReason),
  note: optional(nullable(note(500))),
  refund: optional(moneyBackGiven),
  above_limit: optional(aboveLimitGiven),
});

/** Reads the body of a change. */
export function readOrderChange(body: Static<typeof orderChangeSchema>): WholeChange<OrderChange> {
  return {
    contact: body.customer,
    shippingAddress: readAddressOrNull(body.shipping_address),
    billingAddress: readAddressOrNull(body.billing_address),
    notes: body.notes,
    metadata: body.metadata,
    lines: body.line_items === undefined ? undefined : readLines(body.line_items),
    shipping: readShippingGiven(body.shipping),
  };
}

/** Reads the body of a fulfillment. */
export function readFulfillment(body: Static<typeof fulfillmentRequestSchema>): FulfillmentRequest {
  const { line_items: lines, tracking } = body;
  return {
    lines: lines === undefined ? undefined : readUnitsGiven(lines),
    tracking: readTracking(tracking),
    isForced: body.force ?? false,
    metadata: body.metadata ?? {},
  };
}

/** Reads units of line items. */
function readUnitsGiven(
  given: readonly { readonly line_item_id: Id<"lineItem">; readonly quantity: number }[],
): UnitsRequest[] {
  return given.map((one) => ({ lineItemId: one.line_item_id, quantity: one.quantity }));
}

/** Reads the tracking of a fulfillment. */
export function readTracking(
  given: Static<typeof trackingGiven> | null | undefined,
): Tracking | null {
  if (given === undefined || given === null) return null;
  const { carrier = null, number = null, url = null } = given;
  return { carrier, number, url };
}

/** Reads the body of a cancellation; the default reason is `merchant`. */
export function readCancellation(body: Static<typeof cancellationSchema>): Cancellation {
  return {
    lines: body.line_items === undefined ? undefined : readUnitsGiven(body.line_items),
    reason: body.reason ?? "merchant",
    note: body.note ?? null,
    refund: body.refund ?? true,
  };
}

/** Refuses to cancel a part without a guard: the same request sent twice would cancel twice as much. */
export function requireOnce(
  body: Static<typeof cancellationSchema>,
  {
    expected,
    idempotent,
  }: { readonly expected: ExpectedVersion; readonly idempotent: object | null },
): void {
  if (body.line_items === undefined || expected !== null || idempotent !== null) return;
  const faults = new Faults();
  faults.add(
    "/line_items",
    "guard_required",
    "Cancelling a part requires an Idempotency-Key or If-Match header.",
  );
  faults.refuseIfAny();
}

export const returnRequestSchema = object({
  line_items: unitsGiven("Shipped units that came back."),
  restock: optional(Type.Boolean({ description: "Returns the units to stock." })),
  reason: optional(returnReason),
  note: optional(nullable(note(500))),
  refund: optional(moneyBackGiven),
  above_limit: optional(aboveLimitGiven),
  write_off: optional(
    Type.Boolean({
      description:
        "Writes off what is still due. True by default if nothing was paid, every shipped unit came back and none is open.",
    }),
  ),
  exchange_order_id: optional(nullable(idOf("order"))),
  metadata: optional(metadata),
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
    metadata: body.metadata ?? {},
  };
}

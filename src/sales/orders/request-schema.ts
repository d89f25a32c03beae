// Orders on the wire: the requests.

import Type, { type Static } from "typebox";

import { addressGivenSchema } from "#customers/schema.ts";
import type { Id } from "#kernel/id.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { PAYMENT_METHOD_DEFAULT, paymentMethods } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import { open } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import {
  amountGiven,
  choice,
  component,
  currency,
  idOf,
  line,
  metadata,
  nameGiven,
  note,
  nullable,
  object,
  optional,
  skuGiven,
  webAddress,
  whole,
} from "#platform/http/contract/words.ts";
import type { LineRequest, OwnLineRequest } from "#pricing/quote/price-order.ts";
import type { UnitsRequest } from "#sales/balance/line-units.ts";
import { CHANNEL_DEFAULT, LINES_MAX, QUANTITY_MAX } from "#sales/carts/cart.ts";
import type { Completion } from "#sales/carts/complete-cart.ts";
import {
  channelGiven,
  contactGiven,
  readAddressOrNull,
  readShippingGiven,
  shippingGiven,
} from "#sales/carts/schema.ts";
import type { FulfillmentRequest } from "#sales/fulfillments/fulfill-order.ts";

import type { Cancellation } from "./cancel-order.ts";
import { cancelReasons, type Tracking } from "./order-life.ts";
import type { OrderRequest } from "./place-order.ts";
import type { OrderChange } from "./update-order.ts";

/** A line of an order in a request: of a variant, or the merchant's own. */
const orderLineGiven = component(
  "OrderLineItemInput",
  {
    ...open({ variant_id: optional(idOf("variant")) }),
    name: optional(
      nameGiven(200, {
        description: "With `unit_price`, names something that is not in the catalog.",
      }),
    ),
    unit_price: optional(
      Type.Union(amountGiven.anyOf, {
        description:
          "The price of one unit without a variant, in major units. Needs `orders:write`.",
      }),
    ),
    sku: optional(skuGiven(100, { description: "Of a line without a variant." })),
    ...open({ quantity: whole(1, QUANTITY_MAX) }),
  },
  { "x-either": [["variant_id"], ["name", "unit_price", "sku?"]] },
);
const lineItems = Type.Array(orderLineGiven, { minItems: 1, maxItems: LINES_MAX });
const address = nullable(addressGivenSchema);

const totalGiven = optional(
  Type.Union(amountGiven.anyOf, {
    description: "Refuse with `total_changed` unless this is the total, in major units.",
  }),
);

export const orderRequestSchema = object({
  ...open({ line_items: lineItems }),
  customer_id: optional(idOf("customer")),
  ...open({
    customer: optional(
      object(contactGiven, {
        description:
          "Matched by email, then by phone. A new customer is created if neither matches. The order keeps what is said here; the record of a known customer takes only what it lacks, from keys with `customers:write`.",
      }),
    ),
    payment_method: optional(choice(paymentMethods)),
    currency: optional(currency),
  }),
  channel: optional(channelGiven),
  external_id: optional(nullable(line(255))),
  ...open({ shipping_address: optional(address), billing_address: optional(address) }),
  shipping: optional(shippingGiven),
  ...open({ notes: optional(nullable(note(5000))) }),
  ...open({ metadata: optional(metadata) }, { names: SENT_NAMES }),
  ...open({ expected_total: totalGiven }),
});

export const orderChangeSchema = object({
  customer: optional(
    object(contactGiven, { description: "Changes the order's customer, not their record." }),
  ),
  shipping_address: optional(address),
  billing_address: optional(address),
  notes: optional(nullable(note(5000))),
  metadata: optional(metadata),
  line_items: optional(lineItems),
  shipping: optional(shippingGiven),
});

/** Units of line items, as requests name them. */
export const unitsGiven = (description: string) =>
  Type.Array(object({ line_item_id: idOf("lineItem"), quantity: whole(1, QUANTITY_MAX) }), {
    minItems: 1,
    maxItems: LINES_MAX,
    description,
  });

const trackingGiven = object({
  carrier: optional(nullable(line(100))),
  number: optional(nullable(line(100))),
  url: optional(nullable(webAddress)),
});

/** How much of the money for units goes back. */
export const moneyBackGiven = Type.Union([Type.Boolean(), amountGiven], {
  description:
    "What goes back of the money paid for these units: all of it (if not given), nothing, or an amount in major units. The rest is kept.",
});

export const fulfillmentRequestSchema = object({
  line_items: optional(unitsGiven("All open units by default.")),
  tracking: optional(nullable(trackingGiven)),
  force: optional(Type.Boolean({ description: "Ships although all money was refunded." })),
});

export const trackingRequestSchema = object({ tracking: nullable(trackingGiven) });

export const cancellationSchema = object({
  line_items: optional(
    unitsGiven("All open units by default. Requires an `Idempotency-Key` or `If-Match`."),
  ),
  reason: optional(choice(cancelReasons)),
  note: optional(nullable(note(500))),
  refund: optional(moneyBackGiven),
});

export const completionSchema = object({
  ...open({ payment_method: optional(choice(paymentMethods)) }),
  ...open({ metadata: optional(metadata) }, { names: SENT_NAMES }),
  ...open({ expected_total: totalGiven }),
});

/** Reads the body of a new order. A key that only creates orders is a customer's. */
export function readOrderRequest(
  body: Static<typeof orderRequestSchema>,
  caller: Caller,
): OrderRequest {
  return {
    lines: readLines(body.line_items),
    customerId: body.customer_id,
    customer: readCustomer(body.customer),
    paymentMethod: body.payment_method ?? PAYMENT_METHOD_DEFAULT,
    currency: body.currency,
    channel: body.channel ?? CHANNEL_DEFAULT,
    externalId: body.external_id ?? null,
    cartId: null,
    shippingAddress: readAddressOrNull(body.shipping_address) ?? null,
    billingAddress: readAddressOrNull(body.billing_address) ?? null,
    notes: body.notes ?? null,
    shipping: readShippingGiven(body.shipping) ?? null,
    metadata: body.metadata ?? {},
    isFromStranger: !caller.scopes.has("orders:write"),
    placedBy: caller,
    fillsCustomer: mayFillCustomer(caller),
    expectedTotal: body.expected_total,
  };
}

/** A key in a public page must not write to the record of any customer whose email it knows. */
function mayFillCustomer({ scopes }: Pick<Caller, "scopes">): boolean {
  return scopes.has("customers:write");
}

/** Reads the body of a change. */
export function readOrderChange(body: Static<typeof orderChangeSchema>): OrderChange {
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
  };
}

/** Reads units of line items. */
export function readUnitsGiven(
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

/** Reads the body of a cart's completion. A key that only uses carts is a customer's. */
export function readCompletion(body: Static<typeof completionSchema>, caller: Caller): Completion {
  return {
    paymentMethod: body.payment_method,
    metadata: body.metadata,
    keepsNames: caller.isPublic,
    isFromStranger: !caller.scopes.has("carts:write"),
    placedBy: caller,
    expectedTotal: body.expected_total,
    fillsCustomer: mayFillCustomer(caller),
  };
}

function readLines(lines: Static<typeof lineItems>): (LineRequest | OwnLineRequest)[] {
  return lines.map(({ variant_id: variantId, name, unit_price: unitPrice, sku, quantity }) => {
    if (variantId !== undefined) return { variantId, quantity };
    // The check of `x-either` comes before.
    if (name === undefined || unitPrice === undefined) throw new Error("A line sells nothing.");
    return { variantId: null, sku: sku ?? null, name, unitPrice, quantity };
  });
}

function readCustomer(given: Static<typeof orderRequestSchema>["customer"]) {
  if (given === undefined) return undefined;
  return { email: given.email ?? null, phone: given.phone ?? null, name: given.name ?? null };
}

// Carts on the wire: requests and answers.

import Type, { type Static } from "typebox";

import { addressGivenSchema, addressWire, readAddress } from "#customers/schema.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { PUBLIC_STOCK } from "#kernel/refusal.ts";
import { open } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/created-at.ts";
import {
  amountOrNullOf,
  at,
  from,
  inBothUnits,
  list,
  orNull,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import {
  amountGiven,
  choice,
  component,
  currency,
  emailGiven,
  idOf,
  line,
  metadata,
  nameGiven,
  note,
  nullable,
  object,
  optional,
  phoneGiven,
  whole,
} from "#platform/http/contract/words.ts";
import { cartTotal, lineProblems, type QuotedLine } from "#pricing/quote/price-cart.ts";

import { cartStatuses } from "./cart-life.ts";
import {
  type Cart,
  type CartContact,
  CHANNEL_DEFAULT,
  contactOf,
  LINES_MAX,
  type PricedCart,
  QUANTITY_MAX,
} from "./cart.ts";
import type { CartFilters } from "./queries.ts";
import type { CartChange } from "./validate-cart-change.ts";

/** One schema instead of a union: an unknown method is then refused as an invalid choice. */
const paymentMethodOrNull = Type.Unsafe<PaymentMethod | null>({
  type: ["string", "null"],
  enum: [...paymentMethods, null],
});

/** A line in a request of a cart. */
const lineGivenSchema = component(
  "LineItemInput",
  open({ variant_id: idOf("variant"), quantity: whole(1, QUANTITY_MAX) }),
);

/** The contact details of a customer in a request, of a cart or of an order. */
export const contactGiven = open({
  email: optional(nullable(emailGiven)),
  phone: optional(nullable(phoneGiven)),
  name: optional(nullable(nameGiven(200))),
});

/** The charge for shipping in a request, of a cart or of an order. */
export const shippingGiven = nullable(
  object({ label: optional(nullable(nameGiven(100))), amount: amountGiven }),
);

/** The sales channel in a request, of a cart or of an order. */
export const channelGiven = line(40, {
  pattern: "^[a-z][a-z0-9_]{0,39}$",
  // Not as "default": generated types would require the field of every request.
  description: `online_store, pos, marketplace, social, api, phone or a custom name; ${CHANNEL_DEFAULT} if not given.`,
});

export const cartChangeSchema = object({
  ...open({ line_items: optional(Type.Array(lineGivenSchema, { maxItems: LINES_MAX })) }),
  customer_id: optional(nullable(idOf("customer"))),
  ...open({
    customer: optional(
      nullable(
        object(contactGiven, {
          description: "The customer's contact details. `email` and `phone` may be given instead.",
        }),
      ),
    ),
    email: contactGiven.email,
    phone: contactGiven.phone,
    currency: optional(currency),
    payment_method: optional(paymentMethodOrNull),
    shipping_address: optional(nullable(addressGivenSchema)),
    billing_address: optional(nullable(addressGivenSchema)),
  }),
  shipping: optional(shippingGiven),
  ...open({ notes: optional(nullable(note(5000))) }),
  channel: optional(channelGiven),
  external_id: optional(nullable(line(255))),
  ...open({ metadata: optional(metadata) }, { names: SENT_NAMES }),
});

export const cartQuerySchema = object({
  status: optional(
    Type.Array(choice(cartStatuses), {
      minItems: 1,
      maxItems: cartStatuses.length,
      description: "Any of these, comma-separated.",
    }),
  ),
  customer_id: optional(line(64)),
  ...createdAtFilters,
});

const textOrNull = nullable(Type.String());

/** A line with the currency of its cart. */
interface LineView extends QuotedLine {
  readonly currency: CurrencyCode;
}

export const lineWire = wire<LineView>()("CartLine", {
  ...open({
    variant_id: idOf("variant"),
    product_id: nullable(idOf("product")),
    sku: textOrNull,
    name: textOrNull,
    quantity: whole(1),
    unit_price: amountOrNullOf((one: LineView) => one.unitPriceMinor),
    unit_price_minor: nullable(whole(0)),
    total: amountOrNullOf((one: LineView) => one.totalMinor),
    total_minor: nullable(whole(0)),
  }),
  ...open(
    { available: nullable(whole(0, undefined, { description: "Null if stock is unlimited." })) },
    PUBLIC_STOCK,
  ),
  ...open({ problem: nullable(choice(lineProblems)) }),
});

const contactShape = shape<CartContact>()(
  open({ email: textOrNull, phone: textOrNull, name: textOrNull }),
);

/** A cart with its priced lines, as one row. */
export interface CartView extends Cart {
  readonly priced: readonly QuotedLine[];
}

const shippingShape = shape<Cart>()(
  open({
    label: from((cart: Cart) => cart.shippingLabel, textOrNull),
    ...inBothUnits("amount", (cart: Cart) => cart.shippingMinor),
  }),
);

/** Discounts and taxes are zero until the order is placed. */
const zero = () => 0;

export const cartFields = {
  ...open({ id: idOf("cart"), status: choice(cartStatuses) }),
  customer_id: nullable(idOf("customer")),
  ...open({
    customer: from((cart: CartView) => contactOf(cart), orNull(contactShape)),
    email: textOrNull,
    phone: textOrNull,
    currency,
    line_items: from(viewLines, list(lineWire)),
    payment_method: nullable(choice(paymentMethods)),
    shipping_address: orNull(addressWire),
    billing_address: orNull(addressWire),
    shipping: from(
      (cart: Cart) => (cart.shippingLabel === null && cart.shippingMinor === 0 ? null : cart),
      orNull(shippingShape),
    ),
    notes: textOrNull,
    channel: Type.String(),
  }),
  external_id: textOrNull,
  ...open({
    ...inBothUnits("subtotal", ({ priced }: CartView) => cartTotal(priced)),
    ...inBothUnits("discount_total", zero),
    ...inBothUnits("shipping_total", (cart: CartView) => cart.shippingMinor),
    ...inBothUnits("tax_total", zero),
    ...inBothUnits("total", totalOf),
  }),
  ...open({ metadata }, { names: SENT_NAMES }),
  recovery_url: textOrNull,
  ...open({
    order_id: nullable(idOf("order")),
    checkout_started_at: orNull(at),
    expires_at: orNull(at),
    version: whole(1),
    created_at: at,
    updated_at: at,
  }),
};

export const cartWire = wire<CartView>()("Cart", cartFields);

/** Line items with the currency of their cart. */
export function viewLines({
  priced,
  currency: code,
}: Pick<CartView, "priced" | "currency">): LineView[] {
  return priced.map((one) => ({ ...one, currency: code }));
}

/** The total of the priced lines and the shipping charge, in minor units. */
export function totalOf({ priced, shippingMinor }: CartView): number {
  return cartTotal(priced) + shippingMinor;
}

/** Returns the row of which `cartWire` makes the response. */
export function viewCart({ cart, lines }: PricedCart): CartView {
  return { ...cart, priced: lines };
}

/** Reads the body of a new cart or of a change. */
export function readCartChange(
  body: Static<typeof cartChangeSchema>,
  { isPublic: keepsNames }: Pick<Caller, "isPublic">,
): CartChange {
  const { customer, shipping } = body;
  return {
    keepsNames,
    lines: body.line_items?.map((one) => ({ variantId: one.variant_id, quantity: one.quantity })),
    customerId: body.customer_id,
    customer: customer === undefined || customer === null ? customer : readContact(customer),
    email: body.email,
    phone: body.phone,
    currency: body.currency,
    paymentMethod: body.payment_method,
    shippingAddress: readAddressOrNull(body.shipping_address),
    billingAddress: readAddressOrNull(body.billing_address),
    shipping: readShippingGiven(shipping),
    notes: body.notes,
    channel: body.channel,
    externalId: body.external_id,
    metadata: body.metadata,
  };
}

/** Reads a shipping charge; null and undefined stay as they are. */
export function readShippingGiven(given: Static<typeof shippingGiven> | undefined) {
  if (given === undefined || given === null) return given;
  return { label: given.label ?? null, amount: given.amount };
}

/** Reads an address; null and undefined stay as they are. */
export function readAddressOrNull(given: Static<typeof addressGivenSchema> | null | undefined) {
  return given === undefined || given === null ? given : readAddress(given);
}

function readContact(given: NonNullable<Static<typeof cartChangeSchema>["customer"]>) {
  return { email: given.email ?? null, phone: given.phone ?? null, name: given.name ?? null };
}

/** Reads the query of a list. */
export function readCartQuery(query: Static<typeof cartQuerySchema>): CartFilters {
  return { status: query.status, customerId: query.customer_id, ...idSpan("cart", query) };
}

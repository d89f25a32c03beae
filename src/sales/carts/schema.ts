// Carts on the wire.

import Type, { type Static } from "typebox";

import type { Customer } from "#customers/customer.ts";
import { addressGivenSchema, addressWire, readAddress } from "#customers/schema.ts";
import type { Change, WholeChange } from "#kernel/change.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/filters.ts";
import { states } from "#platform/http/contract/states.ts";
import { at, from, inBothUnits, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  about,
  cardFree,
  channelName,
  choice,
  component,
  currency,
  emailSought,
  idOf,
  line,
  lineMetadata,
  metadata,
  namedChoice,
  note,
  nullable,
  object,
  optional,
  phoneGiven,
  taxId,
  verbatim,
  whole,
} from "#platform/http/contract/words.ts";
import { foldCode } from "#pricing/discounts/discount-code.ts";
import type { SaleSums } from "#pricing/quote/breakdown.ts";
import { type LineOfCart, lineWire } from "#pricing/quote/cart-line-schema.ts";
import type { QuotedLine } from "#pricing/quote/price-cart.ts";
import {
  cartDiscounts,
  codesGiven,
  furtherTotals,
  readCodesGiven,
  readShippingGiven,
  rejectedCodes,
  shippingGiven,
  shippingOptions,
  taxLines,
} from "#pricing/quote/schema.ts";
import { checkoutUrlOf } from "#sales/links/link-addresses.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { type LineGiven, replaceLines } from "#sales/rows/cart-lines.ts";
import {
  type Cart,
  type CartContact,
  type CartPrice,
  CHANNEL_DEFAULT,
  contactOf,
  LINES_MAX,
  type PricedCart,
  QUANTITY_MAX,
  type SharedColumns,
  sumsOfCart,
} from "#sales/rows/cart.ts";
import { cartLife, cartStatuses } from "#sales/rows/order-life.ts";
import { checkoutProblems, problemsOf } from "#sales/rows/requirements.ts";
import { paymentMethod } from "#shop/store/schema.ts";

import type { CartFilters } from "./queries.ts";
import type { CartChange } from "./validate-cart-change.ts";

/** One schema instead of a union: an unknown method is then refused as an invalid choice. */
const paymentMethodOrNull = Type.Unsafe<PaymentMethod | null>({
  type: ["string", "null"],
  enum: [...paymentMethods, null],
});

const lineQuantity = whole(1, QUANTITY_MAX);
/** The metadata of a line in a request, of a cart or of an order. */
export const lineMetadataGiven = publicFields(
  { metadata: optional(lineMetadata) },
  { names: SENT_NAMES },
);

/** A line in a request of a cart. */
const lineGivenSchema = component("LineItemInput", {
  ...publicFields({
    id: optional(idOf("cartLine")),
    variant_id: idOf("variant"),
    quantity: lineQuantity,
  }),
  ...lineMetadataGiven,
});

export const lineAddedSchema = object({
  ...publicFields({ variant_id: idOf("variant"), quantity: optional(lineQuantity) }),
  ...lineMetadataGiven,
});

export const lineChangeSchema = object({
  ...publicFields({ quantity: optional(lineQuantity) }),
  ...lineMetadataGiven,
});

/** The contact details of a customer in a request, of a cart or of an order. */
const contactGiven = publicFields({
  email: optional(nullable(emailSought)),
  phone: optional(nullable(phoneGiven)),
  name: optional(nullable(line(200))),
});

export const contactObject = component("ContactInput", contactGiven);

/** The sales channel in a request, of a cart or of an order. */
export const channelGiven = {
  ...channelName,
  minLength: 1,
  // Not as "default": generated types would require the field of every request.
  description: `online_store, pos, marketplace, social, api, phone or a custom name; ${CHANNEL_DEFAULT} if not given.`,
};

/** Members of the requests of carts and orders alike. */
export const sharedGiven = publicFields({ notes: optional(nullable(note(5000))) });

export const cartChangeSchema = object({
  ...publicFields({ line_items: optional(Type.Array(lineGivenSchema, { maxItems: LINES_MAX })) }),
  customer_id: optional(nullable(idOf("customer"))),
  ...publicFields({
    customer: optional(
      about(
        nullable(contactObject),
        "The customer's contact details. `email` and `phone` may be given instead.",
      ),
    ),
    email: contactGiven.email,
    phone: contactGiven.phone,
    currency: optional(currency),
    payment_method: optional(paymentMethodOrNull),
    shipping_address: optional(nullable(addressGivenSchema)),
    billing_address: optional(nullable(addressGivenSchema)),
    shipping: optional(shippingGiven),
    discount_codes: optional(
      codesGiven("A code that does not apply is reported in `rejected_codes`, not refused."),
    ),
    tax_id: optional(nullable(taxId)),
  }),
  ...sharedGiven,
  channel: optional(channelGiven),
  external_id: optional(nullable(line(255, { ...cardFree, ...verbatim }))),
  ...publicFields({ metadata: optional(metadata) }, { names: SENT_NAMES }),
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

const contactShape = shape<CartContact>()(
  publicFields({ email: textOrNull, phone: textOrNull, name: textOrNull }),
  { name: "Contact" },
);

/** A cart with its priced lines and what it comes to, as one row. */
export interface CartView extends Cart, CartPrice {
  readonly priced: readonly QuotedLine[];
}

/** The same as it is answered. */
export interface CartAnswer extends CartView {
  readonly checkoutUrl: string | null;
}

const shippingShape = shape<CartView>()(
  publicFields({
    option_id: from((cart: CartView) => optionIdOf(cart), textOrNull),
    label: from((cart: CartView) => cart.shippingLabel, textOrNull),
    ...inBothUnits("amount", (cart: CartView) => cart.shippingMinor),
  }),
  { name: "CartShipping" },
);

const checkoutProblem = namedChoice<(typeof checkoutProblems)[number]>(
  { name: "CheckoutProblem", about: "What keeps a cart from being completed." },
  {
    contact_required: "It has no email and no phone.",
    email_required: "It has no email.",
    phone_required: "It has no phone.",
    address_required:
      "It has no complete shipping address: street, city and country. Where nothing is shipped, a billing address will do.",
    name_required: "It has no name.",
    shipping_required: "It names none of the `shipping_options`.",
    shipping_unavailable: "The option that it names cannot be had any more.",
  },
);

/** The status of a cart, for the documentation. */
export const cartStatus = states(
  {
    name: "CartStatus",
    about: "How far the customer came.",
    life: cartLife,
  },
  {
    active: "The customer is choosing, or took everything out again.",
    checkout: "The customer began to check out, and has not been silent for long.",
    abandoned:
      "The checkout was left for an hour. It can be taken up again, and a reminder may have been sent.",
    completed: "It became the order of `order_id`, and changes no more.",
    expired: "It was left for 30 days, and changes no more.",
  },
);

/** Those that take something off in their form, the others as they were typed: both can be sent again. */
function codesOf({ discountCodes, rejected }: CartView): string[] {
  const unmet = new Set(rejected.map(({ code }) => code));
  return discountCodes.map((typed) => (unmet.has(typed) ? typed : foldCode(typed)));
}

export const cartFields = {
  ...publicFields({ id: idOf("cart"), status: cartStatus.schema }),
  customer_id: nullable(idOf("customer")),
  ...publicFields({
    customer: from((cart: CartView) => contactOf(cart), orNull(contactShape)),
    email: textOrNull,
    phone: textOrNull,
    currency,
    line_items: from(viewLines, list(lineWire)),
    payment_method: nullable(paymentMethod),
    shipping_address: orNull(addressWire),
    billing_address: orNull(addressWire),
    shipping: from((cart: CartView) => (hasShipping(cart) ? cart : null), orNull(shippingShape)),
    shipping_options: shippingOptions,
    discount_codes: from(codesOf, Type.Array(Type.String())),
    discounts: cartDiscounts,
    rejected_codes: from(({ rejected }: CartView) => rejected, rejectedCodes),
    tax_id: textOrNull,
    prices_include_tax: Type.Boolean(),
    tax_lines: taxLines,
    problems: from(
      ({ missing, problem }: CartView) => problemsOf(missing, problem),
      Type.Array(checkoutProblem, {
        description:
          "What the customer has to say or choose before a key that is not the merchant's can complete the cart, by the store's `checkout` and its shipping options.",
      }),
    ),
    notes: textOrNull,
    channel: Type.String(),
  }),
  external_id: textOrNull,
  ...publicFields({
    ...inBothUnits("subtotal", (cart: CartView) => sumsOfView(cart).subtotalMinor),
    ...inBothUnits("discount_total", discountOf),
    ...inBothUnits("shipping_total", (cart: CartView) => cart.shippingMinor),
    ...inBothUnits("tax_total", (cart: CartView) => sumsOfView(cart).taxMinor),
    ...furtherTotals,
    ...inBothUnits("total", totalOf),
  }),
  ...publicFields({ metadata }, { names: SENT_NAMES }),
  recovery_url: textOrNull,
  ...publicFields({
    checkout_url: about(
      nullable(Type.String()),
      "The page on which the customer says who they are and where the goods go, and pays. It is the same until the cart changes; null once it was completed or has expired.",
    ),
    order_id: nullable(idOf("order")),
    checkout_started_at: orNull(at),
    expires_at: orNull(at),
    version: whole(1),
    created_at: at,
    updated_at: at,
  }),
};

export const cartWire = wire<CartAnswer>()("Cart", cartFields);

/** Lines with what their cart has of them. */
export function viewLines({
  priced,
  currency: code,
  breakdown,
}: Pick<CartView, "priced" | "currency" | "breakdown">): LineOfCart[] {
  return priced.map((one, position) => ({ ...one, position, breakdown, currency: code }));
}

function optionIdOf({ breakdown, shippingOptionId }: CartView): string | null {
  return breakdown?.shipping.optionId ?? shippingOptionId;
}
function hasShipping(cart: CartView): boolean {
  return optionIdOf(cart) !== null || cart.shippingLabel !== null || cart.shippingMinor !== 0;
}

function sumsOfView(cart: CartView): SaleSums {
  return sumsOfCart({ lines: cart.priced, price: cart });
}

/** The discounts of the goods, in minor units. */
export function discountOf(cart: CartView): number {
  return sumsOfView(cart).discountMinor;
}

/** The total of the cart, in minor units. */
export function totalOf(cart: CartView): number {
  return sumsOfView(cart).totalMinor;
}

/** Returns the cart as one row. */
export function viewPriced({ cart, lines, price }: PricedCart): CartView {
  return { ...cart, ...price, priced: lines };
}

/** Returns the row of which `cartWire` makes the response. */
export function viewCart(priced: PricedCart, linkTerms: LinkTerms): CartAnswer {
  return { ...viewPriced(priced), checkoutUrl: checkoutUrlOf(linkTerms, priced.cart) };
}

/** Reads the body of a new cart or of a change. */
export function readCartChange(
  body: Static<typeof cartChangeSchema>,
  caller: Pick<Caller, "isPublic" | "mode">,
  signedIn: Customer | null = null,
): WholeChange<CartChange> {
  const { customer, shipping } = body;
  return {
    keepsNames: caller.isPublic,
    filledBy: caller,
    signedIn,
    lines: body.line_items === undefined ? undefined : replaceLines(body.line_items.map(readLine)),
    customerId: body.customer_id,
    customer: customer === undefined || customer === null ? customer : readContact(customer),
    email: body.email,
    phone: body.phone,
    currency: body.currency,
    paymentMethod: body.payment_method,
    shipping: readShippingGiven(shipping),
    discountCodes:
      body.discount_codes === undefined ? undefined : readCodesGiven(body.discount_codes),
    taxId: body.tax_id,
    ...readShared(body),
  };
}

/** Reads a line of a request; one unit if it names no quantity. */
export function readLine({
  id,
  variant_id: variantId,
  quantity = 1,
  metadata: given,
}: Static<typeof lineAddedSchema> & { readonly id?: LineGiven["id"] }): LineGiven {
  return { id, variantId, quantity, metadata: given };
}

/** Reads what the requests of carts and orders have alike. */
export function readShared(
  body: Omit<Static<typeof cartChangeSchema>, "customer" | "line_items" | "payment_method">,
): WholeChange<Change<SharedColumns>> {
  return {
    shippingAddress: readAddressOrNull(body.shipping_address),
    billingAddress: readAddressOrNull(body.billing_address),
    notes: body.notes,
    channel: body.channel,
    externalId: body.external_id,
    metadata: body.metadata,
  };
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

// Carts on the wire: requests and answers.

import Type, { type Static } from "typebox";

import { addressGivenSchema, addressWire, readAddress } from "#customers/schema.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/created-at.ts";
import { printAmount } from "#platform/http/contract/wire-amount.ts";
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
  choice,
  component,
  currency,
  emailGiven,
  idOf,
  line,
  metadata,
  nullable,
  object,
  optional,
  phoneGiven,
  whole,
  type WireAmount,
} from "#platform/http/contract/words.ts";
import {
  type CartDifference,
  cartTotal,
  lineProblems,
  type QuotedLine,
} from "#pricing/quote/price-cart.ts";
import type { RecoveredCart } from "#sales/recovery/recover-cart.ts";
import { TOKEN_LENGTH_MAX } from "#sales/recovery/recovery.ts";

import { cartStatuses } from "./cart-life.ts";
import {
  type Cart,
  type CartContact,
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

/** A line in a request, of a cart or of an order. */
export const lineGivenSchema = component("LineItemInput", {
  variant_id: idOf("variant"),
  quantity: whole(1, QUANTITY_MAX),
});

export const cartChangeSchema = object({
  line_items: optional(Type.Array(lineGivenSchema, { maxItems: LINES_MAX })),
  customer_id: optional(nullable(idOf("customer"))),
  customer: optional(
    nullable(
      object(
        {
          email: optional(nullable(emailGiven)),
          phone: optional(nullable(phoneGiven)),
          name: optional(nullable(line(200))),
        },
        {
          description: "The customer's contact details. `email` and `phone` may be given instead.",
        },
      ),
    ),
  ),
  email: optional(nullable(emailGiven)),
  phone: optional(nullable(phoneGiven)),
  currency: optional(currency),
  payment_method: optional(paymentMethodOrNull),
  shipping_address: optional(nullable(addressGivenSchema)),
  metadata: optional(metadata),
});

export const recoverySchema = object({ token: line(TOKEN_LENGTH_MAX) });

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
  variant_id: idOf("variant"),
  product_id: nullable(idOf("product")),
  sku: textOrNull,
  name: textOrNull,
  quantity: whole(1),
  unit_price: amountOrNullOf((one: LineView) => one.unitPriceMinor),
  unit_price_minor: nullable(whole(0)),
  total: amountOrNullOf((one: LineView) => one.totalMinor),
  total_minor: nullable(whole(0)),
  available: nullable(whole(0, undefined, { description: "Null if stock is unlimited." })),
  problem: nullable(choice(lineProblems)),
});

const contactShape = shape<CartContact>()({
  email: textOrNull,
  phone: textOrNull,
  name: textOrNull,
});

/** A cart with its priced lines, as one row. */
export interface CartView extends Cart {
  readonly priced: readonly QuotedLine[];
}

/** Discounts, shipping and taxes are zero until the order is placed. */
const zero = () => 0;

const cartFields = {
  id: idOf("cart"),
  status: choice(cartStatuses),
  customer_id: nullable(idOf("customer")),
  customer: from((cart: CartView) => contactOf(cart), orNull(contactShape)),
  email: textOrNull,
  phone: textOrNull,
  currency,
  line_items: from(viewLines, list(lineWire)),
  payment_method: nullable(choice(paymentMethods)),
  shipping_address: orNull(addressWire),
  ...inBothUnits("subtotal", totalOf),
  ...inBothUnits("discount_total", zero),
  ...inBothUnits("shipping_total", zero),
  ...inBothUnits("tax_total", zero),
  ...inBothUnits("total", totalOf),
  metadata,
  recovery_url: textOrNull,
  order_id: nullable(idOf("order")),
  checkout_started_at: orNull(at),
  expires_at: orNull(at),
  version: whole(1),
  created_at: at,
  updated_at: at,
};

export const cartWire = wire<CartView>()("Cart", cartFields);

const difference = Type.Unsafe<WireAmount | string | null>({
  type: ["number", "string", "null"],
  description: "An amount if `field` is `unit_price`, a code if it is `problem`.",
});

/** A difference with the currency of its cart. */
type DifferenceView = CartDifference & { readonly currency: CurrencyCode };

const differenceShape = shape<DifferenceView>()({
  variant_id: idOf("variant"),
  field: choice(["unit_price", "problem"]),
  before: from((one: DifferenceView) => printSide(one, "before"), difference),
  after: from((one: DifferenceView) => printSide(one, "after"), difference),
});

interface RecoveredView extends CartView {
  readonly differences: readonly CartDifference[];
}

export const recoveredCartWire = wire<RecoveredView>()("RecoveredCart", {
  ...cartFields,
  changes: from(
    ({ differences, currency: code }: RecoveredView) =>
      differences.map((one) => ({ ...one, currency: code })),
    list(differenceShape, {
      description: "The differences from the cart as the customer last saw it.",
    }),
  ),
});

/** Line items with the currency of their cart. */
export function viewLines({
  priced,
  currency: code,
}: Pick<CartView, "priced" | "currency">): LineView[] {
  return priced.map((one) => ({ ...one, currency: code }));
}

/** The total of the priced lines, in minor units. */
export function totalOf({ priced }: CartView): number {
  return cartTotal(priced);
}

/** Returns the row of which `cartWire` makes the response. */
export function viewCart({ cart, lines }: PricedCart): CartView {
  return { ...cart, priced: lines };
}

/** Returns the row of which `recoveredCartWire` makes the response. */
export function viewRecovered({ differences, ...priced }: RecoveredCart): RecoveredView {
  return { ...viewCart(priced), differences };
}

function printSide(one: DifferenceView, side: "before" | "after"): WireAmount | string | null {
  if (one.field === "problem") return one[side];
  const minor = one[side];
  return minor === null ? null : printAmount(minor, one.currency);
}

/** Reads the body of a new cart or of a change. */
export function readCartChange(body: Static<typeof cartChangeSchema>): CartChange {
  const { customer, shipping_address: address } = body;
  return {
    lines: body.line_items?.map((one) => ({ variantId: one.variant_id, quantity: one.quantity })),
    customerId: body.customer_id,
    customer: customer === undefined || customer === null ? customer : readContact(customer),
    email: body.email,
    phone: body.phone,
    currency: body.currency,
    paymentMethod: body.payment_method,
    shippingAddress: address === undefined || address === null ? address : readAddress(address),
    metadata: body.metadata,
  };
}

function readContact(given: NonNullable<Static<typeof cartChangeSchema>["customer"]>) {
  return { email: given.email ?? null, phone: given.phone ?? null, name: given.name ?? null };
}

/** Reads the query of a list. */
export function readCartQuery(query: Static<typeof cartQuerySchema>): CartFilters {
  return { status: query.status, customerId: query.customer_id, ...idSpan("cart", query) };
}

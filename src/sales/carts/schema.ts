// Carts on the wire: requests and answers.

import Type, { type Static } from "typebox";

import { addressGivenSchema, addressWire, readAddress } from "#customers/schema.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { toIso, toIsoOrNull } from "#kernel/time.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/created-at.ts";
import { printAmount } from "#platform/http/contract/wire-amount.ts";
import {
  amount,
  choice,
  component,
  currency,
  email,
  idOf,
  instant,
  line,
  metadata,
  nullable,
  object,
  optional,
  phone,
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

import { cartStatuses, contactOf, LINES_MAX, type PricedCart, QUANTITY_MAX } from "./cart.ts";
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
          email: optional(nullable(email)),
          phone: optional(nullable(phone)),
          name: optional(nullable(line(200))),
        },
        {
          description: "The customer's contact details. `email` and `phone` may be given instead.",
        },
      ),
    ),
  ),
  email: optional(nullable(email)),
  phone: optional(nullable(phone)),
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

export const cartLineSchema = component("CartLine", {
  variant_id: idOf("variant"),
  product_id: nullable(idOf("product")),
  sku: nullable(Type.String()),
  name: nullable(Type.String()),
  quantity: whole(1),
  unit_price: nullable(amount),
  unit_price_minor: nullable(whole(0)),
  total: nullable(amount),
  total_minor: nullable(whole(0)),
  available: nullable(whole(0, undefined, { description: "Null if stock is unlimited." })),
  problem: nullable(choice(lineProblems)),
});

const cartFields = {
  id: idOf("cart"),
  status: choice(cartStatuses),
  customer_id: nullable(idOf("customer")),
  customer: nullable(
    object({
      email: nullable(Type.String()),
      phone: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
  ),
  email: nullable(Type.String()),
  phone: nullable(Type.String()),
  currency,
  line_items: Type.Array(cartLineSchema),
  payment_method: nullable(choice(paymentMethods)),
  shipping_address: nullable(addressWire.schema),
  subtotal: amount,
  subtotal_minor: whole(0),
  discount_total: amount,
  discount_total_minor: whole(0),
  shipping_total: amount,
  shipping_total_minor: whole(0),
  tax_total: amount,
  tax_total_minor: whole(0),
  total: amount,
  total_minor: whole(0),
  metadata,
  recovery_url: nullable(Type.String()),
  order_id: nullable(idOf("order")),
  checkout_started_at: nullable(instant),
  expires_at: nullable(instant),
  version: whole(1),
  created_at: instant,
  updated_at: instant,
};

export const cartSchema = component("Cart", cartFields);

const difference = Type.Unsafe<WireAmount | string | null>({
  type: ["number", "string", "null"],
  description: "An amount if `field` is `unit_price`, a code if it is `problem`.",
});

export const recoveredCartSchema = component("RecoveredCart", {
  ...cartFields,
  changes: Type.Array(
    object({
      variant_id: idOf("variant"),
      field: choice(["unit_price", "problem"]),
      before: difference,
      after: difference,
    }),
    { description: "The differences from the cart as the customer last saw it." },
  ),
});

/** Prints an amount of a cart. */
export function printTotal(totalMinor: number, currencyOfCart: CurrencyCode): WireAmount {
  return printAmount(totalMinor, currencyOfCart);
}

/** Presents a line, in answers and in events. */
export function presentCartLine(
  one: QuotedLine,
  currencyOfCart: CurrencyCode,
): Static<typeof cartLineSchema> {
  return {
    variant_id: one.variantId,
    product_id: one.productId,
    sku: one.sku,
    name: one.name,
    quantity: one.quantity,
    unit_price: printOrNull(one.unitPriceMinor, currencyOfCart),
    unit_price_minor: one.unitPriceMinor,
    total: printOrNull(one.totalMinor, currencyOfCart),
    total_minor: one.totalMinor,
    available: one.available,
    problem: one.problem,
  };
}

function printOrNull(amountMinor: number | null, currencyOfCart: CurrencyCode) {
  return amountMinor === null ? null : printAmount(amountMinor, currencyOfCart);
}

/** Presents a cart. */
export function presentCart({ cart, lines }: PricedCart): Static<typeof cartSchema> {
  return {
    id: cart.id,
    status: cart.status,
    customer_id: cart.customerId,
    customer: contactOf(cart),
    email: cart.email,
    phone: cart.phone,
    currency: cart.currency,
    line_items: lines.map((one) => presentCartLine(one, cart.currency)),
    payment_method: cart.paymentMethod,
    shipping_address:
      cart.shippingAddress === null ? null : addressWire.present(cart.shippingAddress),
    ...presentTotals(cartTotal(lines), cart.currency),
    metadata: cart.metadata,
    recovery_url: cart.recoveryUrl,
    order_id: cart.orderId,
    checkout_started_at: toIsoOrNull(cart.checkoutStartedAt),
    expires_at: toIsoOrNull(cart.expiresAt),
    version: cart.version,
    created_at: toIso(cart.createdAt),
    updated_at: toIso(cart.updatedAt),
  };
}

/**
 * The totals in the fields of an order; discounts, shipping and taxes are zero until the order is
 * placed.
 */
function presentTotals(totalMinor: number, currencyOfCart: CurrencyCode) {
  const zero = printAmount(0, currencyOfCart);
  const total = printAmount(totalMinor, currencyOfCart);
  return {
    subtotal: total,
    subtotal_minor: totalMinor,
    discount_total: zero,
    discount_total_minor: 0,
    shipping_total: zero,
    shipping_total_minor: 0,
    tax_total: zero,
    tax_total_minor: 0,
    total,
    total_minor: totalMinor,
  };
}

/** Presents a recovered cart with its differences. */
export function presentRecovered(found: RecoveredCart): Static<typeof recoveredCartSchema> {
  const print = (one: CartDifference, side: "before" | "after") =>
    one.field === "problem" ? one[side] : printOrNull(one[side], found.cart.currency);
  return {
    ...presentCart(found),
    changes: found.differences.map((one) => ({
      variant_id: one.variantId,
      field: one.field,
      before: print(one, "before"),
      after: print(one, "after"),
    })),
  };
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

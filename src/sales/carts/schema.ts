// Carts on the wire: the answers.

import Type from "typebox";

import { addressWire } from "#customers/schema.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
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
  currency,
  idOf,
  metadata,
  nullable,
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

import { cartStatuses } from "./cart-life.ts";
import { type Cart, type CartContact, contactOf, type PricedCart } from "./cart.ts";

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

const shippingShape = shape<Cart>()({
  label: from((cart: Cart) => cart.shippingLabel, textOrNull),
  ...inBothUnits("amount", (cart: Cart) => cart.shippingMinor),
});

/** Discounts and taxes are zero until the order is placed. */
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
  billing_address: orNull(addressWire),
  shipping: from(
    (cart: Cart) => (cart.shippingLabel === null && cart.shippingMinor === 0 ? null : cart),
    orNull(shippingShape),
  ),
  notes: textOrNull,
  channel: Type.String(),
  external_id: textOrNull,
  ...inBothUnits("subtotal", ({ priced }: CartView) => cartTotal(priced)),
  ...inBothUnits("discount_total", zero),
  ...inBothUnits("shipping_total", (cart: CartView) => cart.shippingMinor),
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

/** The total of the priced lines and the shipping charge, in minor units. */
export function totalOf({ priced, shippingMinor }: CartView): number {
  return cartTotal(priced) + shippingMinor;
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

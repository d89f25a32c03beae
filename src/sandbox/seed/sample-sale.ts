// A made-up cart and the order it becomes: of one customer, one product and one price.

import type { Product } from "#catalog/products/product.ts";
import { saleRefusals } from "#catalog/variants/sale.ts";
import { saleName, type Variant } from "#catalog/variants/variant.ts";
import type { Customer } from "#customers/customer.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type Id, newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import { quoteLines } from "#pricing/quote/price-cart.ts";
import { priceLines, totalsOf } from "#pricing/quote/price-order.ts";
import type { Cart, PricedCart } from "#sales/carts/cart.ts";
import type { CustomerSnapshot, Fulfillment, Order, OrderLine } from "#sales/orders/order.ts";

import { sampleCustomer, sampleProduct, sampleVariant } from "./sample-goods.ts";

const QUANTITY = 2;
const NUMBER = 1001;
const CHANNEL = "online_store";
const METHOD = "mobile_money";

export interface SampleTerms {
  /** The instant of the sale, epoch milliseconds. */
  readonly now: number;
  readonly currency: CurrencyCode;
  readonly cartId: Id<"cart">;
  /** The way back to that cart. */
  readonly recoveryUrl: string;
}

/** What one sale is about, all of it made up and fitting together. */
export interface SampleSale {
  readonly terms: SampleTerms;
  readonly customer: Customer;
  /** The customer, as carts and orders remember them. */
  readonly buyer: CustomerSnapshot;
  readonly product: Product;
  /** What is ordered. */
  readonly variant: Variant;
  /** In checkout. */
  readonly cart: PricedCart;
  /** The same, abandoned. */
  readonly leftCart: PricedCart;
  /** Just placed. */
  readonly order: Order;
  readonly lines: readonly OrderLine[];
}

/** A sale from the shelf to the order. */
export function sampleSale(terms: SampleTerms): SampleSale {
  const { now, currency, recoveryUrl } = terms;
  const customer = sampleCustomer(now);
  const { id, email, phone, name } = customer;
  const product = sampleProduct(now, currency);
  const variant = sampleVariant(product);
  const parts = { customer, buyer: { id, email, phone, name }, product, variant };
  const { cart, lines } = cartOf(terms, parts);
  return {
    ...parts,
    ...orderOf(terms, parts),
    terms,
    cart: { cart, lines },
    leftCart: { cart: { ...cart, status: "abandoned", recoveryUrl }, lines },
  };
}

/** All of it, on its way. */
export function sampleFulfillment({ order, lines }: SampleSale): Fulfillment {
  return {
    orderId: order.id,
    id: newId("fulfillment", order.createdAt),
    lines: lines.map(({ id, quantity }) => ({ lineItemId: id, quantity })),
    tracking: { carrier: "DHL", number: "1234567890", url: "https://example.com/track/1234567890" },
    createdAt: order.createdAt,
  };
}

type Parts = Pick<SampleSale, "customer" | "buyer" | "product" | "variant">;

function offersOf({ product, variant }: Parts) {
  const { id: variantId, productId, sku, prices } = variant;
  const name = saleName(product.name, variant.title);
  return new Map([[variantId, { variantId, productId, sku, name, isForSale: true, prices }]]);
}

function homeOf({ addresses }: Customer): Address | null {
  return addresses[0] ?? null;
}

function cartOf({ now, currency, cartId }: SampleTerms, parts: Parts): PricedCart {
  const { customer, variant } = parts;
  const lines = [{ variantId: variant.id, quantity: QUANTITY }];
  const priced = quoteLines(lines, currency, {
    entries: offersOf(parts),
    sellable: new Map([[variant.id, variant.available]]),
  });
  const cart: Cart = {
    id: cartId,
    status: "checkout",
    customerId: customer.id,
    email: customer.email,
    phone: customer.phone,
    name: customer.name,
    currency,
    lines,
    paymentMethod: METHOD,
    shippingAddress: homeOf(customer),
    metadata: {},
    remembered: priced,
    recoveryUrl: null,
    orderId: null,
    checkoutStartedAt: now,
    expiresAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return { cart, lines: priced };
}

function orderOf(
  { now, currency }: SampleTerms,
  parts: Parts,
): Pick<SampleSale, "order" | "lines"> {
  const id = newId("order", now);
  const faults = new Faults();
  const asked = [{ variantId: parts.variant.id, quantity: QUANTITY }];
  const priced = priceLines(asked, offersOf(parts), { currency, faults });
  faults.refuseIfAny(saleRefusals);
  const lines = priced.map((line) => ({
    ...line,
    orderId: id,
    id: newId("lineItem", now),
    fulfilledQuantity: 0,
  }));
  const order: Order = {
    ...totalsOf(lines, 0),
    ...untouched,
    id,
    customerId: parts.buyer.id,
    customer: parts.buyer,
    currency,
    shippingAddress: homeOf(parts.customer),
    createdAt: now,
    updatedAt: now,
  };
  return { order, lines };
}

/** An order of which nothing is paid, shipped or said yet. */
const untouched = {
  number: NUMBER,
  status: "open",
  paymentStatus: "unpaid",
  fulfillmentStatus: "unfulfilled",
  paymentMethod: METHOD,
  channel: CHANNEL,
  externalId: null,
  cartId: null,
  billingAddress: null,
  notes: null,
  metadata: {},
  shippingLabel: null,
  cancelReason: null,
  cancelNote: null,
  paidMinor: 0,
  refundedMinor: 0,
  openAttempts: 0,
  paidAt: null,
  fulfilledAt: null,
  cancelledAt: null,
  expiresAt: null,
  version: 1,
} as const;

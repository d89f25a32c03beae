// The request from which an order is placed, whatever channel it comes through.

import type { Customer } from "#customers/customer.ts";
import type { CodeContact } from "#customers/sessions/code.ts";
import type { TaxExemption } from "#customers/tax-exemption.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { readAmount, readPercent } from "#kernel/money.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import type { ManualDiscount } from "#pricing/quote/agree.ts";
import type { ShippingRequest } from "#pricing/shipping/shipping-charge.ts";
import type { OrderCustomerRequest } from "#sales/orders/lookups.ts";
import type { SharedColumns } from "#sales/rows/cart.ts";
import type { OrderLineRequest } from "#sales/rows/match-lines.ts";
import type { Order } from "#sales/rows/order.ts";
import type { MarksShop } from "#shop/marks/abuse-marks.ts";
import { type LimitedCaller, unlimited } from "#shop/store/public-limits.ts";

/** The merchant's own discount; an amount is in major units. */
export type ManualRequest = { readonly title: string } & (
  { readonly amount: number | string } | { readonly percent: number | string }
);

/** The columns of the order that the request writes as it has them. */
type WrittenOrder = SharedColumns & Pick<Order, "cartId" | "paymentMethod">;

/** The request of an order: what is written as it is, whose order it is, what is sold, and who says so. */
export interface OrderRequest {
  readonly written: WrittenOrder;
  readonly contact: OrderCustomerRequest;
  readonly sale: SaleRequest;
  readonly trust: OrderTrust;
}

/** The goods of a sale and their terms. */
interface SaleRequest {
  readonly lines: readonly OrderLineRequest[];
  /** The shop's currency if undefined. */
  readonly currency: CurrencyCode | undefined;
  readonly shipping: ShippingRequest | null;
  /** The codes of discounts that the customer entered. */
  readonly codes: readonly string[];
  /** Those of them without which the order is refused. */
  readonly requiredCodes: readonly string[];
  readonly discount: ManualRequest | null;
  /** The customer's own if undefined. */
  readonly taxExemption?: TaxExemption | undefined;
  /** The customer's own if null. */
  readonly taxId: string | null;
  /** The deposit agreed for this order; the shop's if undefined. */
  readonly depositPercent?: number | undefined;
  /** The total that the customer was shown, in major units. */
  readonly expectedTotal?: number | string | undefined;
}

/** The part of the shop that knows how codes leave it, which is not known here. */
export interface CodesPort extends MarksShop {
  /** Returns the kinds of contacts that the shop can send codes to. */
  readonly findCodeKinds: (db: Reader) => Promise<CodeContact["kind"][]>;
}

/** The way in which a customer proves who they are. */
interface Proof extends Pick<CodesPort, "findCodeKinds"> {
  /** Counts an order that strangers' share has no room for, taken because no code can be sent. */
  readonly markUnproved: () => void;
}

/** A request's customer, and the way in which another one proves who they are. */
export interface Visit extends Proof {
  readonly signedIn: Customer | null;
}

/** The merchant, for whom no bound holds: no customer is asked for a code. */
export const merchantVisit: Visit = {
  signedIn: null,
  findCodeKinds: async () => [],
  markUnproved: () => undefined,
};

/** The visit of the customer who is signed in, or of someone from the network. */
export function visitOf(
  { findCodeKinds, marks }: CodesPort,
  signedIn: Customer | null,
  clientNetwork: () => string | null,
): Visit {
  return { signedIn, findCodeKinds, markUnproved: () => marks.count("shelf", clientNetwork()) };
}

/** The caller who places the order, and what follows from it. */
interface OrderTrust extends Proof {
  /** True if the merchant places it; by a key in a public page, or on the page of a link, a customer does. */
  readonly isFromMerchant: boolean;
  /** True if the merchant says who the customer is, or their session does. */
  readonly isCustomerProved: boolean;
  /** True if goods to ship need a shipping option where the shop has rates. */
  readonly needsShipping: boolean;
  /** True if the empty fields of a known customer take what the request says of them. */
  readonly fillsCustomer: boolean;
  /** True if it comes with the session of a customer who has proved a contact. */
  readonly hasProvedContact: boolean;
  /** The caller whose bounds hold; `unlimited` for the merchant and the pages behind links. */
  readonly placedBy: LimitedCaller;
}

/** The trust in an order that the merchant places for a customer whom they know. */
export const merchantTrust: OrderTrust = {
  isFromMerchant: true,
  isCustomerProved: true,
  needsShipping: false,
  fillsCustomer: false,
  hasProvedContact: false,
  placedBy: unlimited,
  findCodeKinds: merchantVisit.findCodeKinds,
  markUnproved: merchantVisit.markUnproved,
};

/** The terms of a sale without codes, a discount of its own and a tax number. */
export const plainSale = { codes: [], requiredCodes: [], discount: null, taxId: null } as const;

/** The tax number that the order has. A contact that was typed proves no one: its order tells nothing of the record. */
export function taxIdOf(
  { sale, trust }: Pick<OrderRequest, "sale" | "trust">,
  customer: Customer | null,
): string | null {
  return sale.taxId ?? (trust.isCustomerProved ? (customer?.taxId ?? null) : null);
}

/** Reads the merchant's own discount. Adds a fault for what is no amount or percentage. */
export function readManual(
  request: ManualRequest | null,
  currency: CurrencyCode,
  faults: Faults,
): ManualDiscount | null {
  if (request === null) return null;
  const { title } = request;
  if ("percent" in request) {
    const millionths = readPercent(request.percent, { faults, pointer: "/discount/percent" });
    return millionths === null ? null : { title, terms: { kind: "percent", millionths } };
  }
  const place = { faults, pointer: "/discount/amount" };
  const amountMinor = readAmount(request.amount, currency, place);
  return amountMinor === null ? null : { title, terms: { kind: "amount", amountMinor } };
}

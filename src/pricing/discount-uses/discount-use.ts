// Rules: which discounts a sale may have, and why a code gives none. What depends on the goods is decided when the
// sale is priced.

import type { Contact, Customer } from "#customers/customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Minimum } from "#pricing/discounts/discount-terms.ts";
import type { Discount, DiscountStatus } from "#pricing/discounts/discount.ts";

/** Why a code is no candidate. `not_combinable` is a second code of one discount, which would change nothing. */
export const codeReasons = [
  "unknown",
  "not_started",
  "ended",
  "exhausted",
  "currency",
  "customer_required",
  "customer_not_eligible",
  "used_by_customer",
  "not_combinable",
] as const;
export type CodeReason = (typeof codeReasons)[number];

/** Who buys, as far as a sale may depend on it. */
export interface CustomerOfSale {
  /** Null while unknown: nothing can be counted then. */
  readonly id: Id<"customer"> | null;
  /** Null where nothing proves who it is: discounts for tags then do not apply. */
  readonly tags: readonly string[] | null;
  /**
   * False in a public cart, which tells nothing about a customer: limits per customer are then read when the order is
   * placed.
   */
  readonly hasLimits: boolean;
}

/**
 * The key by which limits per customer count. A new customer has used nothing yet; without a contact nothing can be
 * counted.
 */
export function limitsOf(
  known: Pick<Customer, "id"> | null | undefined,
  contact: Contact | undefined,
): Pick<CustomerOfSale, "id" | "hasLimits"> {
  const isNamed = contact !== undefined && (contact.email !== null || contact.phone !== null);
  const id = known?.id ?? null;
  return { id, hasLimits: id !== null || !isNamed };
}

/** The facts of a sale, beside its goods, on which a discount depends. */
export interface SaleTerms {
  readonly currency: CurrencyCode;
  readonly customer: CustomerOfSale;
  /** How often the customer used each discount. */
  readonly uses: ReadonlyMap<string, number>;
}

const reasonOfStatus: Readonly<Record<DiscountStatus, CodeReason | null>> = {
  archived: "ended",
  ended: "ended",
  exhausted: "exhausted",
  scheduled: "not_started",
  active: null,
};

/** Why the discount does not apply to the sale; null if it may. */
export function reasonAgainst(
  discount: Discount,
  status: DiscountStatus,
  { currency, customer, uses }: SaleTerms,
): CodeReason | null {
  const reason = reasonOfStatus[status];
  if (reason !== null) return reason;
  if (!hasCurrency(discount, currency)) return "currency";
  return reasonOfTags(discount, customer) ?? reasonOfLimit(discount, customer, uses);
}

function reasonOfTags({ customerTags }: Discount, { tags }: CustomerOfSale): CodeReason | null {
  if (customerTags.length === 0) return null;
  if (tags === null) return "customer_required";
  return customerTags.some((tag) => tags.includes(tag)) ? null : "customer_not_eligible";
}

function reasonOfLimit(
  { id, perCustomerLimit }: Discount,
  customer: CustomerOfSale,
  uses: SaleTerms["uses"],
): CodeReason | null {
  if (perCustomerLimit === null || !customer.hasLimits) return null;
  if (customer.id === null) return "customer_required";
  return (uses.get(id) ?? 0) < perCustomerLimit ? null : "used_by_customer";
}

/** Returns true if an amount of the currency is known wherever the discount has amounts. */
function hasCurrency({ terms, minimum }: Pick<Discount, "terms" | "minimum">, currency: string) {
  const isPriced =
    terms.kind !== "amount" || terms.amounts.some((amount) => amount.currency === currency);
  return isPriced && (minimum.amounts.length === 0 || amountIn(minimum, currency) !== null);
}

/** The amount in this currency, in minor units; null if there is none. */
export function amountIn({ amounts }: Pick<Minimum, "amounts">, currency: string): number | null {
  return amounts.find((amount) => amount.currency === currency)?.amountMinor ?? null;
}

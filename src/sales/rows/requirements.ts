// The rule of what a customer must say before an order.

import type { Address } from "#kernel/address.ts";
import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  publicMember,
} from "#kernel/refusal.ts";
import type { LineToQuote } from "#pricing/quote/price-order.ts";
import {
  type SaleQuote,
  type ShippingProblem,
  shippingProblems,
} from "#pricing/quote/quote-sale.ts";
import { needsShipping } from "#pricing/quote/shipping-choice.ts";
import { checkoutOf, type CheckoutRules } from "#shop/store/checkout.ts";
import type { Store } from "#shop/store/store.ts";

const requirements = [
  "contact_required",
  "email_required",
  "phone_required",
  "address_required",
  "name_required",
] as const;

/** The names of all that keeps a cart from being completed, in the order in which they are told. */
export const checkoutProblems = [...requirements, ...shippingProblems] as const;

/** A part that is missing. */
export interface Missing {
  readonly problem: (typeof requirements)[number];
  /** Pointers to the fields of the cart or the order that lack. */
  readonly fields: readonly string[];
}

/** A contact of which any part may be unknown. */
interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** The contact with the parts that it lacks from a record. */
function completedBy(contact: Partial<Contact> | undefined, record: Contact | null): Contact {
  const of = (part: keyof Contact) => contact?.[part] ?? record?.[part] ?? null;
  return { email: of("email"), phone: of("phone"), name: of("name") };
}

/** The details that a cart or an order has. */
export interface Said {
  /** Completed from the record of a customer who is named or signed in. */
  readonly contact: Contact;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  /** True if goods are shipped: a line requires it, and its option is no pickup. */
  readonly isShipped: boolean;
  /** The country of the store, for an address without one. */
  readonly country: string | null;
}

/** A cart or an order as it was written, with what its price says of the delivery. */
interface Written extends Pick<Said, "shippingAddress" | "billingAddress"> {
  readonly contact: Partial<Contact> | undefined;
  /** The record of the customer, if it is proved whose it is. */
  readonly record: Contact | null;
  readonly lines: readonly Pick<LineToQuote, "requiresShipping" | "quantity">[];
  readonly quote: Pick<SaleQuote, "isPickedUp"> | null;
}

/** Returns the parts that the store asks for and a cart or an order lacks. */
export function missingIn(store: Pick<Store, "checkout" | "country">, written: Written): Missing[] {
  const { contact, record, shippingAddress, billingAddress, lines, quote } = written;
  return missingOf(checkoutOf(store), {
    contact: completedBy(contact, record),
    shippingAddress,
    billingAddress,
    isShipped: needsShipping(lines) && quote?.isPickedUp !== true,
    country: store.country,
  });
}

/** Returns the parts that the shop's rules ask for and the customer has not given. */
function missingOf(rules: CheckoutRules, said: Said): Missing[] {
  return [
    ...missingContact(rules, said),
    ...missingAddress(rules, said),
    ...missingName(rules, said),
  ];
}

function missingContact({ contact: rule }: CheckoutRules, { contact }: Said): Missing[] {
  const { email, phone } = contact;
  if (rule === "email" && email === null) {
    return [{ problem: "email_required", fields: ["/customer/email"] }];
  }
  if (rule === "phone" && phone === null) {
    return [{ problem: "phone_required", fields: ["/customer/phone"] }];
  }
  if (rule !== "either" || email !== null || phone !== null) return [];
  return [{ problem: "contact_required", fields: ["/customer/email", "/customer/phone"] }];
}

function missingAddress({ address: rule }: CheckoutRules, said: Said): Missing[] {
  const { shippingAddress, billingAddress, isShipped, country } = said;
  if (rule === "never" || (rule === "shipped" && !isShipped)) return [];
  const lacking = lackingIn(shippingAddress, country);
  if (lacking.length === 0) return [];
  if (!isShipped && lackingIn(billingAddress, country).length === 0) return [];
  return [
    { problem: "address_required", fields: lacking.map((one) => `/shipping_address/${one}`) },
  ];
}

function lackingIn(address: Address | null, country: string | null): string[] {
  const parts = {
    line1: address?.line1 ?? null,
    city: address?.city ?? null,
    country: address?.country ?? country,
  };
  return Object.entries(parts).flatMap(([part, value]) => (value === null ? [part] : []));
}

function missingName(
  { name: isNeeded }: CheckoutRules,
  { contact, shippingAddress }: Said,
): Missing[] {
  const isNamed = contact.name !== null || (shippingAddress?.name ?? null) !== null;
  return isNeeded && !isNamed ? [{ problem: "name_required", fields: ["/customer/name"] }] : [];
}

/** All that keeps a cart or an order from being placed, by name. */
export function problemsOf(missing: readonly Missing[], shipping: ShippingProblem | null) {
  const named = missing.map(({ problem }) => problem);
  return shipping === null ? named : [...named, shipping];
}

export const checkoutIncomplete = defineRefusal("checkout_incomplete", "conflict", {
  title: "The order lacks what the shop asks of its customers.",
  cause:
    "The store's `checkout` asks for a contact, an address or a name that was not sent. `problems` names what is missing, as the cart does, and `missing` the fields; of an email and a phone where either will do, both are named.",
  remedy: "Let the customer enter them, and repeat the request with them.",
  example: {
    members: {
      problems: ["contact_required", "address_required"],
      missing: ["/customer/email", "/customer/phone", "/shipping_address/city"],
      options: [],
    },
  },
});

const incompleteMembers = defineMembers({
  problems: publicMember(
    member.texts(
      "What is missing, as `problems` of the cart, with a shipping option if that is missing too.",
    ),
  ),
  missing: publicMember(member.texts("Pointers to the fields that are missing.")),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof incompleteMembers> {}
}

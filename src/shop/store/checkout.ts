// The details that the shop asks of a customer before an order: a setting of the store.

/** The contact that an order needs. */
export const contactRules = ["either", "email", "phone", "none"] as const;
export type ContactRule = (typeof contactRules)[number];

/** The orders that need an address: those with goods to ship, all, or none. */
export const addressRules = ["shipped", "always", "never"] as const;
export type AddressRule = (typeof addressRules)[number];

export interface CheckoutRules {
  readonly contact: ContactRule;
  readonly address: AddressRule;
  /** True if an order needs a name. */
  readonly name: boolean;
}

/** The settings of the merchant; a rule that is absent or null has its default. */
export type CheckoutGiven = {
  readonly [Rule in keyof CheckoutRules]?: CheckoutRules[Rule] | null;
} & {
  /** True if an upgrade chose them by what the shop's orders had, and the merchant has not said since. */
  readonly isAssumed?: boolean;
};

/** Returns the rules that the merchant set, and the default of the others. */
export function checkoutOf({ checkout }: { readonly checkout: CheckoutGiven }): CheckoutRules {
  return {
    contact: checkout.contact ?? "either",
    address: checkout.address ?? "shipped",
    name: checkout.name ?? true,
  };
}

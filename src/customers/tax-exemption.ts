// Why a customer is charged no tax. Only the merchant says so.

/** `reverse_charge`: the customer's own business accounts for the tax. */
export const taxExemptions = ["none", "reverse_charge", "exempt"] as const;
export type TaxExemption = (typeof taxExemptions)[number];

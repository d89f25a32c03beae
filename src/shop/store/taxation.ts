// How the shop's prices and its shipping are taxed: the values of its settings.

/** How shipping is taxed: at the rates of class `standard`, in proportion to the goods, or not at all. */
export const shippingTaxes = ["standard", "as_goods", "none"] as const;
export type ShippingTax = (typeof shippingTaxes)[number];

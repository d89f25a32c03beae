// The orders that a list of products has.

export const productOrders = ["newest", "price", "-price", "name", "-name"] as const;

/** Those of a collection, which may have an order of its own. */
export const memberOrders = [...productOrders, "position"] as const;
export type MemberOrder = (typeof memberOrders)[number];

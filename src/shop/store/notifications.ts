// The emails to customers that a shop sends, each of which the merchant may turn off.

/** The subjects of emails to customers, in the order of a sale. */
export const notificationNames = [
  "order_placed",
  "order_paid",
  "order_shipped",
  "order_cancelled",
  "order_refunded",
  "cart_abandoned",
] as const;
export type NotificationName = (typeof notificationNames)[number];

/** True if the shop sends each email. */
export type Notifications = Readonly<Record<NotificationName, boolean>>;

/** The merchant's settings. */
export type NotificationsGiven = Partial<Notifications>;

const byDefault: Notifications = {
  order_placed: true,
  order_paid: true,
  order_shipped: true,
  order_cancelled: true,
  order_refunded: true,
  // The only one that is marketing: it needs the address of the shop, and its customers' consent.
  cart_abandoned: false,
};

/** The emails that a store sends: those about orders that were not turned off, and others that were turned on. */
export function notificationsOf(store: {
  readonly notifications: NotificationsGiven;
}): Notifications {
  return { ...byDefault, ...store.notifications };
}

// How the shop's prices and its shipping are taxed: the values of its settings.

/** How shipping is taxed: at the rates of class `standard`, in proportion to the goods, or not at all. */
export const shippingTaxes = ["standard", "as_goods", "none"] as const;
export type ShippingTax = (typeof shippingTaxes)[number];

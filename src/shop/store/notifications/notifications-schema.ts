// Which emails the shop sends to customers, on the wire.

import Type from "typebox";

import { from, shape } from "#platform/http/contract/wire.ts";
import { object, optional } from "#platform/http/contract/words.ts";

import { type Notifications, type NotificationsGiven, notificationsOf } from "./notifications.ts";

const meanings = {
  order_placed: "An order that is paid later was placed.",
  order_paid: "The order is paid.",
  order_shipped: "Units were shipped, once for each fulfillment.",
  order_cancelled: "The order was cancelled.",
  order_refunded: "Money was refunded.",
  cart_abandoned:
    "A cart was left at the checkout by a customer with `marketing_consent`. It needs `postal_address`.",
} as const satisfies Readonly<Record<keyof Notifications, string>>;

const flagOf = (name: keyof Notifications) => Type.Boolean({ description: meanings[name] });

const notificationsShape = shape<Notifications>()(
  {
    order_placed: from((all: Notifications) => all.order_placed, flagOf("order_placed")),
    order_paid: from((all: Notifications) => all.order_paid, flagOf("order_paid")),
    order_shipped: from((all: Notifications) => all.order_shipped, flagOf("order_shipped")),
    order_cancelled: from((all: Notifications) => all.order_cancelled, flagOf("order_cancelled")),
    order_refunded: from((all: Notifications) => all.order_refunded, flagOf("order_refunded")),
    cart_abandoned: from((all: Notifications) => all.cart_abandoned, flagOf("cart_abandoned")),
  },
  { description: "The emails that the shop sends to customers." },
);

/** The member in answers. */
export const notificationsField = from(
  (store: { readonly notifications: NotificationsGiven }) => notificationsOf(store),
  notificationsShape,
);

/** The same in requests. */
export const notificationsChange = optional(
  object(
    {
      order_placed: optional(flagOf("order_placed")),
      order_paid: optional(flagOf("order_paid")),
      order_shipped: optional(flagOf("order_shipped")),
      order_cancelled: optional(flagOf("order_cancelled")),
      order_refunded: optional(flagOf("order_refunded")),
      cart_abandoned: optional(flagOf("cart_abandoned")),
    },
    {
      description:
        "Turns the emails that are given on or off. Those about orders are on by default, and `cart_abandoned` is off.",
    },
  ),
);

// How far an order is: placed, paid, sent.

import { type Html, html } from "#platform/html/html.ts";

import { channelOf, isToPack, methodOf, type Order } from "../../parts/order-words.ts";
import { momentOf } from "../../parts/times.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";

/** The three steps with their times. */
export function trackOf({ when }: Visit, order: Order): Html {
  const { payments, sending } = en.order;
  const isSent = order.fulfillment_status === "fulfilled";
  return html`<ol class="track">
    <li class="done">
      ${en.oneOrder.placed}<small>${momentOf(order.created_at, when)} · ${channelOf(order)}</small>
    </li>
    <li class="${order.paid_at === null ? "next" : "done"}">
      ${payments[order.payment_status]}<small
        >${order.paid_at === null ? methodOf(order) : `${momentOf(order.paid_at, when)} · ${methodOf(order)}`}</small
      >
    </li>
    <li class="${isSent ? "done" : isToPack(order) ? "next" : ""}">
      ${order.status === "cancelled" ? sending.cancelled : sending[order.fulfillment_status]}<small
        >${order.fulfilled_at !== null && momentOf(order.fulfilled_at, when)}${order.cancelled_at !== null && momentOf(order.cancelled_at, when)}</small
      >
    </li>
  </ol>`;
}

// An order as a row of a list: enough to act.

import { amountIn } from "#dashboard/kit/parts/money.ts";
import {
  channelOf,
  customerOf,
  itemsOf,
  paymentMark,
  sendingMark,
} from "#dashboard/kit/parts/order-words.ts";
import { agoOf, agoOrDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

interface RowTerms {
  /** True if the row stands under the day of its order. */
  readonly isUnderDay: boolean;
  /** A box to tick beside the row. */
  readonly box?: Html | null;
}

/** A row that leads to the order. */
export function orderRow(visit: Visit, order: OrderAnswer, { isUnderDay, box }: RowTerms): Html {
  const { store, when } = visit;
  const age = (isUnderDay ? agoOf : agoOrDayOf)(order.created_at, when);
  return html`<li id="${order.id}">
    ${box}<a class="row" href="${visit.href(`/orders/${order.id}`)}"
      >${nameOf(order)}<span class="what" dir="auto">${itemsOf(order)}</span
      ><span class="marks">${paymentMark(order)} ${sendingMark(order) ?? html`<span></span>`}</span
      ><span class="when">${age} <span class="channel">· ${channelOf(order)}</span></span
      ><span class="sum">${amountIn(store.currency, order.total_minor, order.currency)}</span></a
    >
  </li>`;
}

/** The number of an order and its customer, as a row begins. */
export function nameOf(order: OrderAnswer): Html {
  return html`<span class="name"
    ><span class="num">#${order.number}</span>
    <span class="who" dir="auto">${customerOf(order)}</span></span
  >`;
}

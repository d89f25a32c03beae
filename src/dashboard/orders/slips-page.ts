// The packing slips of several orders, each on a sheet of its own: those that were ticked in the list, or all that is
// to be packed.

import { html } from "#platform/html/html.ts";
import { orderWire } from "#sales/orders/schema.ts";

import { type Listed, nullIfGone } from "../asker.ts";
import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { olderLink } from "../parts/list.ts";
import { isToPack, type Order } from "../parts/order-words.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { placedAt, slipOf } from "./order/print-pages.ts";
import { chosenIn, sendAllForm, SLIPS } from "./send-orders.ts";

/** As many as fit into the size of a page. */
const PER_PAGE = "30";
const words = en.orders;

export const slipsPage: Page = {
  path: SLIPS,
  scopes: ["orders:read"],
  show: async (visit) => {
    const listed = await ordersOf(visit);
    const orders = listed.data;
    const toSend = visit.may("orders:write") ? orders.filter(isToPack) : [];
    const title = words.slips(orders.length);
    return {
      title,
      body: html`<div class="noprint stack">
          ${heading({ title, back: [visit.href("/orders"), words.title] })}
          <p class="soft">${orders.length === 0 ? words.noSlips : en.oneOrder.print.how}</p>
        </div>
        <div class="stack slips">
          ${orders.map(
            (order) =>
              html`<section>
                <h2>${en.oneOrder.print.slip(order.number)}</h2>
                ${placedAt(visit, order)} ${slipOf(order)}
              </section>`,
          )}
        </div>
        <div class="noprint stack">
          ${olderLink(visit, listed)} ${toSend.length > 0 && sendAllForm(visit, toSend)}
        </div>`,
    };
  },
};

async function ordersOf(visit: Visit): Promise<Listed<Order>> {
  const chosen = chosenIn(visit.url.searchParams);
  if (chosen.length === 0) {
    const cursor = visit.query("cursor");
    const query = { to_pack: "true", limit: PER_PAGE, ...(cursor === "" ? {} : { cursor }) };
    return visit.list(orderWire, "GET /v2/orders", { query });
  }
  const found = await Promise.all(chosen.map(({ id }) => orderOf(visit, id)));
  const data = found.filter((order) => order !== null);
  return { data, has_more: false, next_cursor: null };
}

async function orderOf(visit: Visit, id: string): Promise<Order | null> {
  const order: Promise<Order> = visit.ask(orderWire, "GET /v2/orders/{id}", { params: { id } });
  return order.catch(nullIfGone);
}

// The first look of the day: what came in, what waits, what was last.

import { type Html, html } from "#platform/html/html.ts";
import { orderWire } from "#sales/orders/schema.ts";

import { orderRow } from "../orders/order-row.ts";
import type { Page } from "../page.ts";
import { emptyList } from "../parts/list.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import type { Order } from "../parts/order-words.ts";
import { longDayOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { firstSteps } from "./first-steps.ts";
import { takingsOf } from "./takings.ts";
import { waitingList } from "./waiting-list.ts";

const LATEST = "6";

export const homePage: Page = {
  path: "",
  scopes: ["store:read"],
  show: async (visit) => {
    const orders = await latestOf(visit);
    const steps = await firstSteps(visit, orders);
    return {
      title: en.nav.home,
      follows: "order",
      body: html`<div class="heading"><h1>${longDayOf(visit.now, visit.when)}</h1></div>
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        ${orders.length === 0 ? (steps ?? noOrders) : html`${await dayOf(visit)} ${latest(visit, orders)} ${steps}`}`,
    };
  },
  forms: { seed: { route: "POST /v2/test/seed", doneMessage: "seeded" } },
};

/** What a person sees in an empty shop who does not set it up. */
const noOrders = emptyList(en.orders.empty.all, en.home.noOrdersWhat);

async function latestOf(visit: Visit): Promise<readonly Order[]> {
  if (!visit.may("orders:read")) return [];
  const { data } = await visit.list(orderWire, "GET /v2/orders", { query: { limit: LATEST } });
  return data;
}

/** The takings, and what waits beside them where there is room. */
async function dayOf(visit: Visit): Promise<Html> {
  return html`<div class="halves">
    <div class="stack">${await takingsOf(visit)}</div>
    ${visit.waiting !== null && waitingList(visit, visit.waiting)}
  </div>`;
}

function latest(visit: Visit, orders: readonly Order[]): Html {
  const rows = orders.map((order) => orderRow(visit, order, { isUnderDay: false }));
  return html`<section>
    <div class="day">
      <h2>${en.home.latest}</h2>
      <a class="small" href="${visit.href("/orders?show=all")}">${en.home.allOrders}</a>
    </div>
    <ol class="rows orders">
      ${rows}
    </ol>
  </section>`;
}

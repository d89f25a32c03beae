// The parcels of an order and how to follow them, on the order's page, and the page on which the tracking is typed.

import { memberWhere } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { input, versionField } from "#dashboard/kit/parts/field.ts";
import { itemsInLine } from "#dashboard/kit/parts/order-words.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import { refusedPage } from "#dashboard/kit/refused-page.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

import { actPage, askOrder, toOrder } from "./acts.ts";

type Fulfillment = OrderAnswer["fulfillments"][number];
const words = en.oneOrder.sent;

/** Every parcel of the order; null if none left the shop. */
export function sentPart(visit: Visit, order: OrderAnswer): Html | null {
  if (order.fulfillments.length === 0) return null;
  return html`<section>
    <h2>${words.title}</h2>
    <ul class="rows">
      ${order.fulfillments.map((sent) => html`<li class="lined">${parcelOf(visit, order, sent)}</li>`)}
    </ul>
  </section>`;
}

/** The parcel of the page's address, as the interface shows it in its order. */
function parcelIn({ fulfillments }: JsonObject, { params }: Visit): JsonObject | null {
  return memberWhere(fulfillments, ({ id }) => id === params["fulfillment_id"]);
}

function parcelOf(
  visit: Visit,
  order: OrderAnswer,
  { id, tracking, created_at: at, ...sent }: Fulfillment,
) {
  const items = sent.line_items.map(({ line_item_id: line, quantity }) => {
    const name = order.line_items.find((one) => one.id === line)?.name ?? "";
    return { name, quantity };
  });
  const known = [isolated(tracking?.carrier ?? ""), tracking?.number].filter(Boolean).join(" ");
  const url = tracking?.url ?? null;
  return html`<span
      >${itemsInLine(items)}<br /><span class="small soft">${momentOf(at, visit.when)}</span>
      ${known} ${url !== null && html`<a href="${url}" rel="noreferrer">${words.follow}</a>`}</span
    >
    ${visit.may("orders:write") && html`<a href="${visit.href(`/orders/${order.id}/sent/${id}`)}">${tracking === null ? words.add : words.change}</a>`}`;
}

/** How a parcel is followed, which is often known only in the evening. */
export const trackingPage: Page = {
  path: "/orders/{id}/sent/{fulfillment_id}",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const sent = order.fulfillments.find(({ id }) => id === visit.params["fulfillment_id"]);
    if (sent === undefined) return refusedPage(visit, { status: 404, problem: {} });
    const { tracking } = sent;
    const { carrier, number, url } = en.oneOrder.send;
    const body = html`<form class="stack" method="post" action="${visit.page}/tracking">
      ${versionField(visit.submitted, order.version)}
      ${input(visit.submitted, { label: carrier, name: "/tracking/carrier", value: tracking?.carrier ?? "" })}
      ${input(visit.submitted, { label: number, name: "/tracking/number", value: tracking?.number ?? "" })}
      ${input(visit.submitted, { label: url, name: "/tracking/url", type: "url", value: tracking?.url ?? "" })}
      <p><button class="go">${words.save}</button></p>
    </form>`;
    return actPage(visit, order, { title: tracking === null ? words.add : words.change, body });
  },
  forms: {
    tracking: {
      route: "PUT /v2/orders/{id}/fulfillments/{fulfillment_id}",
      doneMessage: "tracked",
      redirectTo: toOrder,
      undo: { readRoute: "GET /v2/orders/{id}", part: parcelIn },
    },
  },
};

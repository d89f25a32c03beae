// The parcels of an order and how to follow them, on the order's page, the page on which the tracking is typed, and the way
// back for what was marked as sent by mistake.

import type { RequestForm } from "#dashboard/kit/forms/form.ts";
import { memberWhere } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { emailLink, greeted, whatsAppLink } from "#dashboard/kit/parts/contacts.ts";
import { input, textarea, versionField } from "#dashboard/kit/parts/field.ts";
import { itemsInLine } from "#dashboard/kit/parts/order-words.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import { refusedPage } from "#dashboard/kit/refused-page.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { emailWire } from "#emails/schema.ts";
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
      ${order.fulfillments.map((sent) => html`<li class="lined">${(sent.cancelled_at === null ? parcelOf : cancelledParcel)(visit, order, sent)}</li>`)}
    </ul>
  </section>`;
}

/** The parcel of the page's address, as the interface shows it in its order. */
function parcelIn({ fulfillments }: JsonObject, { params }: Visit): JsonObject | null {
  return memberWhere(fulfillments, ({ id }) => id === params["fulfillment_id"]);
}

/** A parcel that was not sent after all. */
function cancelledParcel(visit: Visit, order: OrderAnswer, sent: Fulfillment): Html {
  const at = momentOf(sent.cancelled_at ?? sent.created_at, visit.when);
  return html`<span
    >${itemsInLine(itemsOf(order, sent))}<br /><span class="small soft">${words.notSent(at)}</span>
    ${isolated(sent.cancel_note ?? "")}</span
  >`;
}

function itemsOf({ line_items: lines }: OrderAnswer, sent: Pick<Fulfillment, "line_items">) {
  return sent.line_items.map(({ line_item_id: line, quantity }) => {
    const name = lines.find((one) => one.id === line)?.name ?? "";
    return { name, quantity };
  });
}

function parcelOf(
  visit: Visit,
  order: OrderAnswer,
  { id, tracking, created_at: at, ...sent }: Fulfillment,
) {
  const items = itemsOf(order, sent);
  const known = [isolated(tracking?.carrier ?? ""), tracking?.number].filter(Boolean).join(" ");
  const url = tracking?.url ?? null;
  return html`<span
      >${itemsInLine(items)}<br /><span class="small soft">${momentOf(at, visit.when)}</span>
      ${known} ${url !== null && html`<a href="${url}" rel="noreferrer">${words.follow}</a>`}</span
    >
    ${visit.may("orders:write") && html`<a href="${visit.href(`/orders/${order.id}/sent/${id}`)}">${tracking === null ? words.add : words.change}</a>`}`;
}

/** The parcel that was sent last; undefined if none was. */
function lastSent({ fulfillments }: OrderAnswer): Fulfillment | undefined {
  return fulfillments.findLast((sent) => sent.cancelled_at === null);
}

/** The way to take the last parcel back, for the order's menu; null where there is none. */
export function unsendPath(order: OrderAnswer): string | null {
  const sent = lastSent(order);
  return sent === undefined ? null : `sent/${sent.id}/undo`;
}

/** The form of the order's page that takes the last parcel back at once; null where there is none. */
export function unsendButton(visit: Visit, order: OrderAnswer): Html | null {
  const sent = lastSent(order);
  if (sent === undefined || !visit.may("orders:write")) return null;
  return html`<form method="post" action="${visit.page}/unsend">
    <input type="hidden" name="version" value="${order.version}" />
    <input type="hidden" name="@fulfillment_id" value="${sent.id}" />
    <button>${en.undo.act}</button>
  </form>`;
}

/** Takes a parcel back that was marked as sent by mistake. */
export const unsendForm = {
  route: "POST /v2/orders/{id}/fulfillments/{fulfillment_id}/cancel",
  doneMessage: "undone",
  redirectTo: toOrder,
} as const satisfies RequestForm;

/** The page on which a parcel is taken back, which says whether its customer was told of it. */
export const unsendPage: Page = {
  path: "/orders/{id}/sent/{fulfillment_id}/undo",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const sent = order.fulfillments.find(({ id }) => id === visit.params["fulfillment_id"]);
    if (sent === undefined) return refusedPage(visit, { status: 404, problem: {} });
    const { title, what, act, note } = en.oneOrder.unsend;
    if (sent.cancelled_at !== null) {
      return actPage(visit, order, { title, body: html`<p>${en.oneOrder.unsend.nothing}</p>` });
    }
    const body = html`<form class="stack" method="post" action="${visit.page}/all">
      ${versionField(visit.submitted, order.version)}
      <p>${what}</p>
      ${await toldPart(visit, order, sent)}
      ${textarea(visit.submitted, { label: note, name: "/note" })}
      <p class="acts">
        <button class="go">${act}</button>
        <a class="button quiet" href="${visit.href(toOrder(null, visit))}">${en.cancel}</a>
      </p>
    </form>`;
    return actPage(visit, order, { title, body });
  },
  forms: { all: unsendForm },
};

/** When the customer was told of the parcel, and the ways to tell them that it is not so; null if they were not. */
async function toldPart(
  visit: Visit,
  order: OrderAnswer,
  { created_at: sentAt }: Fulfillment,
): Promise<Html | null> {
  const query = { order_id: order.id, template: "order_shipped", limit: "100" };
  const { data } = await visit.list(emailWire, "GET /v2/emails", { query });
  const told = data.findLast((email) => email.created_at >= sentAt)?.sent_at ?? null;
  const { customer } = order;
  if (told === null || customer === null) return null;
  const { toldAt, subject, message } = en.oneOrder.unsend;
  const body = message(greeted(customer.name), order.number, visit.store.name);
  const name = customer.name ?? en.order.unknown;
  return html`<p>${toldAt(name, momentOf(told, visit.when))}</p>
    <div class="acts">
      ${customer.phone !== null && whatsAppLink(customer.phone, body)}
      ${customer.email !== null && emailLink(customer.email, { subject: subject(order.number), body })}
    </div>`;
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

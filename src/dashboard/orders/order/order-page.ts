// The page of one order: how far it is, what is in it, whose it is, and the next thing to do.

import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { countOf } from "#dashboard/kit/parts/list.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import {
  changeOf,
  channelOf,
  customerOf,
  isToPack,
  methodOf,
  paymentWord,
} from "#dashboard/kit/parts/order-words.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { emailsPart, resendForm } from "#dashboard/orders/emails-part.ts";
import { en } from "#dashboard/words/en.ts";
import { assume, isObject } from "#kernel/assume.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import { timelineSchema } from "#sales/orders/query-schema.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";

import { keptMinor } from "./acts.ts";
import { asideOf, MERCHANT_NOTE } from "./aside.ts";
import { billOf } from "./bill.ts";
import { disputeNotes, paymentsOf, paymentsPart } from "./payments-part.ts";
import { sentPart, unsendButton, unsendForm, unsendPath } from "./sent-part.ts";
import { storyOf } from "./story.ts";
import { mayChangeItems } from "./units.ts";

const EVENTS_SHOWN = "100";

export const orderPage: Page = {
  path: "/orders/{id}",
  scopes: ["orders:read"],
  show: async (visit) => {
    const params = { id: visit.params["id"] ?? "" };
    const order = await visit.ask(orderWire, "GET /v2/orders/{id}", { params });
    const query = { limit: EVENTS_SHOWN };
    const events = await visit.ask({ schema: timelineSchema }, "GET /v2/orders/{id}/events", {
      params,
      query,
    });
    const payments = await paymentsOf(visit, order);
    const isDisputed = events.data.some(({ type }) => type === "payment.disputed");
    return {
      title: en.oneOrder.title(order.number),
      follows: order.id,
      body: html`${heading({
          title: en.oneOrder.title(order.number),
          back: [visit.href("/orders"), en.nav.orders],
          act: barOf(visit, order),
        })}
        ${doneNote(visit, afterSending(visit, order))} ${changeNote(visit, order)}
        ${refusedNote(visit.submitted)}
        <div class="two" id="order">
          <div class="stack">
            ${isDisputed && (await disputeNotes(visit, payments))}
            <section aria-label="${en.oneOrder.steps}">${trackOf(visit, order)}</section>
            <section>
              <h2>${en.oneOrder.items} · ${customerOf(order)}</h2>
              ${billOf(visit, order, payments)}
            </section>
            ${sentPart(visit, order)} ${paymentsPart(visit, payments)}
            ${await emailsPart(visit, order.id)}
            <section>
              <h2>${en.oneOrder.story}</h2>
              ${await storyOf(visit, events.data)}
            </section>
          </div>
          <aside class="stack">${asideOf(visit, order)}</aside>
        </div>`,
    };
  },
  forms: {
    fulfill: { route: "POST /v2/orders/{id}/fulfill", doneMessage: "sent" },
    unsend: unsendForm,
    note: {
      route: "PUT /v2/orders/{id}",
      doneMessage: "noted",
      // The metadata is replaced as a whole, so what programs keep in it goes with it.
      prepareBody: async (body, visit) => {
        const params = { id: visit.params["id"] ?? "" };
        const { metadata } = await visit.ask(orderWire, "GET /v2/orders/{id}", { params });
        return { ...body, metadata: merged(metadata, body["metadata"]) };
      },
      undo: {},
    },
    accept: {
      route: "POST /v2/payments/{ref}/accept",
      doneMessage: "paid",
      needsConfirmation: true,
    },
    retry: { route: "POST /v2/refunds/{id}/retry", doneMessage: "refunded" },
    close: { route: "POST /v2/refunds/{id}/close", doneMessage: "saved" },
    resend: resendForm,
    drop: { route: "POST /v2/refunds/{id}/cancel", doneMessage: "saved" },
  },
};

/** The way back and on, once this order is marked as sent. */
function afterSending(visit: Visit, order: OrderAnswer): Hole {
  return visit.query("done") === "sent" && [unsendButton(visit, order), nextToPack(visit)];
}

/** The way to what is still to be packed. */
function nextToPack(visit: Visit): Html | null {
  const { waiting } = visit;
  if (waiting === null || waiting.to_pack.count === 0) return null;
  return html`<a class="button" href="${visit.href("/orders?show=pack")}"
    >${en.orders.leftToPack(countOf(waiting.to_pack))}</a
  >`;
}

/** The change that the customer at the counter gets back. */
function changeNote(visit: Visit, { id, currency }: OrderAnswer): Html | null {
  const changeMinor = changeOf(visit, id);
  if (changeMinor === null) return null;
  const says = en.newOrder.change(textOfMoney(changeMinor, currency));
  return html`<div class="note done" role="status"><strong>${says}</strong></div>`;
}

/** An empty note is none. */
function merged(kept: object, typed: unknown): JsonObject {
  const all = Object.entries({ ...kept, [MERCHANT_NOTE]: "", ...(isObject(typed) ? typed : {}) });
  // The cast holds: both were parsed from JSON.
  return assume<JsonObject>(Object.fromEntries(all.filter(([, value]) => value !== "")));
}

/** The one thing that is next, the packing slip, and the others in a menu. */
function barOf(visit: Visit, order: OrderAnswer): Html {
  const { acts } = en.oneOrder;
  const slip = html`<a
    class="button bare"
    href="${visit.href(`/orders/${order.id}/slip`)}"
    aria-label="${acts.slip}"
    >${icon("print")}</a
  >`;
  if (!visit.may("orders:write")) return html`<div class="bar" id="acts-of">${slip}</div>`;
  const links = linksOf(visit, order);
  const cancel = visit.href(`/orders/${order.id}/cancel`);
  return html`<div class="bar" id="acts-of">
    ${primary(visit, order)} ${slip}
    ${
      (links.length > 0 || hasUnsentUnits(order)) &&
      html`<button class="bare" popovertarget="acts" aria-label="${acts.more}" type="button">
          ${icon("dots")}
        </button>
        <div id="acts" popover class="menu">
          ${links.map(([path, word]) => html`<a href="${visit.href(`/orders/${order.id}/${path}`)}">${word}</a>`)}
          ${
            hasUnsentUnits(order) &&
            html`<hr />
              <a class="danger" href="${cancel}">${acts.cancel}</a>`
          }
        </div>`
    }
  </div>`;
}

/** The pages of what else can be done. */
function linksOf(visit: Visit, order: OrderAnswer): (readonly [path: string, word: string])[] {
  const { acts } = en.oneOrder;
  const unsend = unsendPath(order);
  const possible = [
    [hasUnsentUnits(order), "send", acts.part],
    [visit.may("payments:write"), "pay", acts.pay],
    [keptMinor(order) > 0 && visit.may("payments:write"), "refund", acts.refund],
    [hasSent(order), "return", acts.returned],
    [unsend !== null, unsend ?? "", acts.unsend],
    [mayChangeItems(order), "items", acts.items],
  ] as const;
  return possible.flatMap(([isPossible, path, word]) =>
    isPossible ? [[path, word] as const] : [],
  );
}

function canPay(visit: Visit, { due_minor: dueMinor }: OrderAnswer): boolean {
  return dueMinor > 0 && visit.may("payments:write");
}

function primary(visit: Visit, order: OrderAnswer): Html | null {
  const { acts } = en.oneOrder;
  if (isToPack(order)) {
    return html`<form method="post" action="${visit.page}/fulfill">
      <input type="hidden" name="version" value="${order.version}" />
      <button class="go">${acts.sent}</button>
    </form>`;
  }
  return canPay(visit, order)
    ? html`<a class="button go" href="${visit.href(`/orders/${order.id}/pay`)}">${acts.pay}</a>`
    : null;
}

/** Returns true if units wait to be sent. */
function hasUnsentUnits({ status, fulfillment_status: sending }: OrderAnswer): boolean {
  return status === "open" && sending !== "fulfilled";
}

function hasSent({ line_items: lines }: OrderAnswer): boolean {
  return lines.some((line) => line.fulfilled_quantity > line.returned_quantity);
}

// How far an order is: placed, paid, sent.

/** The three steps with their times. */
function trackOf(visit: Visit, order: OrderAnswer): Html {
  const { when } = visit;
  const { sending } = en.order;
  const isSent = order.fulfillment_status === "fulfilled";
  return html`<ol class="track">
    <li class="done">
      ${en.oneOrder.placed}<small>${momentOf(order.created_at, when)} · ${channelOf(order)}</small>
    </li>
    <li class="${order.paid_at === null ? "next" : "done"}">
      ${paymentWord(visit, order)}<small
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

// Several orders of the list, marked as sent at once, and the way back. Each is a request of its own, with its own version: what is
// refused is named with its reason, and the others stay sent.

import { type Listed, nullIfGone, objectOf, Refused } from "#dashboard/kit/asker.ts";
import type { CustomForm } from "#dashboard/kit/forms/form.ts";
import { sendOnce } from "#dashboard/kit/forms/send-once.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { olderLink } from "#dashboard/kit/parts/list.ts";
import { isToPack } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { placedAt, slipOf } from "#dashboard/orders/order/print-pages.ts";
import { unsendForm } from "#dashboard/orders/order/sent-part.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";

const words = en.orders;
const FORM = "send";
/** The page of the packing slips. */
export const SLIPS = "/orders/slips";
/** As many as are ticked on a page, with room. */
const CHOSEN_MAX = 100;

/** An order as its box names it. */
interface Chosen {
  readonly id: string;
  readonly version: string;
  readonly number: string;
}

/** The box of an order, which belongs to the form of `chosenForm`. */
export function boxOf(order: OrderAnswer): Html {
  return html`<label class="pick"
    ><input
      type="checkbox"
      form="${FORM}"
      name="order"
      value="${valueOf(order)}"
      aria-label="${words.choose(order.number)}"
  /></label>`;
}

/** The form of the boxes; it is seen once one of them is ticked. */
export function chosenForm(visit: Visit): Html {
  return html`<form class="chosen" id="${FORM}" method="post" action="${visit.page}/${FORM}">
    <span>${words.chosen}</span
    ><button formaction="${visit.href(SLIPS)}" formmethod="get">${words.printSlips}</button
    ><button class="go">${words.sendChosen}</button>
  </form>`;
}

/** A button that marks these orders as sent, as they were when the page was shown. */
function sendAllForm(visit: Visit, orders: readonly OrderAnswer[]): Html {
  return html`<form method="post" action="${visit.href("/orders")}/${FORM}">
    ${orders.map((order) => html`<input type="hidden" name="order" value="${valueOf(order)}" />`)}
    <button class="go">${words.sendAll(orders.length)}</button>
  </form>`;
}

function valueOf({ id, version, number }: OrderAnswer | Chosen): string {
  return `${id} ${version} ${number}`;
}

export const sendOrders: CustomForm = {
  doneMessage: "sent",
  handle: async (visit, fields) => {
    const chosen = chosenIn(fields);
    if (chosen.length === 0) throw refusal(422, words.noneChosen, []);
    const faults: string[] = [];
    const sent = new URLSearchParams();
    for (const { id, version, number } of chosen) {
      const change = { params: { id }, body: {}, version };
      const answer = await sendOnce(visit, "POST /v2/orders/{id}/fulfill", change);
      const after = Number(version) + 1;
      if (answer.status >= 400) faults.push(words.notMarked(number, reasonOf(answer)));
      // At any other version something else happened last, which is not undone here.
      else if (objectOf(answer.text)["version"] === after) {
        sent.append("order", `${id} ${after} ${number}`);
      }
    }
    if (faults.length === 0) return { nextPath: `/orders?${sent.toString()}` };
    throw refusal(409, words.someSent(chosen.length - faults.length, faults.length), faults);
  },
};

/** The way back, in the note after orders were marked as sent; null elsewhere. */
export function unsendChosen(visit: Visit): Html | null {
  const sent = chosenIn(visit.url.searchParams);
  if (visit.query("done") !== "sent" || sent.length === 0) return null;
  return html`<form method="post" action="${visit.page}/unsend">
    ${sent.map((order) => html`<input type="hidden" name="order" value="${valueOf(order)}" />`)}
    <button>${en.undo.act}</button>
  </form>`;
}

/** Takes back what `sendOrders` sent. An order that changed since stays as it is. */
export const unsendOrders: CustomForm = {
  doneMessage: "undone",
  handle: async (visit, fields) => {
    const chosen = chosenIn(fields);
    const faults: string[] = [];
    for (const one of chosen) {
      const answer = await unsend(visit, one);
      if (answer.status >= 400) faults.push(words.notMarked(one.number, reasonOf(answer)));
    }
    if (faults.length === 0) return {};
    throw refusal(409, words.someUnsent(chosen.length - faults.length, faults.length), faults);
  },
};

/** Cancels the last fulfillment, which the form made if the order still has this version. */
async function unsend(visit: Visit, { id, version }: Chosen): Promise<Answer> {
  const order: OrderAnswer = await visit.ask(orderWire, "GET /v2/orders/{id}", { params: { id } });
  const last = order.fulfillments.at(-1)?.id ?? "";
  return sendOnce(visit, unsendForm.route, {
    params: { id, fulfillment_id: last },
    body: {},
    version,
  });
}

/** Each order once; a value that no box has is none. */
function chosenIn(fields: URLSearchParams): Chosen[] {
  const values = new Set(fields.getAll("order"));
  return [...values].slice(0, CHOSEN_MAX).flatMap((value) => {
    const [, id, version, number] = /^(ord_\w+) (\d{1,15}) (\d{1,15})$/.exec(value) ?? [];
    return id === undefined || version === undefined || number === undefined
      ? []
      : [{ id, version, number }];
  });
}

function reasonOf({ status, text }: Answer): string {
  const { detail } = objectOf(text);
  return status === 412 || typeof detail !== "string" ? words.changed : detail;
}

/** The page again, with what was not done. */
function refusal(status: number, detail: string, faults: readonly string[]): Refused {
  const errors = faults.map((fault) => ({ detail: fault }));
  return new Refused({ status, headers: {}, text: JSON.stringify({ detail, errors }) });
}

// The packing slips of several orders, each on a sheet of its own: those that were ticked in the list, or all that is
// to be packed.

/** As many as fit into the size of a page. */
const PER_PAGE = "30";

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

async function ordersOf(visit: Visit): Promise<Listed<OrderAnswer>> {
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

async function orderOf(visit: Visit, id: string): Promise<OrderAnswer | null> {
  const order: Promise<OrderAnswer> = visit.ask(orderWire, "GET /v2/orders/{id}", {
    params: { id },
  });
  return order.catch(nullIfGone);
}

// Several orders of the list, marked as sent at once. Each is a request of its own, with its own version: what is
// refused is named with its reason, and the others stay sent.

import { type Html, html } from "#platform/html/html.ts";
import type { Answer } from "#platform/http/answer.ts";

import { objectOf, Refused } from "../asker.ts";
import type { CustomForm } from "../forms/form.ts";
import { sendOnce } from "../forms/send-once.ts";
import type { Order } from "../parts/order-words.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

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
export function boxOf(order: Order): Html {
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
export function sendAllForm(visit: Visit, orders: readonly Order[]): Html {
  return html`<form method="post" action="${visit.href("/orders")}/${FORM}">
    ${orders.map((order) => html`<input type="hidden" name="order" value="${valueOf(order)}" />`)}
    <button class="go">${words.sendAll(orders.length)}</button>
  </form>`;
}

function valueOf({ id, version, number }: Order): string {
  return `${id} ${version} ${number}`;
}

export const sendOrders: CustomForm = {
  doneMessage: "sent",
  handle: async (visit, fields) => {
    const chosen = chosenIn(fields);
    if (chosen.length === 0) throw refusal(422, words.noneChosen, []);
    const faults: string[] = [];
    for (const { id, version, number } of chosen) {
      const change = { params: { id }, body: {}, version };
      const answer = await sendOnce(visit, "PUT /v2/orders/{id}/fulfill", change);
      if (answer.status >= 400) faults.push(words.notMarked(number, reasonOf(answer)));
    }
    if (faults.length === 0) return {};
    throw refusal(409, words.someSent(chosen.length - faults.length, faults.length), faults);
  },
};

/** Each order once; a value that no box has is none. */
export function chosenIn(fields: URLSearchParams): Chosen[] {
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

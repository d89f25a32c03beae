// Acts on an order that have a page of their own, because they cannot be taken back or need to be told more: they say
// what will be, and work without script.

import { type Html, html } from "#platform/html/html.ts";
import { orderWire } from "#sales/orders/schema.ts";

import type { PageContent } from "../../page-content.ts";
import { heading } from "../../parts/heading.ts";
import { refusedNote } from "../../parts/note.ts";
import type { Order } from "../../parts/order-words.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { explainNoUnits } from "../chosen-lines.ts";

/** The order that the page's address names. */
export function askOrder(visit: Visit): Promise<Order> {
  return visit.ask(orderWire, "GET /v2/orders/{id}", { params: { id: visit.params["id"] ?? "" } });
}

/** The address of the order, after the act. */
export function toOrder(_answer: unknown, visit: Visit): string {
  return `/orders/${visit.params["id"] ?? ""}`;
}

/** The page of an act: its title, its form, and the way back. */
export function actPage(visit: Visit, order: Order, { title, body }: ActTerms): PageContent {
  return {
    title: `${title} · ${en.oneOrder.title(order.number)}`,
    body: html`${heading({
        title,
        back: [visit.href(`/orders/${order.id}`), en.oneOrder.title(order.number)],
      })}
      ${refusedNote(explainNoUnits(visit.submitted))}
      <div class="narrow">${body}</div>`,
  };
}

interface ActTerms {
  readonly title: string;
  readonly body: Html;
}

/** Choices as a select takes them, by their words. */
export function choicesOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

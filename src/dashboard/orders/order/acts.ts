// Acts on an order that have a page of their own, because they cannot be taken back or need to be told more: they say
// what will be, and work without script.

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import { typedNumber } from "#dashboard/kit/forms/typed-values.ts";
import { input, select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { explainNoUnits } from "#dashboard/orders/chosen-lines.ts";
import { en } from "#dashboard/words/en.ts";
import { parseAmount } from "#kernel/money.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";

/** The order that the page's address names. */
export function askOrder(visit: Visit): Promise<OrderAnswer> {
  return visit.ask(orderWire, "GET /v2/orders/{id}", { params: { id: visit.params["id"] ?? "" } });
}

/** The address of the order, after the act. */
export function toOrder(_answer: unknown, visit: Visit): string {
  return `/orders/${visit.params["id"] ?? ""}`;
}

/** The page of an act: its title, its form, and the way back. */
export function actPage(visit: Visit, order: OrderAnswer, { title, body }: ActTerms): PageContent {
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

// The part of the money for units that goes back: all of it, nothing, or a part.

/** The field of a part; the interface has one member for all three. */
const PART = "refund_part";

/** Money that was paid and is not on its way back, minor units. */
export function keptMinor({
  paid_total_minor: paid,
  refunding_total_minor: back,
}: OrderAnswer): number {
  return paid - back;
}

/** The choice, and the amount of a part; null where nothing was paid. */
export function moneyBackFields({ submitted }: Visit, order: OrderAnswer): Html | null {
  if (keptMinor(order) <= 0) return null;
  const { money, giveBack, keep, part, partHint } = en.oneOrder.moneyBack;
  const options = [
    { value: "true", label: giveBack },
    { value: "false", label: keep },
  ];
  return html`${select(submitted, { label: money, name: "/refund", options })}
  ${input(submitted, { label: `${part} (${order.currency})`, name: `/${PART}`, digits: "decimal", hint: partHint })}`;
}

/** A part that was typed is what goes back. */
export function withMoneyBack({ [PART]: part, ...body }: JsonObject): JsonObject {
  if (part === undefined || part === null || part === "") return body;
  return { ...body, refund: typeof part === "string" ? typedNumber(part) : part };
}

/** Returns true if the form sends back more than the shop's refund limit: who may, is asked for the password again. */
export async function isAboveLimit(visit: Visit, fields: URLSearchParams): Promise<boolean> {
  const { refund_limit_minor: limitMinor, currency } = visit.store;
  if (limitMinor === null || !visit.may("refunds:write")) return false;
  const typed = typedNumber(fields.get(`/${PART}`) ?? fields.get("/amount") ?? "");
  if (typed === "" && fields.get("/refund") === "false") return false;
  const order = await askOrder(visit);
  const read = typed === "" ? { amountMinor: keptMinor(order) } : parseAmount(typed, currency);
  // The interface refuses an amount that is none, and its limit is one of the shop's own currency.
  return "amountMinor" in read && (order.currency !== currency || read.amountMinor > limitMinor);
}

/** The field of the form that a fault is about. */
export function fieldOfMoneyBack(pointer: string, fields: URLSearchParams): string {
  const hasPart = (fields.get(`/${PART}`) ?? "").trim() !== "";
  return pointer === "/refund" && hasPart ? `/${PART}` : pointer;
}

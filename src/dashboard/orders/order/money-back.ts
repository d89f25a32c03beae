// What goes back of the money that was paid for units: all of it, nothing, or a part.

import { parseAmount } from "#kernel/money.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import { typedNumber } from "../../forms/typed-number.ts";
import { input, select } from "../../parts/field.ts";
import type { Order } from "../../parts/order-words.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { askOrder } from "./acts.ts";

/** The field of a part; the interface has one member for all three. */
const PART = "refund_part";

/** Money that was paid and is not on its way back, minor units. */
export function keptMinor({ paid_total_minor: paid, refunding_total_minor: back }: Order): number {
  return paid - back;
}

/** The choice, and the amount of a part; null where nothing was paid. */
export function moneyBackFields({ submitted }: Visit, order: Order): Html | null {
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

/** Whether the form sends back more than the shop's refund limit: who may, is asked for the password again. */
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

/** Where the form has the part that a fault is about. */
export function fieldOfMoneyBack(pointer: string, fields: URLSearchParams): string {
  const hasPart = (fields.get(`/${PART}`) ?? "").trim() !== "";
  return pointer === "/refund" && hasPart ? `/${PART}` : pointer;
}

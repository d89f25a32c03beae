// Lines of a form beside which a number of units was typed. Those without one are not meant, and are not sent.

import { isObject } from "#kernel/assume.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import type { Sent } from "../forms/sent.ts";
import { en } from "../words/en.ts";

const LINES = "/line_items";
/** The field with the units of a line; its group is the line's place in the form. */
export const QUANTITY = /^\/line_items\/(\d+)\/quantity$/;

export function isMeant(quantity: string): boolean {
  return !/^0*$/.test(quantity.trim());
}

/** Leaves out the lines of which no unit is meant. */
export function onlyMeant(body: JsonObject): JsonObject {
  const { line_items: lines } = body;
  if (!Array.isArray(lines)) return body;
  const meant = lines.filter(
    (line) => isObject(line) && line["quantity"] !== undefined && line["quantity"] !== 0,
  );
  return { ...body, line_items: meant };
}

/** The same form, which says so where beside no line any unit was typed. */
export function explainNoUnits(sent: Sent | null): Sent | null {
  const isAnyMeant = [...(sent?.fields ?? [])].some(
    ([name, text]) => QUANTITY.test(name) && isMeant(text),
  );
  const others = sent?.faults.filter(({ field }) => field !== LINES) ?? [];
  if (sent === null || isAnyMeant || others.length === sent.faults.length) return sent;
  return { ...sent, detail: en.oneOrder.noUnits, faults: others };
}

/**
 * Where the form has the line that a fault is about: lines that are not meant were left out, and of a line only its
 * units are typed.
 */
export function pointsToMeant(pointer: string, fields: URLSearchParams): string {
  const meant = [...fields]
    .flatMap(([name, text]) => {
      const index = QUANTITY.exec(name)?.[1];
      return index !== undefined && isMeant(text) ? [index] : [];
    })
    // As the body has them: by their numbers.
    .toSorted((one, other) => Number(one) - Number(other));
  return pointer.replace(/^\/line_items\/(\d+).*$/, (whole, index: string) =>
    meant[Number(index)] === undefined ? whole : `${LINES}/${meant[Number(index)]}/quantity`,
  );
}

/** What is wrong with a line of which there is too little: stock is told by variant, not by line. */
export function shortageOf(sent: Sent | null, variantId: string | null): string | undefined {
  const items = sent?.problem["items"];
  const short = Array.isArray(items)
    ? items.filter(isObject).find(({ variant_id: variant }) => variant === variantId)
    : undefined;
  return short === undefined ? undefined : en.newOrder.short(Number(short["available"]));
}

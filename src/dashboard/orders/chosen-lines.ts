// Lines of a form: chosen are those beside which a number of units was typed. The others are not sent.

import { typedNumber } from "#dashboard/kit/forms/form-body.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

const LINES = "/line_items";
/** The field with the units of a line; its group is the line's place in the form. */
export const QUANTITY = /^\/line_items\/(\d+)\/quantity$/;

export function isChosen(quantity: string): boolean {
  return !/^0*$/.test(typedNumber(quantity));
}

/** Leaves out the lines of which no unit is chosen. */
export function onlyChosenLines(body: JsonObject): JsonObject {
  const { line_items: lines } = body;
  if (!Array.isArray(lines)) return body;
  const chosen = lines.filter(
    (line) => isObject(line) && line["quantity"] !== undefined && line["quantity"] !== 0,
  );
  return { ...body, line_items: chosen };
}

/** The same form, which says so where beside no line any unit was typed. */
export function explainNoUnits(submitted: SubmittedForm | null): SubmittedForm | null {
  const isAnyChosen = [...(submitted?.fields ?? [])].some(
    ([name, text]) => QUANTITY.test(name) && isChosen(text),
  );
  const others = submitted?.faults.filter(({ field }) => field !== LINES) ?? [];
  if (submitted === null || isAnyChosen || others.length === submitted.faults.length)
    return submitted;
  return { ...submitted, detail: en.oneOrder.noUnits, faults: others };
}

/**
 * The field of the line that a fault is about: lines that are not chosen were left out, and of a line only its units
 * are typed.
 */
export function fieldOfChosenLine(pointer: string, fields: URLSearchParams): string {
  const chosen = [...fields]
    .flatMap(([name, text]) => {
      const index = QUANTITY.exec(name)?.[1];
      return index !== undefined && isChosen(text) ? [index] : [];
    })
    // As the body has them: by their numbers.
    .toSorted((one, other) => Number(one) - Number(other));
  return pointer.replace(/^\/line_items\/(\d+).*$/, (whole, index: string) =>
    chosen[Number(index)] === undefined ? whole : `${LINES}/${chosen[Number(index)]}/quantity`,
  );
}

/** The fault of a line of which there is too little: stock is told by variant, not by line. */
export function shortageOf(
  submitted: SubmittedForm | null,
  variantId: string | null,
): string | undefined {
  const items = submitted?.problem["items"];
  const short = Array.isArray(items)
    ? items.filter(isObject).find(({ variant_id: variant }) => variant === variantId)
    : undefined;
  return short === undefined ? undefined : en.newOrder.short(Number(short["available"]));
}

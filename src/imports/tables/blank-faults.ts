// Leaves blank what this shop would not take of another shop's file and can do without. Repairs of texts come before: this
// is for what no repair can read, such as a phone of letters.

import { isObject } from "#kernel/assume.ts";
import { fromPointerStep } from "#kernel/refusal.ts";
import type { ShapeCheck } from "#platform/http/contract/check-shape.ts";
import { readTexts, type TextFinder } from "#platform/http/intake/texts.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

import type { Draft } from "./draft.ts";

/** The reading and the check of a body, and the values of it that may be blank. */
export interface Intake {
  readonly check: ShapeCheck;
  readonly textsOf: TextFinder;
  /** Matches the pointer of such a value, or of one in it. An entry of a list is taken out of it. */
  readonly mayBeBlank: RegExp;
}

/**
 * Afterwards these values have no fault, and a note says which were left blank. Phones are read by the first country that
 * fits.
 */
export async function blankFaults(
  draft: Draft,
  { check, textsOf, mayBeBlank }: Intake,
  countries: readonly string[],
): Promise<void> {
  const body: JsonValue = JSON.parse(JSON.stringify(draft.body));
  for (const country of [...countries, null]) {
    await readTexts(textsOf(body), () => Promise.resolve(country));
  }
  const details = new Map<string, string>();
  for (const { pointer = "", detail } of check(body)) {
    const [found] = mayBeBlank.exec(pointer) ?? [];
    if (found !== undefined) details.set(found, detail);
  }
  // From the last one, since the entries behind one that is taken out move.
  for (const [pointer, detail] of [...details].toSorted(byPointer).toReversed()) {
    const { row, column } = draft.placeOf(pointer);
    if (remove(draft.body, pointer)) {
      draft.noteMended({ number: row }, `${column ?? pointer} is left blank: ${detail}`);
    }
  }
}

function byPointer([one]: readonly string[], [other]: readonly string[]): number {
  return (one ?? "").localeCompare(other ?? "", "en", { numeric: true });
}

/** Takes the value at the pointer out of what holds it. Returns false where there is none. */
function remove(body: object, pointer: string): boolean {
  const steps = pointer.split("/").slice(1).map(fromPointerStep);
  const last = steps.pop() ?? "";
  let holder: unknown = body;
  for (const step of steps) holder = Object(holder)[step];
  if (Array.isArray(holder)) return holder.splice(Number(last), 1).length > 0;
  return isObject(holder) && last in holder && delete holder[last];
}

// A form that was submitted, as its page shows it again: what was typed, and what the interface or a story refused of
// it.

import { Refused } from "#dashboard/kit/asker.ts";
import { en } from "#dashboard/words/en.ts";
import { assume, isObject } from "#kernel/assume.ts";
import { asRefusal, problem } from "#platform/http/contract/answer.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

/** The hidden field, and the parameter of the page before it, with the sealed body that undoes an edit. */
export const UNDO = "undo";

/** The parameter of the page after a form that was done before: the page on which it can be submitted anew. */
export const AGAIN = "again";

/** The hidden fields that name what was asked already. */
export const ASKED = "asked";

/** The hidden field with the random name of a form that makes something. */
export const NONCE = "form";

export interface SubmittedForm {
  /** The form's name on its page. */
  readonly name: string;
  readonly status: number;
  readonly code: string;
  /** The refusal as a sentence. */
  readonly detail: string;
  readonly fields: URLSearchParams;
  /** True if it was to undo what was done before. */
  readonly isUndo: boolean;
  /** The text that was typed into a field; undefined if the form has no such field. */
  readonly value: (field: string) => string | undefined;
  /** The fault of a field; undefined if it has none. */
  readonly faultOf: (field: string) => string | undefined;
  /** Faults by field; the field is empty for what no field is about. */
  readonly faults: readonly { readonly field: string; readonly message: string }[];
  /** The members of the refusal beside those that all have. */
  readonly problem: Readonly<Record<string, unknown>>;
}

/** The field that a refusal without a place is about, where the form has it. */
const fieldOfCodes: Readonly<Record<string, string>> = {
  sku_taken: "/sku",
  refund_exceeds_captured: "/amount",
  stock_below_zero: "/adjust",
  transaction_seen: "/transaction_reference",
};

/** The form with the faults that a problem document names; with none where nothing was refused. */
export function submittedForm(
  name: string,
  fields: URLSearchParams,
  { status, problem: told, fieldOf, questions }: FormRefusal,
): SubmittedForm {
  const errors: unknown[] = Array.isArray(told["errors"]) ? told["errors"] : [];
  const found = errors.filter(isObject).map((fault) => {
    const field = typeof fault["pointer"] === "string" ? fieldOf(pointerOf(fault["pointer"])) : "";
    const said = fault["code"] === "too_few" ? en.tooFew : textOf(fault["detail"]);
    return { field, message: questions?.get(field) ?? said };
  });
  const whole = fieldOfCodes[textOf(told["code"])];
  if (found.length === 0 && whole !== undefined && fields.has(whole)) {
    found.push({ field: whole, message: textOf(told["detail"]) });
  }
  // One field can stand for several places of the body.
  const faults = [...Map.groupBy(found, (fault) => JSON.stringify(fault)).values()].flatMap(
    (same) => same.slice(0, 1),
  );
  return {
    name,
    fields,
    isUndo: fields.has(UNDO),
    status,
    code: textOf(told["code"]),
    detail: textOf(told["detail"]),
    value: (field) => fields.getAll(field).at(-1),
    faultOf: (field) => faults.find((fault) => fault.field === field)?.message,
    faults,
    problem: told,
  };
}

/** The form with what is asked once before it is sent, beside what is asked of its amounts; null if all was asked. */
export function askedForm(
  { name, fields }: Pick<SubmittedForm, "name" | "fields">,
  asks: ReadonlyMap<string, string> = new Map(),
  questions: ReadonlyMap<string, string>,
): SubmittedForm | null {
  const asked = new Set(fields.getAll(ASKED));
  const open = [...asks].filter(([field]) => !asked.has(field));
  if (open.length === 0) return null;
  const shown = new URLSearchParams(fields);
  for (const [field] of open) shown.append(ASKED, field);
  const errors = [...questions, ...open].map(([field, detail]) => ({ pointer: field, detail }));
  return submittedForm(name, shown, { status: 422, problem: { errors }, fieldOf: String });
}

interface FormRefusal {
  readonly status: number;
  readonly problem: Readonly<Record<string, unknown>>;
  readonly fieldOf: (pointer: string) => string;
  /** Questions in place of what was refused, by field. */
  readonly questions?: ReadonlyMap<string, string>;
}

/** The pointer of a URI fragment such as `#/line_items/0` (RFC 6901, 6). */
function pointerOf(fragment: string): string {
  return decodeURIComponent(fragment.replace(/^#/, ""));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

// Members of what the interface answered, where no shape says what they are.

/** The members of a value; none of what is no object. */
export function membersOf(value: unknown): JsonObject {
  // The cast holds: only what was parsed from JSON comes here.
  return isObject(value) ? assume<JsonObject>(value) : {};
}

/** The first object of a list that fits; null if there is none. */
export function memberWhere(
  list: JsonValue | undefined,
  fits: (members: JsonObject) => boolean,
): JsonObject | null {
  return Array.isArray(list) ? (list.map(membersOf).find(fits) ?? null) : null;
}

/** The story's answer, or the refused form of this name. Throws what is no refusal. */
export async function catchRefusal<Value>(
  { name, fields }: { readonly name: string; readonly fields: URLSearchParams },
  story: () => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly submitted: SubmittedForm }> {
  try {
    return { value: await story() };
  } catch (error) {
    const { status, problem: document } = refusedBy(error);
    return {
      submitted: submittedForm(name, fields, { status, problem: document, fieldOf: fieldOfPerson }),
    };
  }
}

/** A story of people names the fields themselves. */
function fieldOfPerson(pointer: string): string {
  return pointer;
}

/** Returns what a story or the interface refused. Throws what is no refusal. */
export function refusedBy(error: unknown): Refused {
  const refused = asRefused(error);
  if (refused === null) throw error;
  return refused;
}

/** The same; null for what is no refusal. */
export function asRefused(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  const refusal = asRefusal(error);
  if (refusal !== error) return null;
  return new Refused(problem(refusal, { requestId: "", isPublic: false, errorsUrl: "" }));
}

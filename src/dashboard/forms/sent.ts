// A form that was sent and refused, as the page shows it again: what was typed, and what is wrong with it.

import { isObject } from "#kernel/assume.ts";

/** The field of a form, and of the address before it, that has what is to be taken back. */
export const UNDO = "undo";

/** The parameter of the page after a form that was done before: the page on which it can be meant once more. */
export const AGAIN = "again";

export interface Sent {
  /** The form's name on its page. */
  readonly form: string;
  readonly status: number;
  readonly code: string;
  /** The refusal as a sentence. */
  readonly detail: string;
  readonly fields: URLSearchParams;
  /** Whether it was to take back what was done before. */
  readonly isUndo: boolean;
  /** What was typed into a field; undefined if the form has no such field. */
  readonly typed: (field: string) => string | undefined;
  /** What is wrong with a field; undefined if nothing is. */
  readonly faultOf: (field: string) => string | undefined;
  /** Faults by field; the field is empty for what no field is about. */
  readonly faults: readonly { readonly field: string; readonly message: string }[];
  /** The members of the refusal beside those that all have. */
  readonly problem: Readonly<Record<string, unknown>>;
}

/** What a refusal that names no place is about, where the form has it. */
const fieldOfCodes: Readonly<Record<string, string>> = {
  sku_taken: "/sku",
  refund_exceeds_captured: "/amount",
  stock_below_zero: "/adjust",
};

/** The form with the faults that a problem document names. */
export function refusedForm(
  name: string,
  form: URLSearchParams,
  { status, problem, fieldOf }: Refusing,
): Sent {
  const errors: unknown[] = Array.isArray(problem["errors"]) ? problem["errors"] : [];
  const found = errors.filter(isObject).map((fault) => ({
    field: typeof fault["pointer"] === "string" ? fieldOf(pointerOf(fault["pointer"])) : "",
    message: textOf(fault["detail"]),
  }));
  const whole = fieldOfCodes[textOf(problem["code"])];
  if (found.length === 0 && whole !== undefined && form.has(whole)) {
    found.push({ field: whole, message: textOf(problem["detail"]) });
  }
  // One field can stand for several places of the body.
  const faults = [...Map.groupBy(found, (fault) => JSON.stringify(fault)).values()].flatMap(
    (same) => same.slice(0, 1),
  );
  return {
    form: name,
    fields: form,
    isUndo: form.has(UNDO),
    status,
    code: textOf(problem["code"]),
    detail: textOf(problem["detail"]),
    typed: (field) => form.getAll(field).at(-1),
    faultOf: (field) => faults.find((fault) => fault.field === field)?.message,
    faults,
    problem,
  };
}

interface Refusing {
  readonly status: number;
  readonly problem: Readonly<Record<string, unknown>>;
  readonly fieldOf: (pointer: string) => string;
}

/** The pointer of a URI fragment such as `#/line_items/0` (RFC 6901, 6). */
function pointerOf(fragment: string): string {
  return decodeURIComponent(fragment.replace(/^#/, ""));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

// Secrets of vendors that are several: named fields, kept as their JSON. Invariant: no fault repeats a value, nor a name
// that is none of the vendor's.

import { isObject } from "#kernel/assume.ts";
import type { Mode } from "#platform/database/shop.ts";

export interface VendorField {
  readonly name: string;
  /** Asks for it at a terminal. */
  readonly label: string;
  /** True if no log shows it. */
  readonly isSecret: boolean;
  /** The pattern of a whole value. */
  readonly form: RegExp;
  readonly isRequired: boolean;
  /** The value that everybody has in the vendor's sandbox: live mode refuses it. */
  readonly ofSandbox?: string;
}

type FieldValues = Readonly<Record<string, string>>;

/** Why the text does not have the fields, written to follow a name, with every fault; null if it has. */
export function fieldsFault(
  fields: readonly VendorField[],
  mode: Mode,
  secret: string,
): string | null {
  const values = valuesIn(secret);
  const names = fields.map(({ name }) => name);
  if (values === null) {
    return `must be a JSON object of texts on one line, with the fields ${names.join(", ")}`;
  }
  const faults = fields.flatMap((field) => faultOf(field, mode, values[field.name]) ?? []);
  if (Object.keys(values).some((name) => !names.includes(name))) {
    faults.push(`has a field that is none of ${names.join(", ")}`);
  }
  return faults.length === 0 ? null : faults.join("; ");
}

function faultOf(field: VendorField, mode: Mode, value: string | undefined): string | null {
  const { name, form, isRequired, ofSandbox } = field;
  if (value === undefined) return isRequired ? `lacks ${name}` : null;
  if (!form.test(value)) return `has ${name} in another form than the vendor's`;
  return mode === "live" && value === ofSandbox ? `has the sandbox's ${name}` : null;
}

/** The values of the fields. Throws for a text that `fieldsFault` does not let pass. */
export function readFields(fields: readonly VendorField[], secret: string): FieldValues {
  const values = valuesIn(secret);
  if (values === null || fields.some(({ name, isRequired }) => isRequired && !values[name])) {
    throw new Error("The secret does not have the fields of its vendor.");
  }
  return values;
}

function valuesIn(secret: string): FieldValues | null {
  const given = parsed(secret);
  if (!isObject(given)) return null;
  const entries = Object.entries(given);
  const texts = entries.flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return texts.length === entries.length ? Object.fromEntries(texts) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

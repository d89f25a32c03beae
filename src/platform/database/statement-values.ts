// Where each value of a prepared statement goes, and how each column is read. drizzle writes the SQL and
// knows the columns' encodings; its own walk over both on every run costs as much as the query itself.

import { Column, is, Param, Placeholder, SQL } from "drizzle-orm";

import { assume } from "#kernel/assume.ts";

type Encode = (value: unknown) => unknown;

/** Where a parameter comes from: a named value, or the statement itself. */
interface Slot {
  readonly name: string | null;
  readonly encode: Encode | null;
  readonly constant: unknown;
}

interface Field {
  readonly key: string;
  readonly decode: Encode | null;
}

/** A column of the answer, as drizzle keeps it. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** Named values to the driver's, in the order of the statement's parameters. */
export function binderOf(parameters: readonly unknown[]): (values: object) => unknown[] {
  const slots = parameters.map(slotOf);
  return (values) => {
    const bound: unknown[] = [];
    for (const { name, encode, constant } of slots) {
      if (name === null) bound.push(constant);
      else {
        const value: unknown = Reflect.get(values, name);
        if (value === undefined) throw new Error(`No value for placeholder "${name}" was provided`);
        bound.push(encode === null ? value : encode(value));
      }
    }
    return bound;
  };
}

/** The driver's row to the row by name. Every column is answered under one name; nesting is a bug. */
export function decoderOf(
  selected: readonly SelectedField[],
): (row: readonly unknown[]) => Record<string, unknown> {
  const fields = selected.map(fieldOf);
  return (row) => {
    const decoded: Record<string, unknown> = {};
    for (let index = 0; index < fields.length; index += 1) {
      const field = fields[index];
      if (field === undefined) continue;
      const value = row[index];
      decoded[field.key] = value === null || field.decode === null ? value : field.decode(value);
    }
    return decoded;
  };
}

function slotOf(parameter: unknown): Slot {
  if (is(parameter, Placeholder)) return { name: parameter.name, encode: null, constant: null };
  if (is(parameter, Param) && is(parameter.value, Placeholder)) {
    const { encoder } = parameter;
    const isPlain = encoder.mapToDriverValue === Column.prototype.mapToDriverValue;
    const encode: Encode = (value) => encoder.mapToDriverValue(value);
    return { name: parameter.value.name, encode: isPlain ? null : encode, constant: null };
  }
  return { name: null, encode: null, constant: parameter };
}

function fieldOf({ path, field }: SelectedField): Field {
  const [key, ...deeper] = path;
  if (key === undefined || deeper.length > 0) {
    throw new Error("A prepared statement answers flat rows.");
  }
  const decoding = is(field, SQL.Aliased) ? field.sql : field;
  return { key, decode: decodeOf(decoding) };
}

function decodeOf(field: unknown): Encode | null {
  if (is(field, Column)) {
    const isPlain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue;
    return isPlain ? null : (value) => field.mapFromDriverValue(value);
  }
  if (!is(field, SQL)) throw new Error("A prepared statement selects columns and expressions.");
  const expression = asDecoder(field);
  return (value) => expression.mapFromDriverValue(value);
}

/** The cast to the decoder of an expression, which drizzle keeps to itself. */
function asDecoder(expression: unknown): { mapFromDriverValue: Encode } {
  return assume<{ decoder: { mapFromDriverValue: Encode } }>(expression).decoder;
}

/** The cast that gives rows the type that their statement was built with. */
export function asRows<Rows>(rows: unknown): Rows {
  return assume<Rows>(rows);
}

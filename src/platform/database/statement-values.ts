// Binds the values of prepared statements and decodes their rows. drizzle writes the SQL and knows
// each column's encoding; its own binding and decoding would cost as much per run as the query.

import { Column, is, Param, Placeholder, SQL } from "drizzle-orm";

import { assume } from "#kernel/assume.ts";
import { compiled } from "#platform/process/compiled.ts";

type Encode = (value: unknown) => unknown;

/** The source of a parameter: a named value, or a constant of the statement. */
interface Parameter {
  readonly name: string | null;
  readonly encode: Encode | null;
  readonly constant: unknown;
}

interface Field {
  readonly key: string;
  readonly decode: Encode | null;
}

/** A column of the result, in drizzle's form. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** Returns the function that puts named values into the order of the statement's parameters. */
export function binderOf(parameters: readonly unknown[]): (values: object) => unknown[] {
  const sources = parameters.map(parameterOf);
  const places = sources.map(({ name, encode }, index) => {
    if (name === null) return `step${index}()`;
    const value = `values[${JSON.stringify(name)}]`;
    return encode === null ? value : `step${index}(${value})`;
  });
  const steps = sources.map(({ encode, constant }) =>
    encode === null ? () => constant : (value: unknown) => encodedOf(value, encode),
  );
  const bind = compiled<object, unknown[]>("values", () => ({
    expression: `[${places.join(", ")}]`,
    steps,
  }));
  return (values) => {
    const bound = bind(values);
    const missing = bound.indexOf(undefined);
    if (missing === -1) return bound;
    throw new Error(`No value for placeholder "${sources[missing]?.name}" was provided`);
  };
}

/** A missing value stays missing. */
function encodedOf(value: unknown, encode: Encode): unknown {
  return value === undefined ? undefined : encode(value);
}

/**
 * Returns the function that decodes a driver's row into an object by column name. A nested
 * selection is a bug.
 */
export function decoderOf(
  selected: readonly SelectedField[],
): (row: readonly unknown[]) => Record<string, unknown> {
  const fields = selected.map(fieldOf);
  const members = fields.map(({ key, decode }, index) => {
    const value = decode === null ? `row[${index}]` : `step${index}(row[${index}])`;
    return `${JSON.stringify(key)}: ${value}`;
  });
  const steps = fields.map(
    ({ decode }) =>
      (value: unknown) =>
        value === null || decode === null ? value : decode(value),
  );
  return compiled("row", () => ({ expression: `({ ${members.join(", ")} })`, steps }));
}

function parameterOf(parameter: unknown): Parameter {
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
    throw new Error("A prepared statement must select flat rows.");
  }
  const decoding = is(field, SQL.Aliased) ? field.sql : field;
  return { key, decode: decodeOf(decoding) };
}

function decodeOf(field: unknown): Encode | null {
  if (is(field, Column)) {
    const isPlain = field.mapFromDriverValue === Column.prototype.mapFromDriverValue;
    return isPlain ? null : (value) => field.mapFromDriverValue(value);
  }
  if (!is(field, SQL))
    throw new Error("A prepared statement can only select columns and expressions.");
  const expression = asDecoder(field);
  return (value) => expression.mapFromDriverValue(value);
}

/** The cast to an expression's decoder, which drizzle does not export. */
function asDecoder(expression: unknown): { mapFromDriverValue: Encode } {
  return assume<{ decoder: { mapFromDriverValue: Encode } }>(expression).decoder;
}

/** The cast of decoded rows to the type that their statement was built with. */
export function asRows<Rows>(rows: unknown): Rows {
  return assume<Rows>(rows);
}

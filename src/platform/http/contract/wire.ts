// How a resource is answered, declared once: its schema, what is presented of a row, and the same as JSON
// text. Fields are listed in the order of the wire, and each takes what the row has under its name in
// camelCase unless it says otherwise. Invariant: a property that is not listed never leaves.

import Type, { type Static, type TArrayOptions, type TObject, type TSchema } from "typebox";

import { assume } from "#kernel/assume.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import { toIso } from "#kernel/time.ts";
import { propertyOf } from "#platform/database/record.ts";
import { quoted } from "#platform/http/canonical-json.ts";
import { type Code, compiled } from "#platform/process/compiled.ts";

import {
  about,
  amount,
  component,
  instant,
  nullable,
  object,
  whole,
  type WireAmount,
} from "./words.ts";

/** A kind of value: its schema, what is answered for what is stored, and the same as JSON text. */
export interface Field<Stored, S extends TSchema = TSchema> {
  readonly schema: S;
  readonly present: (stored: Stored) => Static<S>;
  /** The text that `JSON.stringify` makes of what is presented. */
  readonly write: (stored: Stored) => string;
}

/** A value that is read from the whole row. */
export interface RowField<Row, S extends TSchema = TSchema> {
  readonly schema: S;
  readonly ofRow: Field<Row, S>;
}

/** The same type, of values that stay as they are. */
export type Unchanged<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null
    ? T
    : T extends readonly (infer One)[]
      ? readonly Unchanged<One>[]
      : { readonly [K in keyof T]: Unchanged<T[K]> };

/** A kind of value, or the schema alone of one that is stored as it is answered. */
export type Kind = Field<never> | TSchema;
export type SchemaOf<K> = K extends { readonly schema: infer S extends TSchema } ? S : K & TSchema;
export type StoredOf<K> =
  K extends Field<infer Stored> ? Stored : K extends TSchema ? Unchanged<Static<K>> : never;

/** An instant; stored as epoch milliseconds. */
export const at: Field<number, typeof instant> = {
  schema: instant,
  present: toIso,
  write: (epochMs) => `"${toIso(epochMs)}"`,
};

/** The value, or null. */
export function orNull<Stored, S extends TSchema>({ schema, present, write }: Field<Stored, S>) {
  return {
    schema: nullable(schema),
    present: (stored: Stored | null) => (stored === null ? null : present(stored)),
    write: (stored: Stored | null) => (stored === null ? "null" : write(stored)),
  };
}

/** Any number of such values. */
export function list<Stored, S extends TSchema>(
  { schema, present, write }: Field<Stored, S>,
  bounds: TArrayOptions = {},
) {
  return {
    schema: Type.Array(schema, bounds),
    present: (stored: readonly Stored[]) => stored.map((one) => present(one)),
    write: (stored: readonly Stored[]) => listText(stored, write),
  };
}

/** A value that is read from the row otherwise than by the field's name. */
export function from<Row, K extends Kind>(
  read: (row: Row) => StoredOf<K>,
  kind: K,
): RowField<Row, SchemaOf<K>> {
  const { schema, present, write } = asField<StoredOf<K>, SchemaOf<K>>(fieldOf(kind));
  const ofRow = {
    schema,
    present: (row: Row) => present(read(row)),
    write: (row: Row) => write(read(row)),
  };
  return { schema, ofRow };
}

/**
 * A field that depends on these members of the row alone. Its last text is kept: what a story announces of a new row it
 * mostly answers, too.
 */
export function keepingText<Row, S extends TSchema>(
  members: readonly (keyof Row)[],
  { schema, ofRow }: RowField<Row, S>,
): RowField<Row, S> {
  let last: { readonly row: Row; readonly text: string } | undefined;
  const write = (row: Row) => {
    const known = last;
    if (known !== undefined && members.every((member) => known.row[member] === row[member])) {
      return known.text;
    }
    last = { row, text: ofRow.write(row) };
    return last.text;
  };
  return { schema, ofRow: { ...ofRow, write } };
}

/**
 * A member that was added after events had been recorded. Answers always have it; in the payload of an event
 * the documentation calls it optional, since the log keeps events as they were.
 */
export function added<K extends Kind | RowField<never>>(kind: K): K {
  return marked(kind, (schema) => ({ ...schema, "x-added": true }));
}

/** The same field with a sentence about this use of it. */
export function described<K extends Kind | RowField<never>>(kind: K, sentence: string): K {
  return marked(kind, (schema) => about(schema, sentence));
}

function marked<K extends Kind | RowField<never>>(kind: K, mark: (schema: TSchema) => TSchema): K {
  // The cast holds: words of the documentation change no type.
  return assume<K>("schema" in kind ? { ...kind, schema: mark(kind.schema) } : mark(kind));
}

interface InCurrency {
  readonly currency: CurrencyCode;
}

/** An amount in major units; `minorOf` reads it in minor units of the row's currency. */
export function amountOf<Row extends InCurrency>(
  minorOf: (row: Row) => number,
): RowField<Row, typeof amount> {
  const ofRow = {
    schema: amount,
    present: (row: Row) => printAmount(minorOf(row), row.currency),
    write: (row: Row) => formatAmount(minorOf(row), row.currency),
  };
  return { schema: amount, ofRow };
}

/** The same for an amount that may be null. */
export function amountOrNullOf<Row extends InCurrency>(minorOf: (row: Row) => number | null) {
  const schema = nullable(amount);
  const ofRow = {
    schema,
    present: (row: Row) => {
      const minor = minorOf(row);
      return minor === null ? null : printAmount(minor, row.currency);
    },
    write: (row: Row) => {
      const minor = minorOf(row);
      return minor === null ? "null" : formatAmount(minor, row.currency);
    },
  };
  return { schema, ofRow };
}

type InBothUnits<N extends string, Row> = {
  readonly [K in N | `${N}_minor`]: RowField<
    Row,
    K extends N ? typeof amount : ReturnType<typeof whole>
  >;
};

/** An amount twice: `total` in major units, `total_minor` in minor ones, which `mark` may call `added`. */
export function inBothUnits<N extends string, Row extends InCurrency>(
  name: N,
  minorOf: (row: Row) => number,
  mark: typeof added = (kind) => kind,
): InBothUnits<N, Row> {
  // The cast holds: computed names lose their types, and these are the two.
  return assume<InBothUnits<N, Row>>({
    [name]: amountOf(minorOf),
    [`${name}_minor`]: mark(from(minorOf, whole(0))),
  });
}

export type Camel<S> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

type Fields = Readonly<Record<string, Kind | RowField<never>>>;
type SchemasOf<F> = { [K in keyof F]: SchemaOf<F[K]> };
/** Each field reads the row, or is of the type that the row has under its name. */
export type FittingFields<Row, F> = {
  readonly [K in keyof F]: F[K] extends { readonly ofRow: Field<infer Of> }
    ? Row extends Of
      ? F[K]
      : never
    : Camel<K> extends keyof Row
      ? Row[Camel<K>] extends StoredOf<F[K]>
        ? F[K]
        : never
      : never;
};

/** A resource, with the name it has in the documentation. */
export function wire<Row extends object>() {
  return <const F extends Fields>(name: string, fields: F & FittingFields<Row, F>) =>
    fieldOfRow<Row, TObject<SchemasOf<F>>>(component(name, schemasOf<F>(fields)), fields);
}

/** The words of a shape; with `name` it is a component of the documentation, as each that stands at two places. */
interface ShapeTerms {
  readonly name?: string;
  readonly description?: string;
}

/** A part of a resource. */
export function shape<Row extends object>() {
  return <const F extends Fields>(
    fields: F & FittingFields<Row, F>,
    { name, ...options }: ShapeTerms = {},
  ) => {
    const schemas = schemasOf<F>(fields);
    const schema =
      name === undefined ? object(schemas, options) : component(name, schemas, options);
    return fieldOfRow<Row, TObject<SchemasOf<F>>>(schema, fields);
  };
}

/** One listed property, whatever its types are. */
interface Part {
  readonly key: string;
  /** True if it is read from the whole row. */
  readonly isOfRow: boolean;
  readonly field: Field<unknown>;
}

/** The field of a row whose parts are known at run time alone. */
export function fieldOfRow<Row extends object, S extends TSchema>(
  schema: S,
  fields: Fields,
): Field<Row, S> {
  const parts = Object.entries(fields).map(([key, given]) => partOf(key, given));
  const present = compiled<Row, Static<S>>("row", () => presenting(parts));
  return { schema, present, write: compiled("row", () => writing(parts)) };
}

function presenting(parts: readonly Part[]): Code {
  const entries = parts.map((part, n) => `${JSON.stringify(part.key)}: step${n}(${valueOf(part)})`);
  const steps = parts.map(({ field }) => field.present);
  return { expression: `({ ${entries.join(", ")} })`, steps };
}

/** Straight code: a loop over the parts costs half more, which a page of products shows. */
function writing(parts: readonly Part[]): Code {
  const texts = parts.map((part, index) => {
    const before = `${index === 0 ? "" : ","}${JSON.stringify(part.key)}:`;
    return ` + ${JSON.stringify(before)} + step${index}(${valueOf(part)})`;
  });
  const steps = parts.map(({ field }) => field.write);
  return { expression: `"{"${texts.join("")} + "}"`, steps };
}

function partOf(key: string, given: Kind | RowField<never>): Part {
  const isOfRow = "ofRow" in given;
  return { key, isOfRow, field: asField(isOfRow ? given.ofRow : fieldOf(given)) };
}

/** The code that reads the value of a part. */
function valueOf({ key, isOfRow }: Part): string {
  if (isOfRow) return "row";
  return `row[${JSON.stringify(propertyOf(key))}]`;
}

function fieldOf(kind: Kind): Field<never> {
  if ("present" in kind) return kind;
  if (namesProperties(kind)) throw new Error("An object with properties is a wire or a shape.");
  return { schema: kind, present: (stored) => stored, write: textOf };
}

/** Returns true if it describes an object by its properties: as it is stored, others would leave with them. */
function namesProperties(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return "properties" in schema || Object.values(schema).some(namesProperties);
}

/** Answers as `JSON.stringify` does, without its price for what most values are. */
function textOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return listText(value, textOf);
  return isEmpty(value) ? "{}" : JSON.stringify(value);
}

/** The text of an array. It is appended to: a `join` at each level would copy the levels below once more. */
export function listText<One>(values: readonly One[], write: (one: One) => string): string {
  let text = "";
  let separator = "[";
  for (const one of values) {
    text += separator + write(one);
    separator = ",";
  }
  return values.length === 0 ? "[]" : `${text}]`;
}

/** Returns true if it is an object of nothing, as most metadata is. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

/** The cast of a field whose types its declaration has checked. */
function asField<Stored, S extends TSchema = TSchema>(field: Field<never>): Field<Stored, S> {
  return assume<Field<Stored, S>>(field);
}

/** The cast holds: these are the schemas of the same fields. */
export function schemasOf<F extends Fields>(fields: F): SchemasOf<F> {
  const schemas = Object.entries(fields).map(([key, one]) => [
    key,
    "schema" in one ? one.schema : one,
  ]);
  return assume<SchemasOf<F>>(Object.fromEntries(schemas));
}

/**
 * Prints minor units as a JSON number with exactly the currency's digits, without passing through a double: `249.50`,
 * UGX `49500`, KWD `12.345`.
 */
export function printAmount(amountMinor: number, currency: CurrencyCode): WireAmount {
  return asWireAmount(JSON.rawJSON(formatAmount(amountMinor, currency)));
}

/** The cast of a printed number to a number, which it is on the wire. */
function asWireAmount(printed: unknown): WireAmount {
  return assume<WireAmount>(printed);
}

// A prepared statement made ready once: where each value goes, and how each column is read. drizzle
// writes the SQL and knows the columns' encodings; its own walk over both on every run costs as much
// as the query itself.

import type { SQLQueryBindings, Statement as DriverStatement } from "bun:sqlite";

import { Column, is, Param, Placeholder, SQL } from "drizzle-orm";

import { assume } from "#kernel/assume.ts";

import type { Preparable } from "./store.ts";

/** Runs with named values and answers rows. */
export type ReadyStatement = (values: object) => unknown[];

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

/** What is used of a statement that drizzle prepared for bun:sqlite. */
interface Prepared {
  readonly stmt: DriverStatement<unknown, SQLQueryBindings[]>;
  readonly query: { readonly params: readonly unknown[] };
  /** The columns it answers; undefined for a write that returns nothing. */
  readonly fields:
    readonly { readonly path: readonly string[]; readonly field: unknown }[] | undefined;
}

/** Prepares a statement. Every column is answered under one name; nested selections are a bug. */
export function readyStatement(statement: Preparable<unknown>): ReadyStatement {
  const { stmt, query, fields } = asPrepared(statement.prepare(""));
  const bind = binder(query.params.map(slotOf));
  if (fields === undefined) {
    return (values) => {
      stmt.run(...bind(values));
      return [];
    };
  }
  const decode = decoder(fields.map(fieldOf));
  return (values) => stmt.values(...bind(values)).map(decode);
}

function binder(slots: readonly Slot[]): (values: object) => SQLQueryBindings[] {
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
    return asBindings(bound);
  };
}

function decoder(fields: readonly Field[]): (row: readonly unknown[]) => Record<string, unknown> {
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

function fieldOf({ path, field }: NonNullable<Prepared["fields"]>[number]): Field {
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

/** The cast to what drizzle 0.45 keeps in its prepared statement for bun:sqlite; tests hold it. */
function asPrepared(prepared: unknown): Prepared {
  return assume<Prepared>(prepared);
}

/** The cast of values that columns encoded for the driver. */
function asBindings(values: unknown[]): SQLQueryBindings[] {
  return assume<SQLQueryBindings[]>(values);
}

/** The cast to the decoder of an expression, which drizzle keeps to itself. */
function asDecoder(expression: unknown): { mapFromDriverValue: Encode } {
  return assume<{ decoder: { mapFromDriverValue: Encode } }>(expression).decoder;
}

// A resource, declared once: how each field is answered and, where requests have it, how it is given and read. The
// schemas of requests, their readers and the names of what changed follow.

import type { Static, TObject, TOptional, TSchema } from "typebox";

import type { Faults, Place } from "#kernel/refusal.ts";
import { propertyOf } from "#platform/database/record.ts";

import {
  type Camel,
  type Field,
  fieldOfRow,
  type FittingFields,
  type Kind,
  type RowField,
  type SchemaOf,
  schemasOf,
  type StoredOf,
  type Unchanged,
} from "./wire.ts";
import { component, optional } from "./words.ts";

type Act = "create" | "change";
type Read<K, S extends TSchema> = (given: Static<S>, place: Place) => StoredOf<K>;

/** `read` may be left out only where what is given is what is stored. */
type Given<K, S extends TSchema> = { readonly given: S } & (Unchanged<Static<S>> extends StoredOf<K>
  ? { readonly read?: Read<K, S> }
  : { readonly read: Read<K, S> });

/** A field that requests have: how it is answered, read, and what a new row has without it. */
export interface Written<K = Kind> {
  readonly kind: K;
  readonly create?: TSchema;
  readonly change?: TSchema;
  readonly initially?: unknown;
  read?(this: void, given: unknown, place: Place): unknown;
}

/** Declares a field of requests. Without `initially` a new row needs it; without `on` both requests have it. */
export function field<
  K extends Kind,
  S extends TSchema,
  Start extends StoredOf<K>,
  const On extends Act = Act,
>(
  kind: K,
  terms: Given<K, S> & { readonly initially: Start; readonly on?: On },
): Written<K> & Readonly<Record<On, TOptional<S>>>;
export function field<K extends Kind, S extends TSchema, const On extends Act = Act>(
  kind: K,
  terms: Given<K, S> & { readonly on?: On } & ([On] extends ["change"] ? { initially: never } : {}),
): Written<K> & { readonly [A in On]: A extends "create" ? S : TOptional<S> };
export function field(kind: Kind, { given, on, ...terms }: Terms): Written {
  const create = terms.initially === undefined ? given : optional(given);
  const members = { create, change: optional(given) };
  return { kind, ...terms, ...(on === undefined ? members : { [on]: members[on] }) };
}
type Terms = Omit<Written, "kind"> & { readonly given: TSchema; readonly on?: Act };

export type Declared = Readonly<Record<string, Kind | RowField<never> | Written>>;

type KindOf<D> = D extends Written<infer K> ? K : D;
type NameOf<F, D> = { [N in keyof F]: F[N] extends D ? N : never }[keyof F] & string;
type Member<A extends Act> = Readonly<Record<A, TSchema>>;
type Members<F, A extends Act> = {
  readonly [N in NameOf<F, Member<A>>]: Extract<F[N], Member<A>>[A];
};
export type New<F> = Members<F, "create">;
export type Changed<F> = Members<F, "change">;
export type Name<F> = NameOf<F, Written>;
/** The columns that requests write. */
export type WrittenRow<Row, F> = Pick<Row, Camel<Name<F>> & keyof Row>;

type ColumnOf<Row, N> = Row[Camel<N> & keyof Row];
/** Each field suits the row: what requests write has a column, of the type that is answered. */
export type Fitting<Row, F> = {
  readonly [N in keyof F]: F[N] extends Written<infer K>
    ? [ColumnOf<Row, N>, StoredOf<K>] extends [StoredOf<K>, ColumnOf<Row, N>]
      ? F[N]
      : never
    : FittingFields<Row, F>[N];
};

export interface Resource<Row, F> {
  readonly wire: Field<Row, TObject<{ [N in keyof F]: SchemaOf<KindOf<F[N]>> }>>;
  /** The members of a request for a new row, to be spread beside those that are no columns. */
  readonly newMembers: New<F>;
  readonly changeMembers: Changed<F>;
  /** Reads the columns of a new row, with those that start by themselves. */
  readonly readNew: (body: Static<TObject<New<F>>>, faults: Faults) => WrittenRow<Row, F>;
  /** Reads the columns that are given. */
  readonly readChange: (
    body: Static<TObject<Changed<F>>>,
    faults: Faults,
  ) => Partial<WrittenRow<Row, F>>;
  /** The fields in which the rows differ, as the wire names them. */
  readonly changedNames: (before: WrittenRow<Row, F>, after: WrittenRow<Row, F>) => Name<F>[];
}

/** Declares a resource, with the name it has in the documentation. */
export function resource<Row extends object>() {
  // The first signature holds: all is made of the same fields, which `Fitting` has compared with the row.
  function declare<const F extends Declared>(
    name: string,
    fields: F & Fitting<Row, F>,
  ): Resource<Row, F>;
  function declare(name: string, fields: Declared): object {
    const declared = Object.entries(fields);
    const written = declared.flatMap(([key, one]) =>
      isWritten(one) ? [{ ...one, key, column: propertyOf(key) }] : [],
    );
    const kinds = Object.fromEntries(
      declared.map(([key, one]) => [key, isWritten(one) ? one.kind : one]),
    );
    const members = (act: Act) =>
      Object.fromEntries(written.flatMap((one) => (act in one ? [[one.key, one[act]]] : [])));
    const starts = Object.fromEntries(written.map((one) => [one.column, one.initially]));
    const readChange = (body: Values, faults: Faults) => {
      const given = written.filter(({ key }) => body[key] !== undefined);
      return Object.fromEntries(
        given.map(({ key, column, read = asItIs }) => [
          column,
          read(body[key], { pointer: `/${key}`, faults }),
        ]),
      );
    };
    return {
      wire: fieldOfRow<Row, TSchema>(component(name, schemasOf(kinds)), kinds),
      newMembers: members("create"),
      changeMembers: members("change"),
      readNew: (body: Values, faults: Faults) => ({ ...starts, ...readChange(body, faults) }),
      readChange,
      changedNames: (before: Values, after: Values) =>
        written
          .filter(({ column }) => !Bun.deepEquals(before[column], after[column]))
          .map(({ key }) => key),
    };
  }
  return declare;
}

type Values = Readonly<Record<string, unknown>>;

function isWritten(one: Declared[string]): one is Written {
  return "kind" in one;
}

function asItIs(given: unknown): unknown {
  return given;
}

// The parts of which the types of the port are made on the wire: each reads a value, and writes it. Invariant: what a
// part reads it would write the same, and a value of another type, a member too many, or a text that is too long is a
// surprise that says where it is.

import { assume, isObject } from "#kernel/assume.ts";
import { maskCardNumbers } from "#kernel/card-number.ts";
import { type Id, type IdKind, isId } from "#kernel/id.ts";
import { toIso } from "#kernel/time.ts";
import { Surprise } from "#payments/gateways/answers/fields.ts";
import type { Mode } from "#platform/database/shop.ts";
import { isLoopbackHost } from "#platform/net/target-url.ts";

/** The place of a value. */
export interface Place {
  /** A JSON Pointer. */
  readonly pointer: string;
  readonly mode: Mode;
}

/** A JSON Schema. */
export type PartSchema = Readonly<Record<string, unknown>>;

/** A type on the wire. Both directions are of the same type, so that none has more than the other. */
export interface Part<T> {
  readonly read: (value: unknown, place: Place) => T;
  readonly write: (value: T) => unknown;
  /** Takes what `read` takes; rules that need the whole text are read alone. */
  readonly schema: PartSchema;
}

/** A member that may be absent. */
interface OptionalPart<T> extends Part<T> {
  readonly isOptional: true;
}

/** A part of what is never changed on its way. */
function same<T>(schema: PartSchema, isOne: (value: unknown, place: Place) => value is T): Part<T> {
  return {
    schema,
    read: (value, place) => {
      if (!isOne(value, place)) throw new Surprise(place.pointer);
      return value;
    },
    write: (value) => value,
  };
}

/** One to `maxLength` characters, which every engine keeps. */
function isText(value: unknown, maxLength: number): value is string {
  const isShort = typeof value === "string" && value !== "" && value.length <= maxLength;
  return isShort && !value.includes("\0") && value.isWellFormed();
}

/** A text that is kept as it is, such as a name. */
export function exactText(maxLength: number): Part<string> {
  return same({ type: "string", minLength: 1, maxLength }, (value): value is string =>
    isText(value, maxLength),
  );
}

/** A text that people read. No card number is left in it. */
export function text(maxLength: number): Part<string> {
  const { read, ...exact } = exactText(maxLength);
  return { ...exact, read: (value, place) => maskCardNumbers(read(value, place)) };
}

/** A text of this form. */
export function matching(pattern: RegExp): Part<string> {
  return same(
    { type: "string", pattern: pattern.source },
    (value): value is string => typeof value === "string" && pattern.test(value),
  );
}

/** A text that a test of ours recognizes, such as a currency; the pattern says its form. */
export function known<T extends string>(
  isOne: (value: string) => value is T,
  { source }: RegExp,
): Part<T> {
  return same(
    { type: "string", pattern: source },
    (value): value is T => typeof value === "string" && isOne(value),
  );
}

export function idPart<K extends IdKind>(kind: K): Part<Id<K>> {
  return known((value): value is Id<K> => isId(kind, value), /^[a-z]+_[0-9a-z]{26}$/);
}

export function oneOf<const T extends readonly (string | number)[]>(values: T): Part<T[number]> {
  return same({ enum: values }, (value): value is T[number] => values.some((one) => one === value));
}

/** A whole number, zero or more. */
export const whole: Part<number> = same(
  { type: "integer", minimum: 0 },
  (value): value is number => isWhole(value) && value >= 0,
);

export const signedWhole: Part<number> = same({ type: "integer" }, isWhole);

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export const flag: Part<boolean> = same({ type: "boolean" }, (value) => typeof value === "boolean");

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** Epoch milliseconds, as text of ISO 8601 in UTC. */
export const instant: Part<number> = {
  schema: { type: "string", format: "date-time", pattern: INSTANT.source },
  read: (value, { pointer }) => {
    const epochMs =
      typeof value === "string" && INSTANT.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(epochMs)) throw new Surprise(pointer);
    return epochMs;
  },
  write: toIso,
};

const URL_LENGTH_MAX = 2_048;

/** An address to which a customer is sent: in test mode also one of this machine. */
export const link: Part<string> = same(
  { type: "string", format: "uri", maxLength: URL_LENGTH_MAX },
  (value, { mode }): value is string => {
    if (!isText(value, URL_LENGTH_MAX)) return false;
    const url = URL.parse(value);
    if (url === null || url.username !== "" || url.password !== "") return false;
    const isNear = mode === "test" && url.protocol === "http:" && isLoopbackHost(url.hostname);
    return isNear || url.protocol === "https:";
  },
);

export function orNull<T>(part: Part<T>): Part<T | null> {
  return {
    schema: { anyOf: [part.schema, { type: "null" }] },
    read: (value, place) => (value === null ? null : part.read(value, place)),
    write: (value) => (value === null ? null : part.write(value)),
  };
}

export function optional<T>(part: Part<T>): OptionalPart<T> {
  return { ...part, isOptional: true };
}

/** At most so many. */
export function list<T>(part: Part<T>, most: number): Part<readonly T[]> {
  return {
    schema: { type: "array", items: part.schema, maxItems: most },
    read: (value, { pointer, mode }) => {
      if (!Array.isArray(value) || value.length > most) throw new Surprise(pointer);
      return value.map((one, index) => part.read(one, { pointer: `${pointer}/${index}`, mode }));
    },
    write: (values) => values.map((one) => part.write(one)),
  };
}

/** A part for each member of a type: one that the type gains, or loses, is missing here, or too many. */
type Members<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? OptionalPart<Exclude<T[K], undefined>>
    : Part<T[K]>;
};

/** An object; its members are called in snake case. */
export function record<T extends object>() {
  return (members: Members<T>): Part<T> => {
    const parts = membersOf(members);
    const { write, schema } = parts;
    return { schema, read: (value, place) => readMembers<T>(parts, value, place), write };
  };
}

/** The one of several types of which a member says which it is. */
type VariantOf<T, D extends keyof T, K> = T extends unknown ? (K extends T[D] ? T : never) : never;

type Variants<T, D extends keyof T & string> = {
  readonly [K in T[D] & string]: Members<Omit<VariantOf<T, D, K>, D>>;
};

/** Objects of several types, which a member tells apart. */
export function variants<T extends object>() {
  return <D extends keyof T & string>(name: D, types: Variants<T, D>): Part<T> => {
    const byName = new Map(entriesOf<object>(types).map(([one, of]) => [one, membersOf(of)]));
    const partsOf = (value: unknown) => {
      const one = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      return typeof one === "string" ? byName.get(one) : undefined;
    };
    return {
      schema: { oneOf: [...byName].map(([one, { schema }]) => variantOf(schema, name, one)) },
      read: (value, place) => {
        const parts = partsOf(value);
        if (parts === undefined || !isObject(value)) throw new Surprise(`${place.pointer}/${name}`);
        const { [name]: one, ...others } = value;
        return readMembers<T>(parts, others, { ...place, told: [[name, one]] });
      },
      write: (value) => {
        const parts = partsOf(value);
        if (parts === undefined) throw new Error(`No such ${name}.`);
        return { [name]: value[name], ...parts.write(value) };
      },
    };
  };
}

/** The schema of a variant, in which the member says which it is. */
function variantOf(schema: ObjectSchema, name: string, one: string): ObjectSchema {
  return {
    ...schema,
    properties: { [name]: { const: one }, ...schema.properties },
    required: [name, ...schema.required],
  };
}

interface OneMember {
  readonly property: string;
  readonly key: string;
  readonly part: Part<unknown>;
  readonly isOptional: boolean;
}

type ObjectSchema = PartSchema & {
  readonly properties: Readonly<Record<string, PartSchema>>;
  readonly required: readonly string[];
};

interface ObjectParts {
  readonly members: readonly OneMember[];
  readonly schema: ObjectSchema;
  readonly write: (value: object) => Record<string, unknown>;
}

/** The cast holds: the type of what is declared says what its members are. */
function entriesOf<T>(declared: object): [string, T][] {
  return assume<[string, T][]>(Object.entries(declared));
}

function membersOf(given: object): ObjectParts {
  const members = entriesOf<Part<unknown>>(given).map(([property, part]) => {
    const key = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return { property, key, part, isOptional: "isOptional" in part };
  });
  const write = (value: object) => {
    const all = new Map(entriesOf<unknown>(value));
    const some = members.filter(({ property }) => all.get(property) !== undefined);
    const written = some.map(({ property, key, part }) => [key, part.write(all.get(property))]);
    return Object.fromEntries(written);
  };
  const schema = {
    type: "object",
    properties: Object.fromEntries(members.map(({ key, part }) => [key, part.schema])),
    required: members.filter(({ isOptional }) => !isOptional).map(({ key }) => key),
    additionalProperties: false,
  };
  return { members, schema, write };
}

/** A name as ours are: another one would bring what it says into a log. */
const NAME = /^[a-z0-9_]{1,40}$/;

/** Reads an object, beside the member that told which it is. The cast holds: `Members` has a part of each member. */
function readMembers<T>(
  { members }: ObjectParts,
  value: unknown,
  { pointer, mode, told = [] }: Place & { readonly told?: readonly [string, unknown][] },
): T {
  if (!isObject(value)) throw new Surprise(pointer);
  const other = Object.keys(value).find((key) => !members.some((one) => one.key === key));
  // A word that is not ours may be one of ours misspelled, such as the amount that went back.
  if (other !== undefined) throw new Surprise(NAME.test(other) ? `${pointer}/${other}` : pointer);
  const read = [...told];
  for (const { property, key, part, isOptional } of members) {
    const isGiven = Object.hasOwn(value, key);
    if (!isGiven && !isOptional) throw new Surprise(`${pointer}/${key}`);
    if (isGiven)
      read.push([property, part.read(value[key], { pointer: `${pointer}/${key}`, mode })]);
  }
  return assume<T>(Object.fromEntries(read));
}

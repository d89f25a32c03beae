// A form as the body of a request. Each field is named by the JSON Pointer of what it sets, so that a fault of the
// interface finds its field again. Invariant: a value has the type that its schema asks for, or stays the text that
// was typed, and the interface says what is wrong with it. An amount that can mean two is asked for.

import type { TSchema } from "typebox";

import {
  currencyFieldOf,
  questionOf,
  readAmountField,
  wireAmountOf,
} from "#dashboard/kit/amounts.ts";
import type { Writing } from "#dashboard/kit/typed-amount.ts";
import { isObject } from "#kernel/assume.ts";
import { dayStartMs, toIso } from "#kernel/time.ts";
import { asciiDigits } from "#platform/html/read-form.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

export interface FormBody {
  readonly body: JsonObject;
  /** The field of the form that a pointer into the body is about. */
  readonly fieldOf: (pointer: string) => string;
  /** Questions about amounts that can mean two, by field. */
  readonly questions: ReadonlyMap<string, string>;
}

/** The content of a form at one place of the body: a text, or places below it. */
interface Place {
  readonly below: Map<string, Place>;
  text: string | undefined;
  /** The field's name in the form. */
  readonly field: string;
}

/** More places within each other than any body of the interface has; a name of more names no place that there is. */
const DEPTH_MAX = 12;
const TOO_DEEP = "…";
/** The number of a row. */
const ROW = /^\d{1,4}$/;

/**
 * The body that a form means by a route's schema. Of fields with one name the last is meant, so that a box has a
 * hidden `false` before it. `/tags/` with the text `[]` is an empty list. Rows keep their order; a row in which
 * nothing was typed is none. A list with a row that has no number is none, and the interface refuses it. Fields whose
 * name is no pointer are not part of the body. `writing` is that of amounts of which the form names no currency.
 */
export function bodyOfForm(
  fields: URLSearchParams,
  schema: TSchema | null,
  writing: Writing,
): FormBody {
  const root: Place = { below: new Map(), text: undefined, field: "" };
  for (const [name, text] of fields) {
    if (!name.startsWith("/")) continue;
    let here = root;
    const steps = name.slice(1).split("/");
    if (steps.length > DEPTH_MAX) steps.splice(DEPTH_MAX - 1, Infinity, TOO_DEEP);
    for (const step of steps) {
      const next = here.below.get(step) ?? emptyPlace(`${here.field}/${step}`);
      here.below.set(step, next);
      here = next;
    }
    here.text = text;
  }
  const fieldByPointer = new Map<string, string>();
  const questions = new Map<string, string>();
  const amounts = { fields, writing, questions };
  const trail = { pointer: "", fields: fieldByPointer, amounts };
  const body = objectOf(root, schemaOf(schema), trail);
  return { body: body ?? {}, fieldOf: (pointer) => fieldAt(fieldByPointer, pointer), questions };
}

/** The field of the place, or of the nearest around it: a text that became a list has no fields of its own. */
function fieldAt(fields: ReadonlyMap<string, string>, pointer: string): string {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const field = fields.get(at);
    if (field !== undefined) return field;
  }
  return pointer;
}

function emptyPlace(field: string): Place {
  return { below: new Map(), text: undefined, field };
}

interface Trail {
  readonly pointer: string;
  readonly fields: Map<string, string>;
  readonly amounts: Amounts;
}

function valueAt(place: Place, schema: Schema, trail: Trail): JsonValue | undefined {
  trail.fields.set(trail.pointer, place.field);
  if (place.below.size === 0) {
    const value = valueOf(place.text ?? "", schema);
    const isAmount = typeof value === "string" && isOfAmount(place.field, schema, trail.amounts);
    return isAmount && value !== "" ? amountOf(place.field, trail.amounts) : value;
  }
  return itemsOf(schema) !== undefined && isListed(place)
    ? listOf(place, schema, trail)
    : objectOf(place, schema, trail);
}

/** The members that the form sets; undefined if it sets none. */
function objectOf(place: Place, schema: Schema, trail: Trail): JsonObject | undefined {
  const members: JsonObject = Object.create(null);
  for (const [name, below] of place.below) {
    const pointer = `${trail.pointer}/${name}`;
    const value = valueAt(below, memberOf(schema, name), { ...trail, pointer });
    if (value !== undefined) members[unescaped(name)] = value;
  }
  const names = Object.keys(members);
  return names.length === 0 ? undefined : members;
}

function isListed({ below }: Place): boolean {
  return [...below.keys()].every((name) => name === "" || ROW.test(name));
}

function listOf(place: Place, schema: Schema, trail: Trail): JsonValue[] {
  const rows = [...place.below].filter(([name]) => ROW.test(name));
  const list: JsonValue[] = [];
  for (const [, row] of rows.toSorted(([one], [other]) => Number(one) - Number(other))) {
    const pointer = `${trail.pointer}/${list.length}`;
    const value = valueAt(row, itemsOf(schema) ?? {}, { ...trail, pointer });
    if (value !== undefined && value !== "") list.push(value);
  }
  return list;
}

/** An empty field says null where null is a value, and nothing where an empty text is none. */
function valueOf(text: string, schema: Schema): JsonValue | undefined {
  const said = text.trim();
  const kinds = kindsOf(schema);
  if (said === "") {
    if (kinds.has("null")) return null;
    return kinds.has("string") && !needsText(schema) ? "" : undefined;
  }
  if (kinds.has("boolean") && (said === "true" || said === "false")) return said === "true";
  if (kinds.has("integer")) return wholeOf(typedNumber(said));
  // A decimal stays text: the interface takes decimal texts, and no rounding touches it.
  return kinds.has("number") ? typedNumber(said) : said;
}

function wholeOf(text: string): JsonValue {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

interface Amounts {
  readonly fields: URLSearchParams;
  readonly writing: Writing;
  readonly questions: Map<string, string>;
}

function isOfAmount(field: string, schema: Schema, { fields }: Amounts): boolean {
  return fields.has(currencyFieldOf(field)) || branchesOf(schema).some((one) => "x-amount" in one);
}

function amountOf(field: string, { fields, writing, questions }: Amounts): string {
  const amount = readAmountField(fields, field, writing);
  const question = questionOf(amount);
  if (question !== null) questions.set(field, question);
  return wireAmountOf(amount);
}

function kindsOf(schema: Schema): Set<unknown> {
  return new Set(
    branchesOf(schema).map((one) => ("const" in one ? kindOfConst(one["const"]) : one["type"])),
  );
}

function kindOfConst(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/** Returns true if an empty text would be refused, or is no choice. */
function needsText(schema: Schema): boolean {
  return branchesOf(schema).some(
    (one) =>
      Number(one["minLength"] ?? 0) > 0 ||
      "const" in one ||
      "enum" in one ||
      "pattern" in one ||
      "format" in one,
  );
}

/** A step of a JSON Pointer (RFC 6901) as the name that it stands for. */
function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

// The schema of a body, as far as forms read it.

type Schema = Readonly<Record<string, unknown>>;

export function schemaOf(schema: TSchema | null): Schema {
  return isObject(schema) ? schema : {};
}

function branchesOf(schema: Schema): Schema[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? anyOf.filter(isObject).flatMap(branchesOf) : [schema];
}

function itemsOf(schema: Schema): Schema | undefined {
  const list = branchesOf(schema).find((one) => "items" in one);
  const items = list?.["items"];
  return isObject(items) ? items : undefined;
}

export function memberOf(schema: Schema, name: string): Schema {
  for (const branch of branchesOf(schema)) {
    const { properties, patternProperties, additionalProperties } = branch;
    if (isObject(properties) && Object.hasOwn(properties, name)) {
      const member = properties[name];
      return isObject(member) ? member : {};
    }
    const [pattern] = isObject(patternProperties) ? Object.values(patternProperties) : [];
    if (isObject(pattern)) return pattern;
    if (isObject(additionalProperties)) return additionalProperties;
  }
  return {};
}

/**
 * Reduces a value that an answer shows to what a body takes: amounts are shown twice, and records with what follows of
 * them.
 */
export function onlyTaken(value: JsonValue, schema: Schema): JsonValue {
  if (Array.isArray(value)) return value.map((one) => onlyTaken(one, itemsOf(schema) ?? {}));
  if (typeof value !== "object" || value === null) return value;
  const taken = branchesOf(schema).flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  if (taken.length === 0) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => taken.includes(name))
      .map(([name, member]) => [name, onlyTaken(member, memberOf(schema, name))]),
  );
}

/** A comma before three digits may part thousands, so that the number stays as it is and is refused. */
const DECIMAL_COMMA = /^(-?\d+),(\d{1,2}|\d{4,})$/;
/** `.99` and `12.`, as people type them. */
const ONLY_FRACTION = /^(?<sign>-?)[.,](?<fraction>\d+)$/;
const ENDING_POINT = /^(-?\d+)[.,]$/;
/** That of Arabic is of decimals alone. */
const ARABIC_COMMA = /^(-?\d+)\u066b(\d+)$/;

/**
 * Reads a number as people type it with the keyboard of their language: as the interface takes it, with digits of ASCII and a
 * point before the fraction; another text as it is.
 */
export function typedNumber(text: string): string {
  const said = asciiDigits(text.trim());
  const pointed = said.replace(DECIMAL_COMMA, "$1.$2").replace(ARABIC_COMMA, "$1.$2");
  return pointed.replace(ONLY_FRACTION, "$<sign>0.$<fraction>").replace(ENDING_POINT, "$1");
}

/**
 * The instant at which a day that was typed begins in the zone, or the day so many days after it. What is no day stays as it was typed, and
 * the interface says so.
 */
export function instantOfDay(day: JsonValue, zone: string, daysAfter: number): JsonValue {
  if (typeof day !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  try {
    return toIso(dayStartMs(day, zone, daysAfter));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return day;
  }
}

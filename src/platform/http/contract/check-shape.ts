// Validates values against schemas and reports every fault with its code and pointer. typebox
// reports JSON Schema keywords; the codes derived from them never change.

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Format, IsIdnEmail } from "typebox/format";
import { Settings } from "typebox/system";

import { isObject } from "#kernel/assume.ts";
import type { Fault } from "#kernel/fault.ts";
import { fromPointerStep, toPointerStep } from "#kernel/refusal.ts";
import { LossyNumber } from "#platform/http/strict-json.ts";
import { isUri } from "#platform/net/target-url.ts";
import { fieldMeant, nearestName } from "#platform/process/nearest-name.ts";

import { checkMeaning } from "./check-meaning.ts";
import { noteUnkeepable } from "./unkeepable.ts";

// Puts the bounds of a schema before the keywords that cost more than linear time.

// typebox's own expression backtracks: a long text would take it seconds.
Format.Set("uri", isUri);
// typebox asks less: the part before the @ has at most 64 octets (RFC 5321, 4.5.3.1.1).
Format.Set("idn-email", (text) => IsIdnEmail(text) && localOctetsOf(text) <= LOCAL_OCTETS_MAX);

const LOCAL_OCTETS_MAX = 64;

function localOctetsOf(email: string): number {
  return Buffer.byteLength(email.slice(0, email.lastIndexOf("@")));
}

/**
 * Keywords whose cost can grow faster than the value. typebox reports every keyword of a value, also
 * of one that is too long.
 */
const COSTLY = ["format", "pattern", "uniqueItems"] as const;

/**
 * The schema with its costly keywords as refinements, which typebox runs only on values that fit all
 * other keywords. Invariant: no text longer than its `maxLength` reaches a format or a pattern, and no
 * list longer than its `maxItems` is compared with itself.
 */
function boundsFirst(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const bounded = { ...schema };
  for (const name of ["items", "additionalProperties", "anyOf"]) {
    const inner = schema[name];
    if (Array.isArray(inner)) bounded[name] = inner.map(boundsFirst);
    else if (inner !== undefined) bounded[name] = boundsFirst(inner);
  }
  for (const name of ["properties", "patternProperties"]) {
    const inner = schema[name];
    if (isObject(inner)) bounded[name] = mapValues(inner, boundsFirst);
  }
  const given = COSTLY.filter((keyword) => schema[keyword] !== undefined);
  if (given.length === 0) return bounded;
  for (const keyword of given) delete bounded[keyword];
  return { ...bounded, "~refine": given.map((keyword) => refinement(keyword, schema[keyword])) };
}

function mapValues(members: Record<string, unknown>, map: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]));
}

function refinement(keyword: (typeof COSTLY)[number], value: unknown) {
  if (keyword === "format" && !Format.Has(String(value))) {
    throw new Error(`typebox lets everything pass as the unknown format ${String(value)}.`);
  }
  const validator = Compile({ [keyword]: value });
  return { check: (one: unknown) => validator.Check(one), error: () => keyword };
}

/** Faults per response; typebox reports 8 by default. */
export const FAULTS_MAX = 100;
Settings.Set({ maxErrors: FAULTS_MAX });

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns the faults of a value; none if it fits the schema. */
export type ShapeCheck = (value: unknown) => Fault[];

/** Compiles the check of a schema; done once per route. */
export function shapeCheck(schema: TSchema): ShapeCheck {
  const validator = Compile(Object(boundsFirst(schema)));
  const meaning = checkMeaning(schema);
  return (value) => {
    const faults: Fault[] = [];
    noteUnkeepable(value, "", { faults, most: FAULTS_MAX });
    if (!validator.Check(value)) {
      const errors: readonly SchemaError[] = validator.Errors(value);
      for (const error of withoutEchoes(errors)) faults.push(...explain(error, schema, value));
      // An invalid value is always refused, even if typebox reports no usable error.
      if (faults.length === 0) faults.push({ pointer: "", ...sentence("type", {}) });
    }
    meaning?.(value, "", faults);
    return faults.length === 0 ? faults : distinct(faults).slice(0, FAULTS_MAX);
  };
}

/**
 * Removes redundant errors. A union reports each of its branches: keeps the most specific error, or
 * the union's own. An unknown field is reported by itself and by its parent, whose list is
 * truncated: keeps the former.
 */
function withoutEchoes(errors: readonly SchemaError[]): SchemaError[] {
  const unions = errors.filter((error) => error.keyword === "anyOf");
  const kept = errors.filter(
    (error) =>
      error.keyword !== "additionalProperties" &&
      !unions.some((union) => isEchoOf(union, error, errors)),
  );
  const said = kept.filter((error) => error.keyword !== "anyOf");
  return kept.filter(
    (error) => error.keyword !== "anyOf" || !said.some((one) => isWithin(error, one)),
  );
}

/**
 * Returns true if an error says more about a union's value: it is in one of its branches, or at its place.
 */
function isWithin(union: SchemaError, error: SchemaError): boolean {
  return (
    error.instancePath === union.instancePath ||
    (error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`) &&
      error.instancePath.startsWith(`${union.instancePath}/`))
  );
}

/**
 * In a union a type error only says that another branch was meant, and so does an enum error of a
 * value of another type.
 */
function isEchoOf(union: SchemaError, error: SchemaError, errors: readonly SchemaError[]): boolean {
  if (error === union || !error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`)) return false;
  const isOfWrongType = errors.some(
    (other) => other.keyword === "type" && other.schemaPath === error.schemaPath,
  );
  return (
    error.keyword === "anyOf" ||
    error.keyword === "type" ||
    (error.keyword === "enum" && isOfWrongType)
  );
}

function explain(error: SchemaError, schema: TSchema, value: unknown): Fault[] {
  const { instancePath, params } = error;
  const keyword = error.keyword === "~refine" ? String(params["message"]) : error.keyword;
  if (isLossyNumber(value, instancePath)) return [];
  if (keyword === "boolean") return [unknownField(error, schema)];
  if (keyword === "required") {
    return names(params["requiredProperties"])
      .filter((name) => !hasOwn(valueAt(value, instancePath), name))
      .map((name) => ({
        pointer: `${instancePath}/${toPointerStep(name)}`,
        code: "required",
        detail: "This field is required.",
      }));
  }
  if (keyword === "pattern" || keyword === "format") {
    return [{ pointer: instancePath, code: "invalid_format", detail: sentenceAt(schema, error) }];
  }
  if (keyword === "anyOf") return [wrongType(instancePath, schemaAt(schema, error.schemaPath))];
  const { code, detail } =
    keyword === "enum" ? choice(params, valueAt(value, instancePath)) : sentence(keyword, params);
  return [{ pointer: instancePath, code, detail }];
}

/** Returns true if the place is a LossyNumber, which is already reported, or inside one. */
function isLossyNumber(value: unknown, pointer: string): boolean {
  const parent = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
  return [pointer, parent].some((place) => valueAt(value, place) instanceof LossyNumber);
}

function unknownField({ instancePath, schemaPath }: SchemaError, schema: TSchema): Fault {
  const parent = schemaAt(schema, schemaPath.slice(0, schemaPath.lastIndexOf("/")));
  const name = fromPointerStep(instancePath.slice(instancePath.lastIndexOf("/") + 1));
  const nearest = fieldMeant(name, knownFields(parent));
  return {
    pointer: instancePath,
    code: "unknown_field",
    detail:
      nearest === null ? "There is no such field." : `There is no such field; is it ${nearest}?`,
  };
}

/** The sentence for a text that does not match its pattern or format: each has a sentence of its own. */
function sentenceAt(schema: TSchema, { schemaPath }: SchemaError): string {
  const given = schemaAt(schema, schemaPath);
  return isObject(given) ? String(given["x-sentence"]) : "";
}

/** Several keywords can report the same fault; callers see it once. */
function distinct(faults: readonly Fault[]): Fault[] {
  const known = new Set<string>();
  return faults.filter(({ pointer, code }) => {
    const name = `${code} ${pointer}`;
    return !known.has(name) && known.add(name);
  });
}

const CHARACTERS = ["character", "characters"] as const;
const ENTRIES = ["entry", "entries"] as const;
const sentences: Readonly<Record<string, (limit: string) => Pick<Fault, "code" | "detail">>> = {
  minimum: (limit) => ({ code: "too_small", detail: `This must be at least ${limit}.` }),
  maximum: (limit) => ({ code: "too_large", detail: `This must be at most ${limit}.` }),
  minLength: (limit) => ({
    code: "too_short",
    detail: counted("least", limit, CHARACTERS),
  }),
  maxLength: (limit) => ({ code: "too_long", detail: counted("most", limit, CHARACTERS) }),
  minItems: (limit) => ({ code: "too_few", detail: counted("least", limit, ENTRIES) }),
  maxItems: (limit) => ({ code: "too_many", detail: counted("most", limit, ENTRIES) }),
  maxProperties: (limit) => ({ code: "too_many", detail: counted("most", limit, ENTRIES) }),
  minProperties: () => ({ code: "too_few", detail: "This must have at least one field." }),
  uniqueItems: () => ({ code: "duplicate", detail: "This contains duplicates." }),
};

/** Such as `This must have at least 1 entry.` */
function counted(bound: "least" | "most", limit: string, [one, many]: readonly [string, string]) {
  return `This must have at ${bound} ${limit} ${limit === "1" ? one : many}.`;
}

function sentence(keyword: string, params: SchemaError["params"]): Pick<Fault, "code" | "detail"> {
  const known = sentences[keyword];
  if (known !== undefined) return known(String(params["limit"]));
  return { code: "wrong_type", detail: typeSentence([String(params["type"])]) };
}

function wrongType(pointer: string, union: unknown): Fault {
  return { pointer, code: "wrong_type", detail: typeSentence(typesOf(union)) };
}

/** The types of a schema, in its own order; those of each branch of a union. */
function typesOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  return Array.isArray(schema["anyOf"])
    ? schema["anyOf"].flatMap(typesOf)
    : [String(schema["type"])];
}

/** Such as `This must be a text or null.` */
function typeSentence(types: readonly string[]): string {
  const words = [...new Set(types)].map((type) => typeWords[type]);
  if (words.length === 0 || words.includes(undefined)) return "This has the wrong type.";
  return `This must be ${words.join(" or ")}.`;
}

const typeWords: Readonly<Record<string, string>> = {
  integer: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** Longer lists are left to the reference; the response only suggests the nearest value. */
const CHOICES_LISTED_MAX = 20;

function choice(params: SchemaError["params"], given: unknown): Pick<Fault, "code" | "detail"> {
  const allowed = names(params["allowedValues"]);
  const nearest = typeof given === "string" ? nearestName(given, allowed) : null;
  const hint = nearest === null ? "" : `; is it ${nearest}?`;
  const detail =
    allowed.length <= CHOICES_LISTED_MAX
      ? `This must be one of: ${allowed.join(", ")}.`
      : `This is not a known value${hint === "" ? "." : hint}`;
  return { code: "invalid_choice", detail };
}

function names(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

function knownFields(schema: unknown): string[] {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

function schemaAt(schema: unknown, path: string): unknown {
  return valueAt(schema, path.replace(/^#/, ""));
}

function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = fromPointerStep(part);
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function hasOwn(value: unknown, name: string): boolean {
  return isObject(value) && Object.hasOwn(value, name);
}

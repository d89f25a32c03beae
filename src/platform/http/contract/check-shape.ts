// Holds a value against a schema and tells every fault at once, each with its own code and place.
// typebox reports keywords; callers read codes, which never change.

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Settings } from "typebox/system";

import { isObject } from "#kernel/assume.ts";
import { nearestName } from "#kernel/nearest-name.ts";
import { type Fault, fromPointerStep, toPointerStep } from "#kernel/refusal.ts";
import { LossyNumber } from "#platform/http/json/strict-json.ts";

import { checkMeaning } from "./check-meaning.ts";

/** Faults in one answer; typebox stops at 8 where nothing else is said. */
export const FAULTS_MAX = 100;
Settings.Set({ maxErrors: FAULTS_MAX });

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Answers the faults of a value; none means that it has the schema's type. */
export type ShapeCheck = (value: unknown) => Fault[];

/** Compiles the check of a schema; done once per route, when the server is put together. */
export function shapeCheck(schema: TSchema): ShapeCheck {
  const validator = Compile(schema);
  const meaning = checkMeaning(schema);
  return (value) => {
    const faults: Fault[] = [];
    if (holdsLossyNumber(value)) noteLossyNumbers(value, "", faults);
    if (!validator.Check(value)) {
      const errors: readonly SchemaError[] = validator.Errors(value);
      for (const error of withoutEchoes(errors)) faults.push(...explain(error, schema, value));
      // Whatever the report left out: a value that does not fit is never let through.
      if (faults.length === 0) faults.push({ pointer: "", ...sentence("type", {}) });
    }
    meaning?.(value, "", faults);
    return faults.length === 0 ? faults : distinct(faults).slice(0, FAULTS_MAX);
  };
}

/** Whether a number in it could not be read as it was written. To typebox that is an object. */
function holdsLossyNumber(value: unknown): boolean {
  if (value instanceof LossyNumber) return true;
  if (Array.isArray(value)) return value.some(holdsLossyNumber);
  return isObject(value) && Object.values(value).some(holdsLossyNumber);
}

function noteLossyNumbers(value: unknown, pointer: string, faults: Fault[]): void {
  if (faults.length === FAULTS_MAX || !holdsLossyNumber(value)) return;
  if (value instanceof LossyNumber) {
    const detail = "This number cannot be kept exactly as it was written.";
    faults.push({ pointer, code: "number_precision", detail });
    return;
  }
  for (const [name, inner] of Object.entries(Object(value))) {
    noteLossyNumbers(inner, `${pointer}/${toPointerStep(name)}`, faults);
  }
}

/**
 * A union reports each of its branches: the one that says most is kept, then the union itself. An
 * unknown field is reported by itself and by its parent, whose list is cut off where the report is.
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

/** Whether an error tells more of what is wrong with a union: in one of its branches, or at its place. */
function isWithin(union: SchemaError, error: SchemaError): boolean {
  return (
    error.instancePath === union.instancePath ||
    (error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`) &&
      error.instancePath.startsWith(`${union.instancePath}/`))
  );
}

/**
 * Inside a union, "not of this type" only means that another branch was meant; so does "none of
 * these values" of something that is not even of their type.
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
  const { keyword, instancePath, params } = error;
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
  const { code, detail } =
    keyword === "enum" ? choice(params, valueAt(value, instancePath)) : sentence(keyword, params);
  return [{ pointer: instancePath, code, detail }];
}

/** Whether a place is such a number, which was noted, or inside of one. */
function isLossyNumber(value: unknown, pointer: string): boolean {
  const parent = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
  return [pointer, parent].some((place) => valueAt(value, place) instanceof LossyNumber);
}

function unknownField({ instancePath, schemaPath }: SchemaError, schema: TSchema): Fault {
  const parent = schemaAt(schema, schemaPath.slice(0, schemaPath.lastIndexOf("/")));
  const name = fromPointerStep(instancePath.slice(instancePath.lastIndexOf("/") + 1));
  const nearest = nearestName(name, knownFields(parent));
  return {
    pointer: instancePath,
    code: "unknown_field",
    detail:
      nearest === null ? "There is no such field." : `There is no such field; is it ${nearest}?`,
  };
}

/** A form may be asked for by several keywords; a caller is told once. */
function distinct(faults: readonly Fault[]): Fault[] {
  const known = new Set<string>();
  return faults.filter(({ pointer, code }) => {
    const name = `${code} ${pointer}`;
    return !known.has(name) && known.add(name);
  });
}

const sentences: Readonly<
  Record<string, (limit: string) => { readonly code: string; readonly detail: string }>
> = {
  minimum: (limit) => ({ code: "too_small", detail: `This must be at least ${limit}.` }),
  maximum: (limit) => ({ code: "too_large", detail: `This must be at most ${limit}.` }),
  minLength: (limit) => ({ code: "too_short", detail: `This needs at least ${limit} characters.` }),
  maxLength: (limit) => ({ code: "too_long", detail: `This has more than ${limit} characters.` }),
  minItems: (limit) => ({ code: "too_few", detail: `This needs at least ${limit} entries.` }),
  maxItems: (limit) => ({ code: "too_many", detail: `This has more than ${limit} entries.` }),
  minProperties: () => ({ code: "too_few", detail: "This needs at least one field." }),
  uniqueItems: () => ({ code: "duplicate", detail: "This names something twice." }),
  pattern: () => ({ code: "invalid_format", detail: "This does not have the right form." }),
  format: () => ({ code: "invalid_format", detail: "This does not have the right form." }),
};

function sentence(keyword: string, params: SchemaError["params"]) {
  const known = sentences[keyword];
  if (known !== undefined) return known(String(params["limit"]));
  const type = typeWords[String(params["type"])];
  const detail = type === undefined ? "This has the wrong type." : `This must be ${type}.`;
  return { code: "wrong_type", detail };
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

/** A list that is longer than this is in the reference; the answer only says what was meant. */
const CHOICES_TOLD_MAX = 20;

function choice(params: SchemaError["params"], given: unknown) {
  const allowed = names(params["allowedValues"]);
  const nearest = typeof given === "string" ? nearestName(given, allowed) : null;
  const hint = nearest === null ? "" : `; is it ${nearest}?`;
  const detail =
    allowed.length <= CHOICES_TOLD_MAX
      ? `This must be one of: ${allowed.join(", ")}.`
      : `This is none of the known values${hint === "" ? "." : hint}`;
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

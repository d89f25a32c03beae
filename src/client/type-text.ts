// JSON Schema as TypeScript. Invariant: a keyword that is not known here throws, so that no type is wider
// than the document by oversight.

import { comment, indented } from "./source-lines.ts";

export type Json = Readonly<Record<string, unknown>>;

/** A schema, and where it stands in the document. */
interface Place {
  readonly schema: Json;
  readonly at: string;
}

/** Keywords that explain a value or say which values of its type are accepted: no type shows them. */
const unseen = new Set(
  [
    "title description default examples example format pattern minLength maxLength minimum maximum",
    "x-audience x-public deprecated x-deprecation multipleOf minItems maxItems uniqueItems minProperties maxProperties discriminator",
  ].flatMap((line) => line.split(" ")),
);

/** Keywords that decide the type alone, whatever `type` stands beside them. */
const byKeyword: Readonly<Record<string, (place: Place) => readonly string[]>> = {
  $ref: ({ schema, at }) => [referredName(schema["$ref"], at)],
  const: ({ schema }) => [JSON.stringify(schema["const"])],
  enum: ({ schema, at }) => listAt(schema["enum"], at).map((one) => JSON.stringify(one)),
  anyOf: (place) => choicesIn(place, "anyOf").flat(),
  oneOf: (place) => choicesIn(place, "oneOf").flat(),
  allOf: (place) => [
    choicesIn(place, "allOf")
      .map((choices) => inParentheses(union(choices)))
      .join(" & "),
  ],
};

interface NamedType {
  /** The keywords that belong to it. */
  readonly keywords: readonly string[];
  readonly text: (place: Place) => string;
}

const byType: Readonly<Record<string, NamedType>> = {
  string: { keywords: [], text: () => "string" },
  number: { keywords: [], text: () => "number" },
  integer: { keywords: [], text: () => "number" },
  boolean: { keywords: [], text: () => "boolean" },
  null: { keywords: [], text: () => "null" },
  array: { keywords: ["items"], text: arrayText },
  object: {
    keywords: ["properties", "required", "additionalProperties"],
    text: objectText,
  },
};

/** The type of a schema. `at` names its place where it throws, for a keyword that is not known. */
export function typeText(given: unknown, at: string): string {
  return union(choicesOf(objectAt(given, at), at));
}

/** The members of the union that a schema is. */
function choicesOf(schema: Json, at: string): readonly string[] {
  const keywords = Object.keys(schema).filter((word) => word !== "type" && !unseen.has(word));
  const [keyword = "", ...more] = keywords;
  const decide = byKeyword[keyword];
  if (decide !== undefined && more.length === 0) return decide({ schema, at });
  const types = [schema["type"]].flat().map((name) => {
    const type = byType[String(name)];
    if (type === undefined) throw new Error(`There is no type for ${at}: ${keywords.join()}`);
    return type;
  });
  const known = new Set(types.flatMap((type) => type.keywords));
  const unknown = keywords.filter((word) => !known.has(word));
  if (unknown.length > 0) throw new Error(`There is no type for ${unknown.join()} of ${at}`);
  return types.map((type) => type.text({ schema, at }));
}

/** An exported type: an interface where the schema names properties. */
export function declarationText(name: string, schema: unknown): string {
  const { description, type, properties } = objectAt(schema, name);
  const about = typeof description === "string" ? comment(description) : "";
  if (type === "object" && properties !== undefined) {
    return `${about}export interface ${name} ${blockText({ schema: objectAt(schema, name), at: name })}\n`;
  }
  const text = typeText(schema, name);
  return `${about}export type ${name} =${text.startsWith("\n") ? "" : " "}${text};\n`;
}

/** The doc comment of a member; editors strike through what is deprecated. */
function aboutText({ description, ...words }: Json): string {
  const texts = typeof description === "string" ? [description] : [];
  const all = [...texts, ...deprecatedTag(words)];
  return all.length === 0 ? "" : comment(all.join("\n\n"));
}

/** The tag with what to do instead, of a schema or an operation that has one. */
export function deprecatedTag({ "x-deprecation": terms }: Json): string[] {
  return terms === undefined
    ? []
    : [`@deprecated ${String(objectAt(terms, "a deprecation")["instead"])}`];
}

/** The name of the component that a `$ref` leads to. */
export function referredName(reference: unknown, at: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(reference))?.[1];
  if (name === undefined) throw new Error(`There is no schema at ${String(reference)}, for ${at}`);
  return name;
}

/** Returns the value as an object. Throws for anything else. */
export function objectAt(value: unknown, at: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error(`There is no object at ${at}`);
}

/** Returns the value as a list; empty where it is absent. Throws for anything else. */
export function listAt(value: unknown, at: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new Error(`There is no list at ${at}`);
}

function choicesIn({ schema, at }: Place, keyword: string): (readonly string[])[] {
  return listAt(schema[keyword], at).map((one, index) => {
    const place = `${at}/${keyword}/${index}`;
    return choicesOf(objectAt(one, place), place);
  });
}

const UNION_LENGTH_MAX = 80;

/** Choices that stand behind an object on its last line. */
const NOTHING: readonly string[] = ["null", "undefined"];

/** On one line, or on as many as there are choices; `{ … } | null` stays together. */
function union(types: readonly string[]): string {
  const [first = "never", ...more] = new Set(types);
  const line = [first, ...more].join(" | ");
  const isShort = line.length <= UNION_LENGTH_MAX && !line.includes("\n");
  if (isShort || more.every((type) => NOTHING.includes(type))) return line;
  return [first, ...more].map((type) => `\n  | ${indented(type)}`).join("");
}

function inParentheses(type: string): string {
  if (type.startsWith("\n")) return `(${type}\n)`;
  return / [|&] /.test(type) && !type.startsWith("{") ? `(${type})` : type;
}

function arrayText({ schema, at }: Place): string {
  return `${inParentheses(typeText(schema["items"], `${at}/items`))}[]`;
}

function objectText(place: Place): string {
  const { properties = {}, additionalProperties: others = true } = place.schema;
  if (Object.keys(objectAt(properties, place.at)).length > 0) return blockText(place);
  if (others === false) return "Record<string, never>";
  const value = others === true ? "unknown" : typeText(others, `${place.at}/additionalProperties`);
  return `Record<string, ${value}>`;
}

function blockText({ schema, at }: Place): string {
  const { properties, required, additionalProperties: others = true } = schema;
  const needed = new Set(listAt(required, at));
  const members = Object.entries(objectAt(properties, at)).map(([name, member]) => {
    const about = aboutText(objectAt(member, `${at}/${name}`));
    const place = `${at}/${name}`;
    const isNeeded = needed.has(name);
    const choices = choicesOf(objectAt(member, place), place);
    // With exact types of optional properties `email: undefined` would be an error; it is sent as if it were left out.
    const type = union(isNeeded ? choices : [...choices, "undefined"]);
    const label = `${keyText(name)}${isNeeded ? "" : "?"}:`;
    return `${about}${label}${type.startsWith("\n") ? "" : " "}${type};\n`;
  });
  // An index signature must suit the members that have a name, too.
  if (others === true) members.push("[member: string]: unknown;\n");
  else if (others !== false) throw new Error(`There is no type for additionalProperties of ${at}`);
  return `{${indented(`\n${members.join("")}`).trimEnd()}\n}`;
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

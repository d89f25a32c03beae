// The fields of a schema as a list: name, type, bounds, who sees it, what it means. Fields of an object without a name
// stand below it.

import { type Json, listAt, objectAt, referredName } from "#client/type-text.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";

import { inlineMarkdown } from "../markdown.ts";

export interface FieldTerms {
  /** The page that explains each object. */
  readonly homes: ReadonlyMap<string, string>;
  /** True if it says which fields are needed: answers have all of theirs. */
  readonly isSent: boolean;
}

/** The fields of an object; of a union, those of each of its kinds. Nothing where there are none. */
export function fieldList(schema: Json, terms: FieldTerms): Html | null {
  const inside = withProperties(schema);
  if (inside === null) return null;
  const needed = new Set(listAt(inside["required"], "required"));
  const fields = Object.entries(objectAt(inside["properties"], "properties")).map(
    ([name, given]) => ({ name, schema: objectAt(given, name) }),
  );
  // A field that publishable keys never see is marked if they see others.
  const hasPublic = fields.some((field) => isPublic(field.schema));
  const items = fields.map((field) =>
    fieldItem(field.name, field.schema, {
      marks: [
        terms.isSent && needed.has(field.name) && html`<b class="mark need">required</b>`,
        hasPublic && !isPublic(field.schema) && html`<span class="mark">secret keys</span>`,
      ],
      terms,
    }),
  );
  return html`<ul class="fields">
    ${items}
  </ul>`;
}

function isPublic(schema: Json): boolean {
  return schema["x-audience"] === "public";
}

/** One field, or a parameter. */
export function fieldItem(
  name: string,
  schema: Json,
  { marks, terms }: { readonly marks: readonly Hole[]; readonly terms: FieldTerms },
): Html {
  const { description, deprecated } = schema;
  const about = typeof description === "string" ? description : "";
  return html`<li>
    <code class="name">${name}</code> <span class="type">${typeOf(schema, terms)}</span> ${marks}
    ${deprecated === true && html`<span class="mark">deprecated</span>`}
    ${about !== "" && html`<p>${inlineMarkdown(about)}</p>`} ${fieldList(schema, terms)}
  </li>`;
}

/** The object whose fields stand below: of a list its items, of what may be null the other. A named one has its own. */
function withProperties(schema: Json): Json | null {
  if (schema["$ref"] !== undefined) return null;
  if (schema["properties"] !== undefined) return schema;
  const inner = [schema["items"], ...listAt(schema["anyOf"], "anyOf")].filter(
    (one) => one !== undefined,
  );
  const found = inner.map((one) => withProperties(objectAt(one, "a part")));
  return found.find((one) => one !== null) ?? null;
}

/** The type as words: objects with a name lead to what explains them. */
export function typeOf(schema: Json, terms: Pick<FieldTerms, "homes">): Hole {
  const { $ref, enum: values, const: value, items } = schema;
  if ($ref !== undefined) return objectLink(referredName($ref, "a field"), terms);
  if (value !== undefined) return html`<code>${JSON.stringify(value)}</code>`;
  if (values !== undefined) return oneOf(listAt(values, "enum"));
  const choices = [schema["anyOf"], schema["oneOf"]].find((one) => one !== undefined);
  if (choices !== undefined)
    return joined(
      listAt(choices, "a union").map((one) => typeOf(objectAt(one, "a choice"), terms)),
    );
  const words = [schema["type"] ?? "anything"].flat().map(String);
  if (words.includes("array") && items !== undefined) {
    return ["list of ", typeOf(objectAt(items, "items"), terms), boundsOf(schema)];
  }
  return `${words.join(" or ")}${boundsOf(schema)}`;
}

function objectLink(name: string, { homes }: Pick<FieldTerms, "homes">): Hole {
  const home = homes.get(name);
  return home === undefined ? name : html`<a href="${home}#${name}">${name}</a>`;
}

function oneOf(values: readonly unknown[]): Hole {
  return joined(values.map((one) => (one === null ? "null" : html`<code>${plain(one)}</code>`)));
}

/** A text without quotes. */
function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function joined(parts: readonly Hole[]): Hole {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [" or ", part]));
}

/** The values of its type that it takes, such as `, 1 to 200 characters`. */
function boundsOf(schema: Json): string {
  const { format, pattern, default: otherwise } = schema;
  const told = [
    typeof format === "string" ? format : null,
    range(schema["minLength"], schema["maxLength"], " characters"),
    // A largest whole number is no news, and the pattern of an id neither.
    range(
      schema["minimum"],
      schema["maximum"] === Number.MAX_SAFE_INTEGER ? undefined : schema["maximum"],
      "",
    ),
    range(schema["minItems"], schema["maxItems"], " items"),
    typeof pattern === "string" && pattern.length <= PATTERN_SHOWN_MAX
      ? `matches ${pattern}`
      : null,
    otherwise === undefined ? null : `default ${JSON.stringify(otherwise)}`,
  ];
  return told.flatMap((one) => (one === null ? [] : [`, ${one}`])).join("");
}

const PATTERN_SHOWN_MAX = 24;

function range(least: unknown, most: unknown, unit: string): string | null {
  if (typeof most !== "number") {
    return typeof least === "number" ? `at least ${least}${unit}` : null;
  }
  if (typeof least !== "number" || least === 0) return `at most ${most}${unit}`;
  return `${least} to ${most}${unit}`;
}

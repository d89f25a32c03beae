// Collects named schemas as components of the document and replaces them by references; one that may be null
// lists `null` among its types. The program's own keywords are removed.

import { isObject } from "#kernel/assume.ts";
import { splitAudience } from "#platform/http/audience/audience.ts";
import { deprecationWords, isDeprecation } from "#platform/http/contract/deprecation.ts";

type Json = Record<string, unknown>;

/** The program's own schema keywords, which mean nothing to readers of the document. */
const PRIVATE = new Set([
  "x-component",
  "x-money",
  "x-metadata",
  "x-country",
  "x-added",
  "x-contact",
  "x-either",
  "x-closed",
  "x-about",
  "x-card-free",
]);

/** `recorded`: as the log may have it, which keeps events as they were. */
type Form = "current" | "recorded";

export class Components {
  readonly #schemas = new Map<string, Json>();

  /**
   * The schema for the document: a reference if it is named. `Snapshot` is appended to the name where the
   * recorded form differs.
   */
  of(schema: unknown, form: Form = "current"): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.of(one, form));
    if (!isObject(schema)) return schema;
    const name = schema["x-component"];
    if (typeof name !== "string") return this.#plain(schema, form);
    const { bare, words } = splitAudience(schema);
    const plain = this.#plain(bare, form);
    const isCurrent = form === "current" || Bun.deepEquals(plain, this.#plain(bare, "current"));
    const reference = this.#reference(isCurrent ? name : `${name}Snapshot`, plain);
    return withDeprecation({ ...reference, ...words });
  }

  /** A reference to the schema under this name. */
  named(name: string, schema: Json, form: Form = "current"): Json {
    return this.#reference(name, this.#plain(schema, form));
  }

  #reference(name: string, plain: Json): Json {
    const known = this.#schemas.get(name);
    if (known === undefined) this.#schemas.set(name, plain);
    else if (JSON.stringify(known) !== JSON.stringify(plain)) {
      throw new Error(`Two different shapes are named ${name}.`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** All named schemas, by name. */
  schemas(): Json {
    return Object.fromEntries(
      [...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  }

  #plain(schema: Json, form: Form): Json {
    const plain = Object.entries(form === "current" ? schema : withoutAdded(schema))
      .filter(([word]) => !PRIVATE.has(word) && !isStoredForm(word, schema))
      .map(([word, value]) => [word, this.of(value, form)]);
    return withDeprecation(nullAmongTypes(Object.fromEntries(plain)));
  }
}

/** Returns true if the keyword describes what is kept of a contact: callers may write it in other forms. */
function isStoredForm(word: string, schema: Json): boolean {
  return word === "pattern" && "x-contact" in schema;
}

/** The schema as older rows have it too: members that were added since are optional. */
function withoutAdded(schema: Json): Json {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return schema;
  const isAdded = (name: string) => isObject(properties[name]) && "x-added" in properties[name];
  return { ...schema, required: required.filter((name: string) => !isAdded(name)) };
}

/** A field that will end has its terms in the program, and words of people in the document. */
function withDeprecation(schema: Json): Json {
  const { deprecated } = schema;
  if (!isDeprecation(deprecated)) return schema;
  return { ...schema, ...deprecationWords(deprecated, schema["description"]) };
}

/** `anyOf: [x, null]` as one schema with two types, which more tools understand; a reference stays as it is. */
function nullAmongTypes(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  const [one, other, ...more] = Array.isArray(anyOf) ? anyOf : [];
  if (!isObject(one) || typeof one["type"] !== "string") return schema;
  if (!isObject(other) || other["type"] !== "null" || more.length > 0) return schema;
  const choices = Array.isArray(one["enum"]) ? { enum: [...one["enum"], null] } : {};
  return { ...one, ...choices, ...rest, type: [one["type"], "null"] };
}

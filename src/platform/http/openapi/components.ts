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
  "x-amount",
  "x-metadata",
  "x-country",
  "x-added",
  "x-text",
  "x-sought",
  "x-sentence",
  "x-either",
  "x-closed",
  "x-about",
  "x-card-free",
  "x-family",
]);

/** `recorded`: as the log may have it, which keeps events as they were. */
type Form = "current" | "recorded";

/**
 * Sentences about fields that have none of their own, by name, or by component and name (`Order.number`). Those of an
 * amount serve the same in minor units, too.
 */
export type Vocabulary = Readonly<Record<string, string>>;

export class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary = {}) {
    this.#vocabulary = vocabulary;
  }

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
    const plain = this.#plain(bare, form, name);
    const isCurrent =
      form === "current" || Bun.deepEquals(plain, this.#plain(bare, "current", name));
    const reference = this.#reference(isCurrent ? name : `${name}Snapshot`, plain);
    return withDeprecation({ ...reference, ...words });
  }

  /** A reference to the schema under this name. */
  named(name: string, schema: Json, form: Form = "current"): Json {
    return this.#reference(name, this.#plain(schema, form, name));
  }

  #reference(name: string, plain: Json): Json {
    const known = this.#schemas.get(name);
    if (known === undefined) this.#schemas.set(name, plain);
    else if (JSON.stringify(known) !== JSON.stringify(plain)) {
      throw new Error(`Two different shapes are named ${name}.`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema of a query; a sentence about a field is that of `query.` and its name. */
  query(schema: Json): Json {
    return this.#plain(schema, "current", "query");
  }

  /** All named schemas, by name. */
  schemas(): Json {
    return Object.fromEntries(
      [...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  }

  /** `owner` is the component that it is, if it is one. */
  #plain(schema: Json, form: Form, owner = ""): Json {
    const plain = Object.entries(form === "current" ? schema : withoutAdded(schema))
      .filter(([word]) => !PRIVATE.has(word) && !isStoredForm(word, schema))
      .map(([word, value]) => [
        word,
        word === "properties" && isObject(value)
          ? this.#members(value, form, owner)
          : this.of(value, form),
      ]);
    return withDeprecation(nullAmongTypes(Object.fromEntries(plain)));
  }

  #members(properties: Json, form: Form, owner: string): Json {
    const members = Object.entries(properties).map(([name, one]) => {
      const plain = this.of(one, form);
      const description = this.#sentenceOf(owner, name, properties);
      // A parameter is told by its own words, not by those of its type.
      const isTold = owner !== "query" && isObject(plain) && this.#isDescribed(plain);
      const needsOne = isObject(plain) && plain["description"] === undefined && !isTold;
      return [name, needsOne && description !== null ? { ...plain, description } : plain];
    });
    return Object.fromEntries(members);
  }

  #sentenceOf(owner: string, name: string, beside: Json): string | null {
    const words = this.#vocabulary;
    const own = words[`${owner}.${name}`] ?? words[name];
    const major = name.replace(/_minor$/, "");
    if (own !== undefined || major === name) return own ?? null;
    if (words[major] !== undefined) return `${words[major]} In minor units of the currency.`;
    return major in beside ? `\`${major}\` in minor units of the currency.` : null;
  }

  /** Returns true if the schema, or a component that it refers to, has a sentence. */
  #isDescribed({ description, anyOf, items, ...schema }: Json): boolean {
    const referred = [schema, items, ...(Array.isArray(anyOf) ? anyOf : [])]
      .map((one) => (isObject(one) ? String(one["$ref"]).split("/").at(-1) : undefined))
      .map((name = "") => this.#schemas.get(name)?.["description"]);
    return [description, ...referred].some((sentence) => sentence !== undefined);
  }
}

/** The texts that people write in other forms than what is kept of them; see `intake/texts.ts`. */
const READ = new Set(["identifier", "phone", "email", "code"]);

/** Returns true if the keyword describes what is kept of a text that is read. */
function isStoredForm(word: string, schema: Json): boolean {
  return word === "pattern" && READ.has(String(schema["x-text"]));
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

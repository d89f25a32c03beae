// Collects named schemas as components of the document and replaces them by references; one that may be null
// lists `null` among its types. The program's own keywords are removed.

import { isObject } from "#kernel/assume.ts";

type Json = Record<string, unknown>;

/** The program's own schema keywords, which mean nothing to readers of the document. */
const PRIVATE = new Set(["x-component", "x-money", "x-metadata"]);

export class Components {
  readonly #schemas = new Map<string, Json>();

  /** The schema for the document: a reference if it is named. */
  of(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.of(one));
    if (!isObject(schema)) return schema;
    const name = schema["x-component"];
    return typeof name === "string" ? this.named(name, schema) : this.#plain(schema);
  }

  /** A reference to the schema under this name. */
  named(name: string, schema: Json): Json {
    const known = this.#schemas.get(name);
    const plain = this.#plain(schema);
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

  #plain(schema: Json): Json {
    return nullAmongTypes(
      Object.fromEntries(
        Object.entries(schema)
          .filter(([word]) => !PRIVATE.has(word))
          .map(([word, value]) => [word, this.of(value)]),
      ),
    );
  }
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

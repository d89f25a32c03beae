// Shapes with a name become components of the document, once; wherever they are used there is a
// reference. Words for our own checks stay out of it.

import { isObject } from "#kernel/assume.ts";

type Json = Record<string, unknown>;

/** Our own words in a schema; they mean nothing to a reader of the document. */
const PRIVATE = new Set(["x-component", "x-money", "x-metadata"]);

export class Components {
  readonly #schemas = new Map<string, Json>();

  /** The schema as the document has it: a reference where it has a name. */
  of(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.of(one));
    if (!isObject(schema)) return schema;
    const name = schema["x-component"];
    if (typeof name !== "string") return this.#plain(schema);
    const known = this.#schemas.get(name);
    const plain = this.#plain(schema);
    if (known === undefined) this.#schemas.set(name, plain);
    else if (JSON.stringify(known) !== JSON.stringify(plain)) {
      throw new Error(`Two different shapes are named ${name}.`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Every named shape that was met, by name. */
  schemas(): Json {
    return Object.fromEntries(
      [...this.#schemas].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  }

  #plain(schema: Json): Json {
    return Object.fromEntries(
      Object.entries(schema)
        .filter(([word]) => !PRIVATE.has(word))
        .map(([word, value]) => [word, this.of(value)]),
    );
  }
}

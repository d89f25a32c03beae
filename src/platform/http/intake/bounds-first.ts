// Puts the bounds of a schema before the keywords that cost more than linear time.

import { Compile } from "typebox/compile";
import { Format } from "typebox/format";

import { isObject } from "#kernel/assume.ts";
import { isUri } from "#platform/net/uri.ts";

// typebox's own expression backtracks: a long text would take it seconds.
Format.Set("uri", isUri);

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
export function boundsFirst(schema: unknown): unknown {
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

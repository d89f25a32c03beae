// One document, one vocabulary: what is the same at two places has one name.

import { expect, test } from "bun:test";

import { document } from "#interface.ts";

type Json = Readonly<Record<string, unknown>>;

/** The document as a client receives it. */
const published: unknown = JSON.parse(JSON.stringify(document()));

/** Examples are values, not schemas; a refusal is the same under both of its media types. */
const passed: ReadonlySet<string> = new Set(["examples", "application/problem+json"]);

/** The objects without a name of their own within a value, each with its place. */
function nameless(value: unknown, at: string): [place: string, schema: Json][] {
  if (typeof value !== "object" || value === null) return [];
  const own: [string, Json][] = "properties" in value && !isNamed(at) ? [[at, { ...value }]] : [];
  const inner = Object.entries(value).filter(([word]) => !passed.has(word));
  return [...own, ...inner.flatMap(([word, one]) => nameless(one, `${at}/${word}`))];
}

function isNamed(place: string): boolean {
  return /^\/components\/schemas\/\w+$/.test(place);
}

test("an object shape that stands at two places has a name", () => {
  const places = Map.groupBy(nameless(published, ""), ([, schema]) =>
    // Words about it make no other shape.
    JSON.stringify(schema, (word, value: unknown) => (word === "description" ? undefined : value)),
  );
  const twice = [...places.values()].filter(({ length }) => length > 1);

  expect(twice.map((all) => all.map(([place]) => place))).toEqual([]);
});

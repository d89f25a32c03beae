// What a request costs to check grows with its bytes and nothing else: every text and list has a bound,
// and what is beyond it is compared with nothing.

import { expect, spyOn, test } from "bun:test";

import { routes } from "#interface.ts";
import { isObject } from "#kernel/assume.ts";
import { bindRoutes, type BoundRoute } from "#platform/http/calls/bound-route.ts";
import { querySchema } from "#platform/http/contract/words.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

import { nameOf, operations } from "./operations.ts";

const bound: readonly BoundRoute[] = [...bindRoutes(routes).values()].flatMap((methods) => [
  ...methods.values(),
]);
const taking = bound
  .filter(({ route }) => route.body !== null)
  .map((one): [string, BoundRoute] => [nameOf(one.route), one]);

/** The schemas inside of a schema, with the name of their place. */
function partsOf(schema: Record<string, unknown>): [place: string, schema: unknown][] {
  const { items, additionalProperties, anyOf, properties } = schema;
  const branches: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return [
    ["0", items],
    ["*", additionalProperties],
    ...branches.map((branch): [string, unknown] => ["", branch]),
    ...Object.entries(Object(properties)),
  ];
}

function unboundedIn(schema: unknown, place: string): string[] {
  if (!isObject(schema)) return [];
  const bounds: Readonly<Record<string, readonly string[]>> = {
    string: ["maxLength", "enum"],
    array: ["maxItems"],
  };
  const needed = bounds[String(schema["type"])];
  const isBounded = needed === undefined || needed.some((name) => schema[name] !== undefined);
  const inner = partsOf(schema).flatMap(([name, one]) => unboundedIn(one, `${place}/${name}`));
  return isBounded ? inner : [place, ...inner];
}

test.each(operations)("every text and list of %s has a bound", (_, route) => {
  expect(unboundedIn(route.body, "body")).toEqual([]);
  expect(unboundedIn(querySchema(route), "query")).toEqual([]);
});

/** The texts that any expression was compared with meanwhile. */
function comparedDuring(run: () => void): ReadonlySet<string> {
  const spies = [spyOn(RegExp.prototype, "test"), spyOn(RegExp.prototype, "exec")];
  try {
    run();
    return new Set(spies.flatMap((spy) => spy.mock.calls.map(([text]) => text)));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** A value with every field, each of whose texts is one character longer than twice its bound. */
function overlong(schema: unknown, texts: Set<string>): JsonValue {
  if (!isObject(schema)) return null;
  const branches = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isObject) : [schema];
  const bounds = branches.map(({ maxLength }) => Number(maxLength ?? 0));
  if (Math.max(...bounds) > 0) {
    const text = "é".repeat(2 * Math.max(...bounds) + 1);
    texts.add(text);
    return text;
  }
  const [branch = {}] = branches;
  if (branch["type"] === "array") return [overlong(branch["items"], texts)];
  if (branch["type"] !== "object") return null;
  return Object.fromEntries(
    Object.entries(Object(branch["properties"])).map(([name, one]) => [name, overlong(one, texts)]),
  );
}

test.each(taking)("%s compares no text beyond its bound", (_, { route, textsOf, bodyFaults }) => {
  const texts = new Set<string>();
  const body = overlong(route.body, texts);

  const compared = comparedDuring(() => {
    textsOf(body);
    bodyFaults(body, { isPublic: false });
    bodyFaults(body, { isPublic: true });
  });

  expect([...texts].filter((text) => compared.has(text))).toEqual([]);
});

test("texts within their bound are compared", () => {
  const creating = taking.find(([name]) => name === "POST /v2/customers")?.[1];

  const compared = comparedDuring(() =>
    creating?.bodyFaults({ phone: "+233201234567" }, { isPublic: false }),
  );

  expect([...compared]).toContain("+233201234567");
});

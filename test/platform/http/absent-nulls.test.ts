// Null of an optional field that may not be empty is an absent field; other nulls stay.

import { expect, test } from "bun:test";

import Type from "typebox";

import { amountGiven, line, nullable, object, optional } from "#platform/http/contract/words.ts";
import { nullDropper, takingNulls } from "#platform/http/intake/absent-nulls.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

const schema = object({
  name: line(9),
  sku: optional(line(9)),
  note: optional(nullable(line(9))),
  price: optional(amountGiven),
  address: optional(nullable(object({ city: optional(line(9)) }))),
  lines: optional(Type.Array(object({ label: optional(line(9)), units: Type.Integer() }))),
});
const drop = nullDropper(schema);

test.each<[string, JsonValue, JsonValue]>([
  ["an optional field is dropped", { name: "a", sku: null }, { name: "a" }],
  ["an amount is dropped", { price: null }, {}],
  ["a field that may be empty stays", { note: null, address: null }, { note: null, address: null }],
  ["a required field stays, and is refused later", { name: null }, { name: null }],
  ["an unknown field stays, and is refused later", { other: null }, { other: null }],
  ["a field inside another is dropped", { address: { city: null } }, { address: {} }],
  [
    "a field of a list's entry is dropped",
    { lines: [{ label: null, units: null }, null] },
    { lines: [{ units: null }, null] },
  ],
])("null in %s", (_, body, left) => {
  expect(drop(body)).toEqual(left);
});

test.each<[JsonValue]>([
  [null],
  ["text"],
  [[null]],
  [{ name: "a", sku: "b", lines: [{ units: 1 }] }],
])("%j stays as it is", (body) => {
  expect(drop(body)).toEqual(body);
});

test("the document lists null among the types of what may be absent", () => {
  const { properties } = Object(takingNulls(schema));

  expect(properties.name).toEqual(JSON.parse(JSON.stringify(schema.properties.name)));
  expect(properties.sku.anyOf).toMatchObject([{ type: "string" }, { type: "null" }]);
  expect(properties.note.anyOf).toHaveLength(2);
  expect(properties.price.anyOf).toHaveLength(3);
  expect(properties.address.anyOf[0].properties.city.anyOf).toHaveLength(2);
});

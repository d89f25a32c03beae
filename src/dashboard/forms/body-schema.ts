// The schema of a body, as far as forms read it.

import type { TSchema } from "typebox";

import { isObject } from "#kernel/assume.ts";
import type { JsonValue } from "#platform/http/json/strict-json.ts";

export type Schema = Readonly<Record<string, unknown>>;

export function schemaOf(schema: TSchema | null): Schema {
  return isObject(schema) ? schema : {};
}

export function branchesOf(schema: Schema): Schema[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? anyOf.filter(isObject).flatMap(branchesOf) : [schema];
}

export function itemsOf(schema: Schema): Schema | undefined {
  const list = branchesOf(schema).find((one) => "items" in one);
  const items = list?.["items"];
  return isObject(items) ? items : undefined;
}

export function memberOf(schema: Schema, name: string): Schema {
  for (const branch of branchesOf(schema)) {
    const { properties, patternProperties, additionalProperties } = branch;
    if (isObject(properties) && Object.hasOwn(properties, name)) {
      const member = properties[name];
      return isObject(member) ? member : {};
    }
    const [pattern] = isObject(patternProperties) ? Object.values(patternProperties) : [];
    if (isObject(pattern)) return pattern;
    if (isObject(additionalProperties)) return additionalProperties;
  }
  return {};
}

/** What a body takes of a value that an answer shows: amounts are shown twice, and records with what follows of them. */
export function onlyTaken(value: JsonValue, schema: Schema): JsonValue {
  if (Array.isArray(value)) return value.map((one) => onlyTaken(one, itemsOf(schema) ?? {}));
  if (typeof value !== "object" || value === null) return value;
  const taken = branchesOf(schema).flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  if (taken.length === 0) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => taken.includes(name))
      .map(([name, member]) => [name, onlyTaken(member, memberOf(schema, name))]),
  );
}

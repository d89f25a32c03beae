// Null in place of an optional field that may not be empty: it equals an absent field, since many programs
// send null for what they do not know. In a field that may be empty, null stays and empties it. One rule for
// all bodies, before they are checked; the document lists null among the types of these fields.

import { isObject } from "#kernel/assume.ts";
import { splitAudience } from "#platform/http/audience/audience.ts";
import { type JsonValue, LossyNumber } from "#platform/http/strict-json.ts";

type Json = Record<string, unknown>;
type DropNulls = (value: JsonValue) => JsonValue;

/** A function that drops such nulls from a body of this schema, and changes nothing else. */
export function nullDropper(schema: unknown): DropNulls {
  return dropperOf(schema) ?? ((value) => value);
}

/** Null if the schema has no optional field that may not be empty. */
function dropperOf(schema: unknown): DropNulls | null {
  if (!isObject(schema)) return null;
  const branches = Array.isArray(schema["anyOf"]) ? schema["anyOf"].map(dropperOf) : [];
  const droppers = [ofObject(schema), ofList(schema["items"]), ...branches];
  const found = droppers.filter((one) => one !== null);
  if (found.length === 0) return null;
  return (value) => found.reduce((left, drop) => drop(left), value);
}

function ofObject(schema: Json): DropNulls | null {
  const { properties } = schema;
  if (!isObject(properties)) return null;
  const droppable = new Set(Object.keys(properties).filter((name) => mayBeAbsent(schema, name)));
  const inner = new Map<string, DropNulls>();
  for (const [name, one] of Object.entries(properties)) {
    const drop = dropperOf(one);
    if (drop !== null) inner.set(name, drop);
  }
  if (droppable.size === 0 && inner.size === 0) return null;
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value) || value instanceof LossyNumber) return value;
    const left: Record<string, JsonValue> = {};
    for (const [name, one] of Object.entries(value)) {
      if (one !== null || !droppable.has(name)) left[name] = inner.get(name)?.(one) ?? one;
    }
    return left;
  };
}

function ofList(items: unknown): DropNulls | null {
  const drop = dropperOf(items);
  if (drop === null) return null;
  return (value) => (Array.isArray(value) ? value.map(drop) : value);
}

/** Returns true if a property is optional and does not take null itself. */
function mayBeAbsent({ properties, required }: Json, name: string): boolean {
  const isRequired = Array.isArray(required) && required.includes(name);
  return !isRequired && isObject(properties) && !takesNull(properties[name]);
}

function takesNull(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { anyOf, type } = schema;
  if (Array.isArray(anyOf)) return anyOf.some(takesNull);
  return type === undefined || [type].flat().includes("null");
}

/** The schema of a body for the document, which lists null among the types of these fields. */
export function takingNulls(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(takingNulls);
  if (!isObject(schema)) return schema;
  const { properties } = schema;
  const inner = Object.entries(schema).map(([word, value]) => [word, takingNulls(value)]);
  if (!isObject(properties)) return Object.fromEntries(inner);
  const members = Object.entries(properties).map(([name, one]) => {
    const taken = takingNulls(one);
    return [name, mayBeAbsent(schema, name) ? orNull(taken) : taken];
  });
  return { ...Object.fromEntries(inner), properties: Object.fromEntries(members) };
}

function orNull(schema: unknown): unknown {
  const none = { type: "null" };
  if (!isObject(schema)) return { anyOf: [schema, none] };
  if (!Array.isArray(schema["anyOf"])) {
    const { bare, words } = splitAudience(schema);
    return { anyOf: [bare, none], ...words };
  }
  return { ...schema, anyOf: [...schema["anyOf"], none] };
}

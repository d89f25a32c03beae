// Reduces an answer to what a publishable key is told, compiled from its schema. What is secret is answered as nothing,
// so that the documented shape still holds.

import { isObject } from "#kernel/assume.ts";

import { branchesOf, isPublicField, type PublicTerms, termsOf } from "./audience.ts";

/** Makes what a publishable key is told of a presented value. */
export type PublicView = (value: unknown) => unknown;

const whole: PublicView = (value) => value;

/**
 * The view of values of this schema: a field that is not open has its closed value, or is left out where it is
 * optional. Throws for a field that is neither open nor can be closed, which is a fault of its declaration.
 */
export function publicView(schema: unknown): PublicView {
  if (!isObject(schema)) return whole;
  const inner = [
    viewOfMembers(schema),
    viewOfItems(schema["items"]),
    viewOfTerms(termsOf(schema)),
    ...branchesOf(schema).map(publicView),
  ].filter((view) => view !== whole);
  const [view = whole, ...more] = inner;
  if (more.length > 0) throw new Error("What is told of one value depends on one schema alone.");
  return view;
}

function viewOfMembers(schema: Record<string, unknown>): PublicView {
  const { properties, required } = schema;
  if (!isObject(properties)) return whole;
  const needed = Array.isArray(required) ? required : [];
  const members = Object.entries(properties).flatMap(([name, one]) => {
    if (isPublicField(one)) return [{ name, view: publicView(one) }];
    return needed.includes(name) ? [{ name, view: closed(name, one) }] : [];
  });
  return (value) => {
    if (!isObject(value)) return value;
    const told: Record<string, unknown> = {};
    for (const { name, view } of members) {
      if (Object.hasOwn(value, name)) told[name] = view(value[name]);
    }
    return told;
  };
}

/** The value in place of a secret field: null, nothing in a list or an object, or the value of `x-closed`. */
function closed(name: string, schema: unknown): PublicView {
  const value = closedValue(schema);
  if (value === undefined) throw new Error(`${name} is neither open nor can it be closed.`);
  return () => value;
}

function closedValue(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  if ("x-closed" in schema) return schema["x-closed"];
  if (schema["type"] === "null" || branchesOf(schema).some(isNull)) return null;
  if (schema["type"] === "array" && schema["minItems"] === undefined) return [];
  return schema["type"] === "object" && schema["properties"] === undefined ? {} : undefined;
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema["type"] === "null";
}

function viewOfItems(items: unknown): PublicView {
  const view = publicView(items);
  if (view === whole) return whole;
  return (value) => (Array.isArray(value) ? value.map(view) : value);
}

function viewOfTerms(terms: PublicTerms): PublicView {
  const { names, told, minimum = -Infinity, maximum = Infinity } = terms;
  if (told !== undefined) {
    return (value) => (typeof value === "string" ? (told[value] ?? value) : value);
  }
  if (names !== undefined) {
    const pattern = new RegExp(names);
    return (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => pattern.test(name)))
        : value;
  }
  if (minimum === -Infinity && maximum === Infinity) return whole;
  return (value) =>
    typeof value === "number" ? Math.min(maximum, Math.max(minimum, value)) : value;
}

// A change may be the whole body of GET with another value here and there. A schema of changes does not have what only
// answers have, and a body that has all of it tells nothing new by it: such members are left out while they are as they are
// told now. Another value of them is refused as a field that there is not, and so they are in a body that was not read.

import type { TSchema } from "typebox";

import { isObject } from "#kernel/assume.ts";
import type { Reader } from "#platform/database/database.ts";
import { canonicalJson } from "#platform/http/canonical-json.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { type JsonObject, type JsonValue, LossyNumber } from "#platform/http/strict-json.ts";

import { type BoundRoute, writerOf } from "./bound-route.ts";

/** Reads the body of a change in the transaction that makes it. `input` is what the handler of GET takes. */
export type SentBack = (db: Reader, input: AskedBy) => Promise<JsonValue>;

type AskedBy = object & { readonly caller: Pick<Caller, "isPublic"> };

interface Change {
  readonly given: JsonValue;
  /** The route that answers what is changed; undefined if none does. */
  readonly told: BoundRoute | undefined;
  readonly route: BoundRoute;
  /** Reads the texts of a body, and refuses its faults. */
  readonly read: (body: JsonValue) => Promise<JsonValue>;
}

/** Reads a body that has members which only answers have; null for any other. */
export function sentBackOf({ given, told, route, read }: Change): SentBack | null {
  const schema = route.route.body;
  if (route.route.method !== "PUT" || told?.route.kind !== "read" || !hasMembers(given))
    return null;
  const [taken, answered] = [propertiesOf(schema), propertiesOf(told.route.response)];
  const repeats = Object.keys(given).some((name) => name in answered && !(name in taken));
  if (!repeats) return null;
  return async (db, input) => {
    const { handler } = told.route;
    const row = await handler(db, { ...input, query: {}, body: {} });
    const text = writerOf({ route: told.route, view: told.viewFor(input.caller) })(row);
    const now: unknown = JSON.parse(text);
    return read(isWhole(given, now) ? changed(given, now, schema) : given);
  };
}

function isWhole(given: JsonObject, told: unknown): told is JsonObject {
  return isObject(told) && Object.keys(told).every((name) => Object.hasOwn(given, name));
}

/** The members that differ, and those that each change needs: it keeps what it does not have. */
function changed(given: JsonObject, told: JsonObject, schema: TSchema | null): JsonValue {
  const { required } = Object(schema);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const others = Object.entries(given).filter(
    ([name, value]) => needed.includes(name) || !isSame(value, told[name]),
  );
  return withoutTold(Object.fromEntries(others), told, schema);
}

/** The value without members that its schema does not have and that are as they are told, at any depth. */
function withoutTold(given: JsonValue, told: JsonValue | undefined, schema: unknown): JsonValue {
  if (Array.isArray(given)) {
    const items = branchesOf(schema).find((one) => "items" in one)?.["items"];
    return given.map((one, at) => withoutTold(one, rowOf(one, told, at), items));
  }
  const taken = propertiesOf(schema);
  if (!hasMembers(given) || !hasMembers(told) || Object.keys(taken).length === 0) return given;
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => name in taken || !isSame(value, told[name]))
      .map(([name, value]) => [name, withoutTold(value, told[name], taken[name])]),
  );
}

/** The row of the list with the same id, or else at the same place. */
function rowOf(row: JsonValue, told: JsonValue | undefined, at: number): JsonValue | undefined {
  if (!Array.isArray(told)) return undefined;
  const id = hasMembers(row) ? row["id"] : undefined;
  return told.find((one) => id !== undefined && hasMembers(one) && one["id"] === id) ?? told[at];
}

function isSame(given: JsonValue, told: JsonValue | undefined): boolean {
  return canonicalJson(given) === canonicalJson(told);
}

function hasMembers(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && !(value instanceof LossyNumber);
}

function branchesOf(schema: unknown): Record<string, unknown>[] {
  if (!isObject(schema)) return [];
  return Array.isArray(schema["anyOf"]) ? schema["anyOf"].flatMap(branchesOf) : [schema];
}

/** The members that a schema has, in any of its branches, by their names. */
function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  return Object.assign(Object.create(null), ...branchesOf(schema).map((one) => one["properties"]));
}

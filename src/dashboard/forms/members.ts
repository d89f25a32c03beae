// Members of what the interface answered, where no shape says what they are.

import { assume, isObject } from "#kernel/assume.ts";
import type { JsonObject, JsonValue } from "#platform/http/json/strict-json.ts";

/** The members of a value; none of what is no object. */
export function membersOf(value: unknown): JsonObject {
  // The cast holds: only what was parsed from JSON comes here.
  return isObject(value) ? assume<JsonObject>(value) : {};
}

/** The first object of a list that fits; null if there is none. */
export function memberWhere(
  list: JsonValue | undefined,
  fits: (members: JsonObject) => boolean,
): JsonObject | null {
  return Array.isArray(list) ? (list.map(membersOf).find(fits) ?? null) : null;
}

// Reads JSON from another program, such as the administrative socket, whose ends may be of different
// versions. An error names the missing member.

import { isObject } from "#kernel/assume.ts";

/** The member; undefined where the value is no object or has none. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** A member that must be a string. */
export function textMember(value: unknown, name: string): string {
  const found = member(value, name);
  if (typeof found !== "string") throw new TypeError(`There is no string "${name}".`);
  return found;
}

/** A member that must be an array. */
export function listMember(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  if (!Array.isArray(found)) throw new TypeError(`There is no array "${name}".`);
  return found;
}

/** A member that is a number; null for anything else. */
export function numberOrNull(value: unknown, name: string): number | null {
  const found = member(value, name);
  return typeof found === "number" ? found : null;
}

/** A member that is a string; null for anything else. */
export function textOrNull(value: unknown, name: string): string | null {
  const found = member(value, name);
  return typeof found === "string" ? found : null;
}

/** A member that must be a number. */
export function numberMember(value: unknown, name: string): number {
  const found = numberOrNull(value, name);
  if (found === null) throw new TypeError(`There is no number "${name}".`);
  return found;
}

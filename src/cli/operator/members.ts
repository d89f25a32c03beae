// Reads what came over the administrative socket, where both ends may be of different versions.

/** A member of an object; undefined where there is none. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** A member that must be text. */
export function textMember(value: unknown, name: string): string {
  const found = member(value, name);
  if (typeof found !== "string") throw new TypeError(`There is no text "${name}".`);
  return found;
}

/** A member that must be a list. */
export function listMember(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  if (!Array.isArray(found)) throw new TypeError(`There is no list "${name}".`);
  return found;
}

/** A member that is a number or absent. */
export function numberOrNull(value: unknown, name: string): number | null {
  const found = member(value, name);
  return typeof found === "number" ? found : null;
}

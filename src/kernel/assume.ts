// Values whose type the compiler cannot see: test them with `isObject`, or assume a type.

/** Casts a value to another type. The caller's comment says why the cast holds. */
export function assume<T>(value: unknown): T {
  return value as T;
}

/** Returns true if the value is an object with members; null and arrays are not. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

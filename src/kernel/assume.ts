// Types that the compiler cannot see: a value of unknown shape is tested, or assumed to have one.

/** The same value as another type. The cast is the caller's claim, and a comment there says why it holds. */
export function assume<T>(value: unknown): T {
  return value as T;
}

/** Whether the value is an object with members: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

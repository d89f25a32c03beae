// The one place where the compiler is overruled. Whoever assumes says in a comment why it holds.

/** The same value as a type that the compiler cannot see it has. The cast is the caller's claim. */
export function assume<T>(value: unknown): T {
  return value as T;
}

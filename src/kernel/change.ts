// A partial update: fields that are given replace the stored ones, all others stay.

/** The fields of a resource that a caller may send. */
export type Change<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The fields that were sent, without those that are undefined. */
export function defined<T extends object>(
  change: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in change) {
    const value = change[key];
    if (isGiven(value)) given[key] = value;
  }
  return given;
}

function isGiven<V>(value: V): value is Exclude<V, undefined> {
  return value !== undefined;
}

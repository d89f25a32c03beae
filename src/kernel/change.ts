// A partial update: fields that are given replace the stored ones, all others stay; and the version of the
// resource that it expects to find.

import { defineRefusal } from "./refusal.ts";

/** The fields of a resource that a caller may send. */
export type Change<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A change as a reader returns it. It names every field, so that a reader that forgets one does not compile. */
export type WholeChange<C> = Required<C>;

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

/** The names of the given fields that differ from those before, in the order of the change. */
export function differing<T extends object>(before: T, given: Partial<T>): (keyof T)[] {
  const names: (keyof T)[] = [];
  for (const name in given) {
    if (!Bun.deepEquals(given[name], before[name])) names.push(name);
  }
  return names;
}

function isGiven<V>(value: V): value is Exclude<V, undefined> {
  return value !== undefined;
}

export const staleVersion = defineRefusal("stale_version", "stale", {
  title: "The resource has changed since you read it.",
  cause:
    "`If-Match` names another version than the current one (`current_version`): the resource was changed in between.",
  remedy: "Retrieve the resource, apply the change to it, and send its new `ETag`.",
  example: { detail: "The current version is 8.", members: { current_version: 8 } },
});

/** The versions a caller accepts; null means any (RFC 9110, If-Match). */
export type ExpectedVersion = readonly number[] | null;

/** Refuses with `stale_version` unless the current version is among those expected. */
export function requireVersion(current: number, expected: ExpectedVersion): void {
  if (expected === null || expected.includes(current)) return;
  throw staleVersion({
    detail: `The current version is ${current}.`,
    members: { current_version: current },
  });
}

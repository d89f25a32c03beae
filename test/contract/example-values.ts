// Examples as they are stored: what differs from run to run is fixed, and long lists are cut.

import { isObject } from "#kernel/assume.ts";

/** Entries of a list in an example. */
const ENTRIES_MAX = 2;
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const SECRETS: readonly [RegExp, string][] = [
  [/\b(test|live)_sk_\w+/g, "$1_sk_example"],
  [/\bwhsec_[\w+/=]+/g, "whsec_example"],
  [/\bcst_\w+/g, "cst_example"],
];

/** The value with ids, secrets and addresses that are the same in every run. */
export function asExample<T>(value: T, url: string): unknown {
  const ids = new Map<string, string>();
  const fixedId = (id: string, prefix: string) => {
    const known = ids.get(id) ?? `${prefix}_01kddr9c00${counted(ids.size + 1)}`;
    ids.set(id, known);
    return known;
  };
  const cut = JSON.stringify(value, (_, one: unknown) =>
    Array.isArray(one) ? one.slice(0, ENTRIES_MAX) : one,
  );
  let text = cut
    .replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, fixedId)
    // The folder of a file is the end of its id.
    .replaceAll(/\/..\/(med_\w+(\w\w))-/g, "/$2/$1-")
    .replaceAll(url, "http://localhost:4000");
  for (const [secret, shown] of SECRETS) text = text.replaceAll(secret, shown);
  return JSON.parse(text);
}

function counted(nth: number): string {
  let text = "";
  for (let left = nth; left > 0; left = Math.floor(left / 32))
    text = `${LETTERS[left % 32]}${text}`;
  return text.padStart(16, "0");
}

/**
 * The pointers at which two values differ in names or types. Lists are compared by their first entries:
 * how many timers fire in an advance, for one, depends on which deliveries were made before it.
 */
export function shapeDifferences(one: unknown, other: unknown, pointer = ""): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    const isComparable = one.length > 0 && other.length > 0;
    return isComparable ? shapeDifferences(one[0], other[0], `${pointer}/0`) : [];
  }
  if (!isObject(one) || !isObject(other)) return kindOf(one) === kindOf(other) ? [] : [pointer];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    shapeDifferences(one[name], other[name], `${pointer}/${name}`),
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

// An API key in a shopkeeper's words: what it may do, until when, by whom it was made.

import type { Static } from "typebox";

import type { apiKeyWire } from "#shop/keys/schema.ts";
import { findPersonNames } from "#shop/people/lookups.ts";

import { nearOf, type Now, shortDayOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

export type Key = Static<(typeof apiKeyWire)["schema"]>;

const { keys } = en;
const presetWords: Readonly<Record<string, string>> = keys.presets;
const nounWords: Readonly<Record<string, string>> = keys.nouns;
const actWords: Readonly<Record<string, string>> = keys.acts;

/** What the grants allow: `Orders: see, change · Stock: see`. */
export function mayOf(scopes: readonly string[]): string {
  const presets = scopes.flatMap((scope) => presetWords[scope] ?? []);
  const byNoun = Map.groupBy(
    scopes.filter((scope) => scope.includes(":")),
    nounOf,
  );
  const nouns = [...byNoun].map(
    ([noun, of]) => `${nounWords[noun] ?? noun}: ${of.map(actWordOf).join(", ")}`,
  );
  return [...presets, ...nouns].join(" · ");
}

/** `orders` of `orders:read`. */
export function nounOf(scope: string): string {
  return scope.split(":")[0] ?? "";
}

/** `see` of `orders:read`. */
export function actWordOf(scope: string): string {
  const act = scope.split(":")[1] ?? "";
  return actWords[act] ?? act;
}

/** Whether the key still opens something, in real time. */
export function isInForce(key: Key, { now }: Now): boolean {
  return key.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > now);
}

/** When the key ends or ended; null if it does not. */
export function endOf(key: Key, when: Now): string | null {
  if (key.revoked_at !== null) return keys.revoked(shortDayOf(key.revoked_at, when));
  if (key.expires_at === null) return null;
  // The end is the first instant of the day after.
  const day = shortDayOf(Date.parse(key.expires_at) - 1, when);
  return isInForce(key, when) ? keys.until(day) : keys.expired(day);
}

/** `14:05` today, or the day; null if it was never used. */
export function lastUsedOf({ last_used_at: at }: Key, when: Now): string | null {
  return at === null ? null : nearOf(at, when);
}

/** The names of who made each of the keys. */
export async function makersOf(
  { people }: Visit,
  keysShown: readonly Key[],
): Promise<(key: Key) => string> {
  const ids = keysShown.flatMap(({ created_by: maker }) =>
    maker?.type === "person" && maker.id !== null ? [maker.id] : [],
  );
  const names = await findPersonNames(people.database.read, ids);
  return ({ created_by: maker }) => {
    if (maker === null) return keys.makers.system;
    const keyName = keysShown.find(({ id }) => id === maker.id)?.name;
    return names.get(maker.id ?? "") ?? keyName ?? keys.makers[maker.type];
  };
}

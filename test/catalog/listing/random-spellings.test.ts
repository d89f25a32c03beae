// One wrong letter anywhere in a word is mended, whichever words a shop has.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { keysOf, nearestWords } from "#catalog/listing/spellings.ts";
import { hasPlural } from "#platform/database/search/words.ts";

import { runs, seedOfRun } from "../../support/runs.ts";
import { sharedShop } from "../../support/shop.ts";

const syllable = fc.constantFrom(
  ..."ba ke lo mi nu ra sti tro wen shi kof gre pla dan é ün".split(" "),
);
const word = fc
  .array(syllable, { minLength: 2, maxLength: 6 })
  .map((syllables) => syllables.join(""))
  .filter((one) => one.length > 4);
const [words = []] = fc.sample(fc.uniqueArray(word, { minLength: 400, maxLength: 400 }), {
  seed: seedOfRun(),
  numRuns: 1,
});

interface Typed {
  readonly meant: string;
  readonly typed: string;
}

const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
const mistakes: readonly ((letters: string[], at: number, other: string) => unknown)[] = [
  (letters, at, other) => letters.splice(at, 0, other),
  (letters, at) => letters.splice(at, 1),
  (letters, at, other) => letters.splice(at, 1, other),
  (letters, at) => letters.splice(at, 2, letters[at + 1] ?? "", letters[at] ?? ""),
];
const misspelled = fc
  .tuple(fc.constantFrom(...words), fc.nat(), letter, fc.constantFrom(...mistakes))
  .map(([meant, place, other, mistake]): Typed => {
    const letters = [...meant];
    mistake(letters, place % letters.length, other);
    return { meant, typed: letters.join("") };
  });

const typedOften = (count: number) => fc.sample(misspelled, { seed: seedOfRun(), numRuns: count });

test("of words with one error at least 99 in 100 are found by their keys, and told by the nearest", () => {
  const byKey = new Map<string, string[]>();
  for (const one of words)
    for (const key of keysOf(one)) byKey.set(key, [...(byKey.get(key) ?? []), one]);
  const all = typedOften(runs(500));

  const found = all.filter(({ meant, typed }) => {
    const candidates = [...new Set(keysOf(typed).flatMap((key) => byKey.get(key) ?? []))];
    return nearestWords(typed, candidates).includes(meant);
  });

  expect(found.length).toBeGreaterThanOrEqual(all.length * 0.99);
});

const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");
const known = words.map(folded);
/** Every second word is one of goods that are sold, the others are of drafts. */
const sold = known.filter((_, at) => at % 2 === 0);

/** The word that is meant among those that someone sees; null if what was typed begins one of them, or none is near. */
function meantBy(typed: string, seen: readonly string[]): string | null {
  const begins = (beginning: string) => seen.some((one) => one.startsWith(beginning));
  if (typed.length < 4 || begins(typed)) return null;
  const keys = new Set(keysOf(typed));
  const alike = known.filter((one) => begins(one) && keysOf(one).some((key) => keys.has(key)));
  return nearestWords(typed, alike)[0] ?? null;
}

const shop = sharedShop();

test("a shop corrects them as the rule says on every engine, by the words that its caller may see", async () => {
  for (const [status, first] of [
    ["active", 0],
    ["draft", 1],
  ] as const) {
    const own = words.filter((_, at) => at % 2 === first);
    for (let at = 0; at < own.length; at += 40) {
      await shop.post("/v2/products", { name: "Goods", status, tags: own.slice(at, at + 40) });
    }
  }
  const visitor = await shop.createKey({ scopes: ["storefront"] });
  // A plural may be found by its singular, which is another rule.
  const all = typedOften(runs(30))
    .map(({ typed }) => folded(typed))
    .filter((typed) => !hasPlural(typed));

  for (const [key, seen] of [
    [shop.key, known],
    [visitor, sold],
  ] as const) {
    const corrected: Record<string, unknown> = {};
    for (const typed of all) {
      const page = await shop.get(`/v2/products?limit=1&q=${typed}`, { key });
      corrected[typed] = page.at("/corrected_q");
      const isFound = page.list("/data").length > 0;
      expect(isFound).toBe(corrected[typed] !== null || seen.some((one) => one.startsWith(typed)));
    }
    expect(corrected).toEqual(
      Object.fromEntries(all.map((typed) => [typed, meantBy(typed, seen)])),
    );
  }
});

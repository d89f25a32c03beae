// One wrong letter anywhere in a word is mended, whichever words a shop has.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { keysOf, nearestWords } from "#catalog/listing/spellings.ts";

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

const shop = sharedShop();

test("a shop corrects them to a word that is as near, and leaves beginnings of its words", async () => {
  const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const known = words.map(folded);
  for (let at = 0; at < words.length; at += 40) {
    await shop.post("/v2/products", { name: "Goods", tags: words.slice(at, at + 40) });
  }
  const all = typedOften(runs(30)).map(({ meant, typed }) => ({
    meant: folded(meant),
    typed: folded(typed),
  }));

  const answers: Typed[] = [];
  for (const { meant, typed } of all) {
    const page = await shop.get(`/v2/products?limit=1&q=${typed}`);
    const isKnown = known.some((one) => one.startsWith(typed));
    expect(page.at("/corrected_q") === null).toBe(isKnown || typed.length < 4);
    if (page.at("/corrected_q") !== null)
      answers.push({ meant, typed: page.string("/corrected_q") });
    else expect(page.list("/data").length).toBe(1);
  }

  expect(answers.length).toBeGreaterThan(all.length / 2);
  expect(answers.every(({ typed }) => known.includes(typed))).toBe(true);
  const exact = answers.filter(({ meant, typed }) => meant === typed);
  expect(exact.length).toBeGreaterThan(answers.length * 0.8);
});

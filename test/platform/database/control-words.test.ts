// Plain words find what they found by their beginnings alone, and hardly more: spellings join and split words of their own.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { hasPlural, indexedWords } from "#platform/database/search/words.ts";

import { searching } from "../../support/search-model.ts";

const guides = join(import.meta.dir, "../../../src/guides");
const texts = readdirSync(guides)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => readFileSync(join(guides, name), "utf8").split("\n\n"))
  .filter((text) => /^\w/.test(text))
  .slice(0, 300);

const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const known = texts.map((text) => new Set(wordsIn(text)));
const indexed = texts.map(indexedWords);
const all = [...new Set(texts.flatMap(wordsIn))].filter((word) => word.length > 2);
const plain = all.filter((word) => !hasPlural(word)).toSorted();
/** From all of the alphabet, also digits and words that are joined to others. */
const controls = plain.filter((_, at) => at % Math.floor(plain.length / 200) === 0).slice(0, 200);

test("200 words gain at most three hits each, and lose none", () => {
  const changes = controls.map((q) => {
    const before = known.map((words) => words.values().some((word) => word.startsWith(q)));
    const after = indexed.map(searching({ q, orSingular: true }));
    const lost = before.filter((was, at) => was && after[at] !== true).length;
    const gained = after.filter((is, at) => is && before[at] !== true).length;
    return { q, lost, gained };
  });

  expect(controls.length).toBe(200);
  expect(changes.filter(({ lost, gained }) => lost > 0 || gained > 3)).toEqual([]);
});

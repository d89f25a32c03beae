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
/**
 * Of the whole alphabet, also digits. None has a singular, or letters and digits, which spellings are there for. They stay
 * the same whatever the guides say.
 */
const controls = `
  000 100 254710000000 401 500 abandoned accepted add adopting against alert already and answer
  anyway application archived aside attention automatic axllent bank bearer beforeall being
  between blocked bounded bucket busy cached can cannot catalog change channel checkout chosen
  click closest color committed completing connect contact cookie cost country ctrl côte day
  decision defaultchecked delete deposit did disabled disputed duka edge elsewhere
  encodeuricomponent english environment error everyone exactly exempt expired fail fatal few file
  first flood forgot forvisitor frame from gave give goto half have here home how ignore indexing
  input instanceof integration invalid ipv6 jar keep kind lack late leave less lib linen little
  localstorage login lose made main mark masked meant median message migrate minio misspelled
  money moved name need network newest nil note now object old only operating orange other output
  owner part path payout percent pesa ping played pooler postgresql priced probe product proof
  provider published question rate read really reconciliation reduced refusal release report
  response retention returning right row sale say scope second seed sendcode separator service
  seven shell shop signature simulated small some sort spelled stackable start stderr still stored
  strip subject swahili tag target ten text them they three tier today took transaction true
`
  .trim()
  .split(/\s+/);

test("200 words gain at most three hits each, and lose none", () => {
  const changes = controls.map((q) => {
    const before = known.map((words) => words.values().some((word) => word.startsWith(q)));
    const after = indexed.map(searching({ q, orSingular: true }));
    const lost = before.filter((was, at) => was && after[at] !== true).length;
    const gained = after.filter((is, at) => is && before[at] !== true).length;
    return { q, lost, gained };
  });

  expect(new Set(controls).size).toBe(200);
  expect(controls.filter(hasPlural)).toEqual([]);
  expect(changes.filter(({ lost, gained }) => lost > 0 || gained > 3)).toEqual([]);
});

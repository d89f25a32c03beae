// Texts that an older version indexed are found as they were until they are indexed anew, a part at a time.

import { expect, test } from "bun:test";

import type { Reader } from "#platform/database/database.ts";
import { prepared } from "#platform/database/prepared.ts";
import { indexText, matchingSubjects } from "#platform/database/search.ts";
import {
  findRebuilds,
  type IndexedTexts,
  rebuildNext,
  termsFor,
} from "#platform/database/search/rebuild.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { openTestDatabase } from "../../support/database.ts";
import { indexAsBefore } from "../../support/former-search.ts";

const matching = prepared<{ terms: string }>()((db, at) => matchingSubjects(db, at.terms));

async function find(db: Reader, q: string): Promise<string[]> {
  const rows = await matching(db, { terms: await termsFor(db, "products", { q }) });
  return rows.map(({ subject }) => subject).toSorted();
}

const texts: Readonly<Record<string, string>> = {
  a: "Καφές φίλτρου",
  b: "Ёлка, Йод",
  c: "हिन्दी किताब",
  d: "Café Wi-Fi",
  e: "ｺｰﾋｰ",
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${10 + n}`, `Mug ${n}`])),
};
const subjects = Object.keys(texts).toSorted();

/** The texts of the shelf, as a noun reads its own. */
const shelf: IndexedTexts = {
  kind: "products",
  textsAfter: async (_, { after, rows }) =>
    subjects
      .filter((subject) => subject > after)
      .slice(0, rows)
      .map((subject) => ({ subject, text: texts[subject] ?? "" })),
};

/** A shelf of before, right after its migration. */
async function openFormerShelf() {
  const opened = await openTestDatabase();
  await indexAsBefore(opened.folder, "products", texts);
  await tamper(
    opened.folder,
    `INSERT INTO search_rebuilds (kind, after, done, total) VALUES ('products', '', 0, ${subjects.length})`,
  );
  return opened;
}

const asBefore: readonly (readonly [string, string[]])[] = [
  ["καφές", ["a"]],
  ["ΦΊΛΤΡΟΥ", ["a"]],
  ["ёлка йод", ["b"]],
  ["हिन्दी", ["c"]],
  ["किता", ["c"]],
  ["café wi-fi", ["d"]],
  ["ｺｰﾋｰ", ["e"]],
  ["mug 7", ["f17"]],
];

test("until then a text is found by its words as they were", async () => {
  await using opened = await openFormerShelf();

  for (const [q, found] of asBefore) expect(await find(opened.database.read, q)).toEqual(found);
  expect(await find(opened.database.read, "καφες")).toEqual([]);
});

test("meanwhile those of before and those that were indexed anew are found", async () => {
  await using opened = await openFormerShelf();
  const { database } = opened;
  await database.write((tx) => rebuildNext(tx, shelf));
  await database.write((tx) => indexText(tx, { kind: "products", subject: "z" }, "Φίλτρο"));

  for (const [q, found] of asBefore.slice(2)) expect(await find(database.read, q)).toEqual(found);
  expect(await find(database.read, "ΦΙΛΤΡΟ")).toEqual(["a", "z"]);
  expect(await find(database.read, "mug 59")).toEqual(["f69"]);
  expect(await findRebuilds(database.read)).toEqual([
    { kind: "products", done: 50, total: subjects.length },
  ]);
});

test("afterwards each is found by its new words alone, and nothing is left to do", async () => {
  await using opened = await openFormerShelf();
  const { database } = opened;
  for (let part = 0; part < 3; part += 1) await database.write((tx) => rebuildNext(tx, shelf));

  expect(await findRebuilds(database.read)).toEqual([]);
  expect(await termsFor(database.read, "products", { q: "καφές" })).not.toContain("καφέ");
  for (const [q, found] of asBefore) expect(await find(database.read, q)).toEqual(found);
  for (const [q, found] of [
    ["καφες", ["a"]],
    ["елка", ["b"]],
    ["wifi", ["d"]],
    ["コーヒー", ["e"]],
  ] as const) {
    expect(await find(database.read, q)).toEqual([...found]);
  }
  await database.write((tx) => rebuildNext(tx, shelf));
  expect(await findRebuilds(database.read)).toEqual([]);
});

test("a part that fails is done again from where it began", async () => {
  await using opened = await openFormerShelf();
  const { database } = opened;
  await database
    .write(async (tx) => {
      await rebuildNext(tx, shelf);
      throw new Error("no room");
    })
    .catch(() => null);

  expect(await findRebuilds(database.read)).toMatchObject([{ done: 0 }]);
  expect(await find(database.read, "καφες")).toEqual([]);
  expect(await find(database.read, "καφές")).toEqual(["a"]);
});

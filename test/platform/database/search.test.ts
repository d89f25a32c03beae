// Search finds the texts that hold all words of the query, and treats no word as a command.

import { expect, test } from "bun:test";

import fc from "fast-check";

import type { Database, Reader } from "#platform/database/database.ts";
import { prepared } from "#platform/database/prepared.ts";
import {
  forgetText,
  indexText,
  matchingSubjects,
  type SearchKind,
  searchTerms,
} from "#platform/database/search.ts";

import { openTestDatabase } from "../../support/database.ts";

const subjects = prepared<{ terms: string }>()((db, at) => matchingSubjects(db, at.terms));

async function find(db: Reader, query: string, kind: SearchKind = "products"): Promise<string[]> {
  const rows = await subjects(db, { terms: searchTerms(kind, query) });
  return rows.map((row) => row.subject).toSorted();
}

const shelf = {
  mug: "Café mug, blue, SKU MUG-001 and more",
  plate: "Café plate: white or not",
  tee: "T-shirt with the words NEAR and kind, in Größe M",
};

/** A store whose shelf can be searched, and a customer. */
async function openShelf() {
  const opened = await openTestDatabase();
  await opened.database.write(async (tx) => {
    for (const [subject, body] of Object.entries(shelf)) {
      await indexText(tx, { kind: "products", subject }, body);
    }
    await indexText(tx, { kind: "customers", subject: "ada" }, "Ada Mug ada@example.com");
  });
  return opened;
}

const write = (database: Database, subject: string, body: string) =>
  database.write((tx) => indexText(tx, { kind: "products", subject }, body));

test.each([
  ["Łukasz Nowak", "lukasz"],
  ["Łukasz Nowak", "łukasz"],
  ["Lukasz Nowak", "Łukasz"],
  ["Bjørn Ærø", "aero bjorn"],
  ["Große Straße", "strasse"],
  ["Große Straße", "STRASSE GROẞE"],
  ["Đặng Thị", "dang"],
  ["Ɛsi Ŋkansa", "esi nkansa"],
  ["Nana Ɔsei", "osei"],
  ["陶瓷马克杯（蓝色）", "马克杯"],
  ["陶瓷马克杯（蓝色）", "陶瓷 蓝"],
  ["陶瓷马克杯", "杯"],
  ["東京タワーの模型", "タワー"],
  ["A4纸张", "a4 纸"],
  ["أحمد", "احمد"],
  ["مُحَمَّد", "محمد"],
  ["مكتبة", "مكتبه"],
  ["شَـاي", "شاي"],
  ["שָׁלוֹם", "שלום"],
])("%s is found by %s", async (name, query) => {
  await using opened = await openTestDatabase();
  await write(opened.database, "person", name);

  expect(await find(opened.database.read, query)).toEqual(["person"]);
});

test.each<[string, string, string[]]>([
  ["a word", "mug", ["mug"]],
  ["a word of two", "café", ["mug", "plate"]],
  ["a word in capitals", "PLATE", ["plate"]],
  ["a word without its accent", "cafe", ["mug", "plate"]],
  ["an accent of its own code point", "cafe\u0301", ["mug", "plate"]],
  ["an accent the text has not", "müg", ["mug"]],
  ["the beginning of a word", "pla", ["plate"]],
  ["one letter", "b", ["mug"]],
  ["the end of a word", "late", []],
  ["all of the words", "blue café", ["mug"]],
  ["words of which one does not occur", "blue plate", []],
  ["the beginnings of words", "whi caf", ["plate"]],
  ["an SKU", "MUG-001", ["mug"]],
  ["the number of an SKU", "001", ["mug"]],
  ["nothing", "", []],
  ["spaces", "   ", []],
  ["punctuation", "-- !? *", []],
  ["an accent alone", "\u0301", []],
  ["a vowel sign alone", "\u064b", []],
  ["a stretch of Arabic alone", "\u0640", []],
  ["a word and punctuation", "mug !", ["mug"]],
])("%s finds what it should", async (_, query, expected) => {
  await using opened = await openShelf();

  expect(await find(opened.database.read, query)).toEqual(expected);
});

test.each<[string, string[]]>([
  ["mug AND blue", ["mug"]],
  ["mug AND plate", []],
  ["mug OR plate", []],
  ["white or not", ["plate"]],
  ["mug NOT blue", []],
  ["NEAR", ["tee"]],
  ["NEAR(words kind)", ["tee"]],
  ['"mug"', ["mug"]],
  ['"mug', ["mug"]],
  ["'mug'; DROP TABLE events", []],
  ["(mug", ["mug"]],
  ["mug)", ["mug"]],
  ["mug*", ["mug"]],
  ["*", []],
  ["^mug", ["mug"]],
  ["mug + blue", ["mug"]],
  ["-mug", ["mug"]],
  ["body:mug", []],
  ["kind:products", []],
  ["kind : customers", []],
  ["{body kind}: mug", []],
  ["products", []],
  ["nothing", []],
  ["mug\0", ["mug"]],
])("%j is words and no command", async (query, expected) => {
  await using opened = await openShelf();

  expect(await find(opened.database.read, query)).toEqual(expected);
});

test("characters that stand apart in a text are no word of it", async () => {
  await using opened = await openTestDatabase();
  await write(opened.database, "mug", "陶瓷马克杯");

  expect(await find(opened.database.read, "瓷克")).toEqual([]);
  expect(await find(opened.database.read, "马克杯子")).toEqual([]);
});

test("a long query without spaces is an ordinary one", async () => {
  await using opened = await openTestDatabase();
  const text = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("");
  await write(opened.database, "sutra", text);

  expect(await find(opened.database.read, text.slice(20))).toEqual(["sutra"]);
});

test("no query text is an error", async () => {
  await using opened = await openShelf();

  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (query) => {
      expect(Array.isArray(await find(opened.database.read, query))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a text is found by each of its words, and by their beginnings", async () => {
  await using opened = await openTestDatabase();
  const word = fc.stringMatching(/^[a-zà-öA-Z0-9]{1,12}$/);

  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), async (words) => {
      await write(opened.database, "it", words.join(" "));

      const beginnings = words.map((one) => one.slice(0, 1 + Math.floor(one.length / 2)));
      expect(await find(opened.database.read, words.join(", "))).toEqual(["it"]);
      expect(await find(opened.database.read, beginnings.join(" "))).toEqual(["it"]);
    }),
    { numRuns: 100 },
  );
});

test("each kind of thing is searched by itself", async () => {
  await using opened = await openShelf();

  expect(await find(opened.database.read, "mug", "products")).toEqual(["mug"]);
  expect(await find(opened.database.read, "mug", "customers")).toEqual(["ada"]);
  expect(await find(opened.database.read, "ada@example.com", "customers")).toEqual(["ada"]);
});

test("a text that changed is found by its new words only", async () => {
  await using opened = await openShelf();

  await write(opened.database, "mug", "Beaker, blue");

  expect(await find(opened.database.read, "mug")).toEqual([]);
  expect(await find(opened.database.read, "beaker blue")).toEqual(["mug"]);
});

test("a removed text is not found, and can be added again", async () => {
  await using opened = await openShelf();
  const { database } = opened;

  await database.write((tx) => forgetText(tx, { kind: "products", subject: "mug" }));
  expect(await find(database.read, "blue")).toEqual([]);
  expect(await find(database.read, "café")).toEqual(["plate"]);

  await write(database, "bowl", "A bowl, blue");
  await write(database, "mug", "A mug again, blue");
  expect(await find(database.read, "blue")).toEqual(["bowl", "mug"]);
});

test("removing a text that was never added changes nothing", async () => {
  await using opened = await openShelf();

  await opened.database.write((tx) => forgetText(tx, { kind: "products", subject: "unknown" }));

  expect(await find(opened.database.read, "café")).toEqual(["mug", "plate"]);
});

test("the text of a refused story is not found", async () => {
  await using opened = await openShelf();
  const { database } = opened;

  await database
    .write(async (tx) => {
      await indexText(tx, { kind: "products", subject: "mug" }, "Beaker");
      throw new Error("refused");
    })
    .catch(() => null);

  expect(await find(database.read, "beaker")).toEqual([]);
  expect(await find(database.read, "mug")).toEqual(["mug"]);
});

test("a query of a thousand words is looked at for as many as are useful", async () => {
  await using opened = await openShelf();
  const many = Array.from({ length: 16 }, () => "mug").concat(Array(1000).fill("nowhere"));

  expect(await find(opened.database.read, many.join(" "))).toEqual(["mug"]);
});

// Search in the words of the shop: whichever script, accents, signs and width a name is written in, it is found by what
// people type, on both engines alike.

import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import type { Reader } from "#platform/database/database.ts";
import { prepared } from "#platform/database/prepared.ts";
import { bothTerms, indexText, matchingSubjects, searchTerms } from "#platform/database/search.ts";
import type { AskedWords } from "#platform/database/search/words.ts";

import { openTestDatabase } from "../../support/database.ts";
import { runs } from "../../support/runs.ts";
import { isFound } from "../../support/search-model.ts";

const matching = prepared<{ terms: string }>()((db, at) => matchingSubjects(db, at.terms));

async function find(db: Reader, ...queries: readonly (string | AskedWords)[]): Promise<string[]> {
  const rows = await matching(db, { terms: searchTerms("products", ...queries) });
  return rows.map(({ subject }) => subject).toSorted();
}

/** A shelf whose names are their own subjects. */
async function openShelf(names: readonly string[]) {
  const opened = await openTestDatabase();
  await opened.database.write(async (tx) => {
    for (const name of names) await indexText(tx, { kind: "products", subject: name }, name);
  });
  return opened;
}

const names = [
  // Greek
  "Καφές φίλτρου",
  "ΚΟΥΠΑ ΜΕ ΛΟΓΟΤΥΠΟ",
  "Μαΐστρος ανεμιστήρας",
  // Cyrillic
  "Ёлка новогодняя",
  "Йогурт питьевой",
  "Кисело мляко й козе",
  "М’ята сушена, їжа",
  // Latin letters
  "Łyżka żeliwna",
  "Smørrebrød på fad",
  "Đèn lồng phố cổ",
  "Işık lambası İSTANBUL",
  "Grünkohl frisch",
  "Größe Straße",
  "Ærø skål",
  "Garçon naïf à l’œuvre",
  "ﬁlter ｃａｒｔｒｉｄｇｅ № ７",
  "Col·lecció d'hivern",
  // Without blanks
  "กาแฟคั่วบด ตราช้าง",
  "ກາເຟລາວ",
  "កាហ្វេខ្មែរ",
  "မြန်မာလက်ဖက်",
  "陶瓷马克杯",
  "ｺｰﾋｰﾒｰｶｰ",
  "ガラスのコップ",
  // Marks that are letters
  "हिन्दी की किताब",
  "बेंगाली कमल",
  // Hebrew and Arabic
  "שָׁלוֹם כּוֹס",
  "ספל-קפה",
  "فنجان قَهْوَة مُلَوَّن",
  "إبريق شاي مسؤول",
  "کتاب‌ها",
  // Together and apart
  "Wi-Fi router",
  "T‑shirt, plain",
  "Cable KT-INS114-DRE",
  "Café Nescafé 500ml",
  "Bottle 750 ml",
  "O’Hara's and/or",
  "USB_C hub 3.0",
  "Nike™ Air",
  "Lamp ٣ watt",
  "Müesli",
  "Shorts",
  "Shoe",
];

let shelf: Awaited<ReturnType<typeof openShelf>>;
beforeAll(async () => {
  shelf = await openShelf(names);
});
afterAll(() => shelf[Symbol.asyncDispose]());

test.each<[query: string, expected: readonly string[]]>([
  ["καφες", ["Καφές φίλτρου"]],
  ["ΚΑΦΕΣ", ["Καφές φίλτρου"]],
  ["Καφέ", ["Καφές φίλτρου"]],
  ["καφεσ φιλτρου", ["Καφές φίλτρου"]],
  ["κούπα", ["ΚΟΥΠΑ ΜΕ ΛΟΓΟΤΥΠΟ"]],
  ["λογότυπο", ["ΚΟΥΠΑ ΜΕ ΛΟΓΟΤΥΠΟ"]],
  ["μαιστρος", ["Μαΐστρος ανεμιστήρας"]],
  ["ΑΝΕΜΙΣΤΉΡΑΣ", ["Μαΐστρος ανεμιστήρας"]],
  ["елка", ["Ёлка новогодняя"]],
  ["ЁЛКА", ["Ёлка новогодняя"]],
  ["йогурт", ["Йогурт питьевой"]],
  ["ЙОГУРТ питьевои\u0306", ["Йогурт питьевой"]],
  ["иогурт", []],
  ["и", []],
  ["мята", ["М’ята сушена, їжа"]],
  ["м'ята", ["М’ята сушена, їжа"]],
  ["мʼята іжа", ["М’ята сушена, їжа"]],
  ["lyzka", ["Łyżka żeliwna"]],
  ["ŁYŻKA ZELIWNA", ["Łyżka żeliwna"]],
  ["smorrebrod", ["Smørrebrød på fad"]],
  ["smoerrebroed", ["Smørrebrød på fad"]],
  ["SMØRREBRØD", ["Smørrebrød på fad"]],
  ["den long", ["Đèn lồng phố cổ"]],
  ["ĐÈN phố", ["Đèn lồng phố cổ"]],
  ["isik", ["Işık lambası İSTANBUL"]],
  ["IŞIK LAMBASI", ["Işık lambası İSTANBUL"]],
  ["istanbul ışık", ["Işık lambası İSTANBUL"]],
  ["grünkohl", ["Grünkohl frisch"]],
  ["gru\u0308nkohl", ["Grünkohl frisch"]],
  ["grunkohl", ["Grünkohl frisch"]],
  ["GRUENKOHL", ["Grünkohl frisch"]],
  ["strasse groesse", ["Größe Straße"]],
  ["STRAẞE", ["Größe Straße"]],
  ["aero", ["Ærø skål"]],
  ["skal", ["Ærø skål"]],
  ["garcon naif oeuvre", ["Garçon naïf à l’œuvre"]],
  ["l'œuvre", ["Garçon naïf à l’œuvre"]],
  ["filter cartridge 7", ["ﬁlter ｃａｒｔｒｉｄｇｅ № ７"]],
  ["ﬁlt no７", ["ﬁlter ｃａｒｔｒｉｄｇｅ № ７"]],
  ["colleccio", ["Col·lecció d'hivern"]],
  ["dhivern", ["Col·lecció d'hivern"]],
  ["กาแฟ", ["กาแฟคั่วบด ตราช้าง"]],
  ["คั่ว", ["กาแฟคั่วบด ตราช้าง"]],
  ["ช้าง กาแฟ", ["กาแฟคั่วบด ตราช้าง"]],
  ["บดตรา", []],
  ["กา", ["กาแฟคั่วบด ตราช้าง"]],
  ["ลาว", []],
  ["ລາວ", ["ກາເຟລາວ"]],
  ["ខ្មែរ", ["កាហ្វេខ្មែរ"]],
  ["လက်ဖက်", ["မြန်မာလက်ဖက်"]],
  ["马克杯", ["陶瓷马克杯"]],
  ["コーヒー", ["ｺｰﾋｰﾒｰｶｰ"]],
  ["ﾒｰｶｰ", ["ｺｰﾋｰﾒｰｶｰ"]],
  ["ｶﾞﾗｽ", ["ガラスのコップ"]],
  ["カラス", []],
  ["हिन्दी", ["हिन्दी की किताब"]],
  ["कि", ["हिन्दी की किताब"]],
  ["क", ["बेंगाली कमल", "हिन्दी की किताब"].toSorted()],
  ["कमल", ["बेंगाली कमल"]],
  ["हन्द", []],
  ["שלום", ["שָׁלוֹם כּוֹס"]],
  ["כוס", ["שָׁלוֹם כּוֹס"]],
  ["ספל־קפה", ["ספל-קפה"]],
  ["قهوة", ["فنجان قَهْوَة مُلَوَّن"]],
  ["قهوه ملون", ["فنجان قَهْوَة مُلَوَّن"]],
  ["ابريق", ["إبريق شاي مسؤول"]],
  ["شـــاي مسوول", ["إبريق شاي مسؤول"]],
  ["كتابها", ["کتاب‌ها"]],
  ["wifi", ["Wi-Fi router"]],
  ["WI FI", ["Wi-Fi router"]],
  ["wi–fi", ["Wi-Fi router"]],
  ["tshirt", ["T‑shirt, plain"]],
  ["t-shirt", ["T‑shirt, plain"]],
  ["KTINS114DRE", ["Cable KT-INS114-DRE"]],
  ["kt-ins114dre", ["Cable KT-INS114-DRE"]],
  ["kt ins 114 dre", ["Cable KT-INS114-DRE"]],
  ["114", ["Cable KT-INS114-DRE"]],
  ["ktins115", []],
  ["500 ml", ["Café Nescafé 500ml"]],
  ["750ml", ["Bottle 750 ml"]],
  ["ohara", ["O’Hara's and/or"]],
  ["o'hara", ["O’Hara's and/or"]],
  ["usbc", ["USB_C hub 3.0"]],
  ["usb-c", ["USB_C hub 3.0"]],
  ["nike", ["Nike™ Air"]],
  ["lamp 3", ["Lamp ٣ watt"]],
  ["shoe", ["Shoe"]],
  ["shoes", []],
  ["sho", ["Shoe", "Shorts"]],
])("%s finds what it should", async (query, expected) => {
  expect(await find(shelf.database.read, query)).toEqual([...expected]);
});

test.each<[plural: string, singular: string]>([
  ["mugs", "Mug"],
  ["Boxes", "Box"],
  ["glasses", "Glass"],
  ["shoes", "Shoe"],
  ["berries", "Berry"],
  ["cookies", "Cookie"],
  ["knives", "Knife"],
  ["SHELVES", "Shelf"],
  ["gâteaux", "Gâteau"],
  ["bijoux", "Bijou"],
  ["journaux", "Journal"],
  ["flores", "Flor"],
  ["TVs", "TV"],
  ["t-shirts", "T-Shirt"],
  ["tshirts", "T-Shirt"],
  ["blue mugs", "Mug, blue"],
  ["mugs boxes", "A mug in its box"],
])("where singulars are asked for, %s finds %s", (q, name) => {
  const others = ["Shorts", "Knifelike", "Boxing", "Berrylike", "Muggle"];

  expect([name, ...others].filter((one) => isFound(one, { q }))).toEqual([]);
  expect([name, ...others].filter((one) => isFound(one, { q, orSingular: true }))).toEqual([name]);
});

test.each(["glas s", "bus", "this is as", "s", "chess", "καφές", "кофеs", "114s"])(
  "in %s no beginning of another word is a singular",
  (q) => {
    const others = ["glasgow", "busy", "thinking", "isle", "chest", "114th"];

    expect(others.filter((one) => isFound(one, { q, orSingular: true }))).toEqual(
      others.filter((one) => isFound(one, { q })),
    );
  },
);

test("of two searches that must both match, each has its own words", async () => {
  await using opened = await openShelf(["Mug, blue", "Mug, red", "Bowl, blue"]);
  const terms = bothTerms(
    searchTerms("products", "mug"),
    searchTerms("products", { q: "blues", orSingular: true }),
  );

  const rows = await matching(opened.database.read, { terms });

  expect(rows).toEqual([{ subject: "Mug, blue" }]);
});

const letters = [
  "a b o u s e ä ö ü ß é ñ ø å æ ł đ ı İ ŋ ﬁ Ａ ９",
  "α ά ς σ ΐ Σ ύ ᾳ",
  "е ё и й Й ў ї и\u0306",
  "ا أ إ ة ى ی ک ـ \u064b \u0651 ؤ",
  "ש \u05c1 ל \u05b8 ו ם",
  "क ि ी न ् द \u093c ज",
  "ก า แ ฟ \u0e49 ำ",
  "កា \u17d2 ខ",
  "马 克 杯 の ガ ｶ ﾞ ー",
  "한 국",
  "1 2 0 ٣ ½ ²",
  "- . _ / ' ’ ‑ – · \u200c @ ™ ,",
].map((row) => fc.constantFrom(...row.split(" ")));
const word = fc
  .tuple(
    fc.oneof(...letters),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.oneof(...letters) },
        { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 2 }) },
      ),
      { maxLength: 5 },
    ),
  )
  .map(([first, more]) => first + more.join(""));
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));

test("an engine finds exactly the texts that have the words, whatever the script", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  let nth = 0;

  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.array(text, { maxLength: 4 }),
      fc.boolean(),
      async (given, others, orSingular) => {
        const subjects = given.map((name) => ({ name, subject: `${(nth += 1)}` }));
        await database.write(async (tx) => {
          for (const { name, subject } of subjects)
            await indexText(tx, { kind: "products", subject }, name);
        });
        for (const q of [...given, ...others, ...given.map((one) => one.slice(0, 2))]) {
          const found = new Set(await find(database.read, { q, orSingular }));
          const expected = subjects.filter(({ name }) => isFound(name, { q, orSingular }));
          expect(subjects.filter(({ subject }) => found.has(subject))).toEqual(expected);
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test("a text is found by itself in capitals, without accents, and in full width", () => {
  const variants = [
    (name: string) => name.toUpperCase(),
    (name: string) => name.toLowerCase(),
    (name: string) => name.normalize("NFD"),
    (name: string) =>
      name.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  ];

  const missed = names.flatMap((name) =>
    variants.map((vary) => vary(name)).filter((q) => !isFound(name, { q })),
  );

  expect(missed).toEqual([]);
});

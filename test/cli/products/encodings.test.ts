// The encoding of a file is told by its bytes, said where it is a guess, and named by a person where it is neither.

import { describe, expect, test } from "bun:test";

import { sharedShop } from "../../support/shop.ts";
import { faultsOf, importText, product, warningsOf } from "./import-shop.ts";

const shop = sharedShop();

/** The bytes of a text of which some characters stand for these bytes. */
function bytesOf(text: string, byteOf: Readonly<Record<string, number>> = {}) {
  return new Uint8Array([...text].flatMap((one) => byteOf[one] ?? [...Buffer.from(one)]));
}

/** The bytes of a text in a code page that has its letters in one row, as their codes less the offset. */
function inCodePage(text: string, offset: number) {
  const code = (one: string) => one.codePointAt(0) ?? 0;
  return new Uint8Array([...text].map((one) => (code(one) > 127 ? code(one) - offset : code(one))));
}

const inLatin = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const inWindows1251 = (text: string) => inCodePage(text, 0x0410 - 0xc0);
const head = "slug,name,price\n";

describe("a file of UTF-8 with a few bytes that are none", () => {
  const odd = bytesOf(`${head}bar,Bär,5\ncafe,Caf#,6\ntea,Tee,7\n`, { "#": 0xe9 });

  test("has faults at these bytes, and no other row is another text", async () => {
    const report = await importText(shop, odd);

    expect(faultsOf(report)).toEqual(["3 name invalid_format"]);
    expect(report.faults[0]).toMatchObject({ value: "Caf\u{fffd}" });
    expect(report.faults[0]?.detail).toContain("--encoding windows-1251");
    expect(report).toMatchObject({ applied: false, products: { create: 2, refuse: 1 } });
  });

  test("has its other rows imported with --partial", async () => {
    const report = await importText(shop, odd, { partial: true });

    expect(report).toMatchObject({ applied: true, products: { create: 2 } });
    expect(await product(shop, "bar")).toMatchObject({ name: "Bär" });
  });

  test("may have them in the names of the columns, and in columns that are not read", async () => {
    const named = bytesOf("slug,name,pri#e\nä,Ä,5\n", { "#": 0xe7 });
    const unread = bytesOf("slug,name,colour\nunread,Ä,#\n", { "#": 0xe7 });

    expect(faultsOf(await importText(shop, named))).toContain("1 pri\u{fffd}e invalid_format");
    expect(faultsOf(await importText(shop, unread))).toEqual([]);
  });

  test("may end within a letter", async () => {
    const report = await importText(shop, bytesOf(`${head}end,Fée,#`, { "#": 0xc3 }));

    expect(faultsOf(report)).toEqual(["2 price invalid_format"]);
  });

  test("begins with the mark of UTF-8, or is called so", async () => {
    const marked = bytesOf(`\u{feff}${head}mark,Caf#,6\n`, { "#": 0xe9 });
    const called = bytesOf(`${head}mark,Caf#,6\n`, { "#": 0xe9 });

    expect(faultsOf(await importText(shop, marked))).toEqual(["2 name invalid_format"]);
    expect(faultsOf(await importText(shop, called, { encoding: "utf8" }))).toEqual([
      "2 name invalid_format",
    ]);
  });
});

describe("a file of old Excel", () => {
  test.each([
    "Café crème, à la carte",
    "Bärenfell für Größe Å",
    "El Niño ¿qué tal?",
    "Tom’s 5 £, 20 °C, 12 € ½",
  ])("is read as Windows-1252: %s", async (name) => {
    const slug = `latin-${shop.nextNumber()}`;
    const text = `${head}plain,Plain,1\n${slug},"${name}",5\n`;
    const bytes = inLatin(text.replaceAll("’", "\u0092").replaceAll("€", "\u0080"));

    const report = await importText(shop, bytes);

    expect(await product(shop, slug)).toMatchObject({ name });
    expect(warningsOf(report)).toEqual([
      expect.stringContaining(`Its line 3 is “${slug},"${name}",5”`),
    ]);
  });

  test.each([
    ["windows-1251", inWindows1251("Молоко и хлеб")],
    ["windows-1253", inCodePage("Καφες", 0x0391 - 0xc1)],
    ["koi8-r", new Uint8Array([0xed, 0xcf, 0xcc, 0xcf, 0xcb, 0xcf])],
    ["windows-1250", new Uint8Array([0x7a, 0xb3, 0x6f, 0x74, 0x79])],
    ["macintosh", new Uint8Array([0x43, 0x61, 0x66, 0x8e])],
    ["windows-1255", inCodePage("קפה חם", 0x05d0 - 0xe0)],
  ])("in %s is refused with the likeliest readings", async (encoding, name) => {
    const bytes = new Uint8Array([...bytesOf(`${head}word,`), ...name, ...bytesOf(",5\n")]);
    const refused = importText(shop, bytes).then(
      () => "",
      (error: Error) => error.message,
    );

    expect(await refused).toStartWith("The file is not UTF-8. Its line 2 is “word,");
    expect(await refused).toContain(`in ${encoding}`);
  });
});

describe("--encoding", () => {
  test("names that of the file", async () => {
    const report = await importText(shop, inWindows1251(`${head}milk,Молоко,5\n`), {
      encoding: "windows-1251",
    });

    expect(report).toMatchObject({ applied: true, faults: [], warnings: [] });
    expect(await product(shop, "milk")).toMatchObject({ name: "Молоко" });
  });

  test("names UTF-16 that has no mark", async () => {
    const bytes = new Uint8Array(Buffer.from(`${head}wide,Wide ж,5\n`, "utf16le"));

    const report = await importText(shop, bytes, { encoding: "utf-16le" });

    expect(report).toMatchObject({ applied: true, faults: [] });
  });

  test("that does not suit the file has faults at its bytes", async () => {
    const bytes = bytesOf(`${head}gap,Caf#,5\n`, { "#": 0x81 });

    const report = await importText(shop, bytes, { encoding: "windows-874" });

    expect(report.applied).toBe(true);
    expect(faultsOf(await importText(shop, bytes, { encoding: "shift_jis" }))).toEqual([
      "2 name invalid_format",
    ]);
  });
});

test("a file of UTF-8 may have the character that stands for a lost one", async () => {
  const report = await importText(shop, bytesOf(`${head}lost,Caf\u{fffd},5\n`));

  expect(report).toMatchObject({ applied: true, faults: [], warnings: [] });
});

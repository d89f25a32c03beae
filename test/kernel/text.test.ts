// The forms of texts that people paste.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { identifier, inForm, isSameIdentifier, line } from "#kernel/text.ts";

const families = "\u{1F469}\u200D\u{1F4BB}";
const scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";

describe("a line", () => {
  test.each([
    ["  Mug  ", "Mug"],
    ["Mug\u00A0", "Mug"],
    ["Big  mug", "Big  mug"],
    ["Big\r\nmug", "Big mug"],
    ["Big\u000Bmug\u0085blue", "Big mug blue"],
    ["Big\u2028mug", "Big mug"],
    ["\uFEFFMug\u200B", "Mug"],
    ["\u202A+233551234987\u202C", "+233551234987"],
    ["so\u00ADfa", "sofa"],
    ["e\u0301clair", "\u00E9clair"],
    ["e\u200B\u0301clair", "\u00E9clair"],
    ["می\u200Cخواهم", "می\u200Cخواهم"],
    ["क्\u200Dष", "क्\u200Dष"],
    [families, families],
    [scotland, scotland],
    ["Mug\u{E0067}\u{E0062}", "Mug"],
    ["Mug\u200D", "Mug"],
    ["\u200CMug \u200C x", "Mug  x"],
    ["\u0600\u0661", "\u0600\u0661"],
    ["\u200B\u2060 \u3164", ""],
    [" \t\r\n", ""],
  ])("%j is %j", (typed, kept) => {
    expect(line(typed)).toBe(kept);
  });

  test("keeps U+0000, which is refused", () => {
    expect(line("a\0b")).toBe("a\0b");
  });
});

describe("paragraphs", () => {
  test.each([
    ["One\r\nTwo\rThree\u000BFour\u000CFive\u2028Six\u2029", "One\nTwo\nThree\nFour\nFive\nSix"],
    ["One\n\nTwo \n\n", "One\n\nTwo"],
    ["One\u0007two\u200B", "One two"],
    ["\u200B\n\u200B", ""],
  ])("%j are %j", (typed, kept) => {
    expect(inForm("paragraphs", typed)).toBe(kept);
  });
});

describe("an identifier", () => {
  test.each([
    ["KT\u2011INS\u2013114", "KT-INS-114"],
    ["\u2212\uFE631", "--1"],
    ["\uFF11\uFF12\u0663", "123"],
    ["\u{1D7D9}\u{1D7E2}", "10"],
    ["055\uFE0E 123", "055 123"],
    ["ada\u200B@example.com", "ada@example.com"],
  ])("%j is %j", (typed, kept) => {
    expect(identifier(typed)).toBe(kept);
  });

  test("is the same in capital and small letters", () => {
    expect(isSameIdentifier("sw1a\u20111aa ", "SW1A-1AA")).toBe(true);
    expect(isSameIdentifier(null, "")).toBe(true);
    expect(isSameIdentifier("SW1A", "SW1B")).toBe(false);
  });
});

const anyText = fc.string({ unit: "binary", maxLength: 30 });

test.each(["line", "paragraphs", "identifier"] as const)(
  "the form %s of any text is in that form, and composed",
  (form) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = inForm(form, text);
        expect(inForm(form, once)).toBe(once);
        expect(once.normalize("NFC")).toBe(once);
      }),
      { numRuns: 3_000 },
    );
  },
);

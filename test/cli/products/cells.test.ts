// What is written into a cell is read from it again, and markup becomes text.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { plainText } from "#imports/tables/plain-text.ts";
import { csvRow, joinList, splitList, withoutApostrophe } from "#sheets/sheet.ts";

const words = fc.string({ minLength: 1 }).map((text) => text.trimEnd());
const blanks = fc.stringMatching(/^[ \n\u3000\\|a]{0,6}a$/);
const marks = fc.stringMatching(/^[a5'=+@＝＋－＠|,>\\-]{1,8}$/);

test("values in one cell are the same when they are read", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(words, marks, blanks), { minLength: 1 }), (values) => {
      expect(splitList(joinList(values), "|")).toEqual(values);
    }),
  );
});

test("no text is a formula in a cell, and each is the same when it is read", () => {
  fc.assert(
    fc.property(fc.oneof(words, marks), (text) => {
      const written = csvRow([text]).replace(/\r\n$/, "");
      const cell = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
      expect(cell).not.toMatch(/^[=+@＝＋－＠]/);
      expect(withoutApostrophe(cell)).toBe(text);
    }),
  );
});

test("markup becomes text with its paragraphs and lists", () => {
  const html =
    "<style>p { color: red }</style><h2>Sizes &amp; care</h2><p>5 &lt; 7&nbsp;cm<br>Wash&#8209;cold</p>\n<ul>\n<li>Cotton</li>\n<li>Lined</li>\n</ul><script>alert(1)</script><!-- end -->";

  expect(plainText(html)).toBe("Sizes & care\n\n5 < 7 cm\nWash\u{2011}cold\n- Cotton\n- Lined");
});

// A cursor leads back to its own list only.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { decodeCursor, encodeCursor } from "#platform/http/calls/cursor.ts";

const scope = "test /v2/orders status=open";
const after = "ord_01h455vb4pex5vsknk084sn02q";
const texts = fc.string({ unit: "binary", maxLength: 60 });

test("a cursor fits into a query without escapes", () => {
  const cursor = encodeCursor({ after, scope });

  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
});

test("the same place has the same cursor", () => {
  expect(encodeCursor({ after, scope })).toBe(encodeCursor({ after, scope }));
});

test("a cursor comes back with the value it was made of", () => {
  const values = texts.filter((text) => !text.includes("\0"));

  fc.assert(
    fc.property(values, texts, (value, list) => {
      expect(decodeCursor(encodeCursor({ after: value, scope: list }), list)).toEqual({
        after: value,
      });
    }),
  );
});

test("a value with U+0000 is no place in a list, since nothing in one has it", () => {
  expect(decodeCursor(encodeCursor({ after: "a\0", scope }), scope)).toBeNull();
});

test("a value that begins with a byte order mark comes back whole", () => {
  expect(decodeCursor(encodeCursor({ after: "\ufeffa", scope }), scope)).toEqual({
    after: "\ufeffa",
  });
});

test("a cursor of another list is refused", () => {
  fc.assert(
    fc.property(texts, texts, texts, (value, list, otherList) => {
      fc.pre(list !== otherList);

      expect(decodeCursor(encodeCursor({ after: value, scope: list }), otherList)).toBeNull();
    }),
  );
});

test("a letter moved from the scope into the value is refused", () => {
  const cursor = Buffer.from(encodeCursor({ after: "bc", scope: "a" }), "base64url");
  const moved = Buffer.concat([cursor.subarray(0, 13), Buffer.from("c")]);

  expect(decodeCursor(moved.toString("base64url"), "ab")).toBeNull();
});

test("any changed character is refused", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .é";

  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom(...alphabet), (value, place, character) => {
      const cursor = encodeCursor({ after: value, scope });
      const at = place % cursor.length;
      fc.pre(cursor[at] !== character);

      const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);

      expect(decodeCursor(changed, scope)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

test("a second spelling of the last bits is refused", () => {
  const cursor = encodeCursor({ after: "a", scope });
  const spellings = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];

  const read = spellings.filter((last) => decodeCursor(cursor.slice(0, -1) + last, scope) !== null);

  expect(read).toEqual(cursor.slice(-1).split(""));
});

test.each([
  ["nothing", ""],
  ["a word", "next"],
  ["an id", after],
  ["a cursor cut short", encodeCursor({ after, scope }).slice(0, -1)],
  ["a cursor with padding", `${encodeCursor({ after: "a", scope })}==`],
  ["a cursor with a space", `${encodeCursor({ after, scope })} `],
  ["a cursor twice", encodeCursor({ after, scope }).repeat(2)],
])("%s is no cursor", (_name, text) => {
  expect(decodeCursor(text, scope)).toBeNull();
});

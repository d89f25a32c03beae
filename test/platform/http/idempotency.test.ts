// What makes two requests the same one.

import { describe, expect, test } from "bun:test";

import { Refusal } from "#kernel/refusal.ts";
import { idempotentRequest, type RequestParts } from "#platform/http/calls/idempotency.ts";

import { parseText } from "./json-values.ts";

const caller = { lineage: "key_1", hasPresetFull: false };
const parts: RequestParts = { method: "POST", path: "/v2/orders", search: "", body: {}, caller };

function fingerprint(differing: Partial<RequestParts> & { readonly text?: string }): string {
  const { text, ...rest } = differing;
  const parsed = text === undefined ? null : parseText(text);
  const body = parsed?.ok === true ? { body: parsed.value } : {};
  return idempotentRequest("a", { ...parts, ...body, ...rest })?.fingerprint ?? "";
}

describe("a key is", () => {
  test.each([
    ["abc", "abc"],
    ['"abc"', "abc"],
    ['a"b', 'a"b'],
    ["!", "!"],
    ["~".repeat(255), "~".repeat(255)],
    [`"${"k".repeat(255)}"`, "k".repeat(255)],
    ["a,b", "a,b"],
  ])("%s", (header, key) => {
    expect(idempotentRequest(header, parts)?.key).toBe(key);
  });

  test.each(["", '""', "a b", "a, b", "é", "a\tb", "k".repeat(256), `"${"k".repeat(256)}"`])(
    "not %p",
    (header) => {
      expect(() => idempotentRequest(header, parts)).toThrow(Refusal);
    },
  );

  test("not needed", () => {
    expect(idempotentRequest(null, parts)).toBeNull();
  });
});

describe("a request is the same", () => {
  test("whatever the order of its keys and the white space between them", () => {
    expect(fingerprint({ text: '{"a":1,"b":[1,2]}' })).toBe(
      fingerprint({ text: ' { "b" : [1, 2], "a" : 1.0 } ' }),
    );
  });

  test("whatever the order of its parameters", () => {
    expect(fingerprint({ search: "?a=1&b=2" })).toBe(fingerprint({ search: "?b=2&a=1" }));
  });

  test("with an empty body as with an empty object", () => {
    expect(fingerprint({ body: {} })).toBe(fingerprint({ text: "{}" }));
  });
});

describe("a request is another one", () => {
  test.each([
    ["with another method", { method: "PUT" }],
    ["on another path", { path: "/v2/carts" }],
    ["with a parameter more", { search: "?a=1" }],
    ["with a field more", { text: '{"a":null}' }],
    ["with its list in another order", { text: "[1,2]" }],
    ["with a text instead of a number", { text: '{"a":"1"}' }],
  ])("%s", (_, differing) => {
    expect(fingerprint(differing)).not.toBe(fingerprint({ text: "[2,1]" }));
    expect(fingerprint(differing)).not.toBe(fingerprint({ text: '{"a":1}' }));
    expect(fingerprint(differing)).not.toBe(fingerprint({}));
  });

  test("when one parameter holds what looks like two", () => {
    expect(fingerprint({ search: "?a=1%26b=2" })).not.toBe(fingerprint({ search: "?a=1&b=2" }));
  });
});

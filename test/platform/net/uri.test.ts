// URIs are read strictly, and in one pass.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";
import { IsUri } from "typebox/format";

import { isUri } from "#platform/net/target-url.ts";

import { runs } from "../../support/runs.ts";

describe("a URI is", () => {
  test.each([
    "https://shop.example",
    "https://shop.example/thanks?order=1&x=",
    "https://shop.example:8443/a%20b/;c=1,2#top",
    "http://[::1]:4000/",
    "https://ada:secret@[2001:db8::1]/",
    "https://xn--caf-dma.example/",
    "mailto:ada@shop.example",
  ])("%s", (text) => {
    expect(isUri(text)).toBe(true);
  });

  test.each([
    "",
    "/thanks",
    "shop.example",
    "https://",
    "https://shop.example/a b",
    "https://café.example/",
    "https://shop.example/%zz",
    "https://shop.example/a#b#c",
    "https://shop.example/?x[0]=1",
    "https://shop.example:99999/",
    "https://[::1/",
    "https://[::1:]/",
    "https://[shop]/",
    "https://[::1]x/",
    "https://shop.example\\@evil.example/",
    "https://shop.example/\n",
    "https://a@b@shop.example/",
  ])("not %j", (text) => {
    expect(isUri(text)).toBe(false);
  });
});

test("what is taken fits RFC 3986", () => {
  const pieces = fc.constantFrom(
    ..."https:// / ? # @ : [ ] ::1 %41 % a .b 9 [::1] é \\ &=".split(" "),
  );

  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = `https://${parts.join("")}`;
      if (isUri(text)) expect(IsUri(text)).toBe(true);
    }),
    { numRuns: runs(2_000) },
  );
});

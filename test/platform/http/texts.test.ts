// Phones and emails as people write them, and what is kept of them.

import { expect, test } from "bun:test";

import Type from "typebox";

import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import {
  emailGiven,
  nullable,
  object,
  optional,
  phoneGiven,
  webAddress,
} from "#platform/http/contract/words.ts";
import { readTexts, textFinder } from "#platform/http/intake/texts.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

const contacts = object({
  phone: optional(nullable(phoneGiven)),
  email: optional(emailGiven),
  people: optional(Type.Array(object({ phone: optional(phoneGiven) }))),
});
const find = textFinder(contacts);

async function read(body: JsonObject, country: string | null = "GH"): Promise<JsonObject> {
  await readTexts(find(body), async () => country);
  return body;
}

test.each([
  ["GH", "055 123 4987", "+233551234987"],
  ["GH", "(055) 123-4987", "+233551234987"],
  ["GH", "551234987", "+233551234987"],
  ["GH", "00233 55 123 4987", "+233551234987"],
  ["GH", "+254 712 345 678", "+254712345678"],
  ["KE", "0712.345.678", "+254712345678"],
  ["US", "(415) 555-2671", "+14155552671"],
  ["IT", "02 1234 5678", "+390212345678"],
  ["EG", "٠١٠٠ ١٢٣ ٤٥٦٧", "+201001234567"],
  [null, "+233 (0)55 123 4987", "+233551234987"],
])("in %s, %s is %s", async (country, written, kept) => {
  expect(await read({ phone: written }, country)).toEqual({ phone: kept });
});

test.each([
  ["GH", "123"],
  ["GH", "055 123 4987 123"],
  ["GH", "call 055 123 4987"],
  ["GH", "055 123 4987 ext. 5"],
  ["GH", ""],
  ["ZZ", "055 123 4987"],
  [null, "055 123 4987"],
  [null, "233551234987"],
])("in %s, %j stays as it is, and is refused later", async (country, written) => {
  expect(await read({ phone: written }, country)).toEqual({ phone: written });
});

test.each([
  ["ä@müller.de", "ä@xn--mller-kva.de"],
  ["Ada@MÜLLER.example", "Ada@xn--mller-kva.example"],
  ["a\u0308@example.com", "ä@example.com"],
  ["ada@straße.de", "ada@xn--strae-oqa.de"],
  ["用户@例え.jp", "用户@xn--r8jz45g.jp"],
])("%s is kept as %s", async (written, kept) => {
  expect(await read({ email: written })).toEqual({ email: kept });
});

test("phones within lists are read, and null and other types are left", async () => {
  const people = [{ phone: "055 123 4987" }, { phone: null }, { phone: 7 }, 8, null];

  expect(await read({ phone: null, people })).toEqual({
    phone: null,
    people: [{ phone: "+233551234987" }, { phone: null }, { phone: 7 }, 8, null],
  });
});

test("a body whose contacts are in their stored form asks for no country", () => {
  expect(find({ phone: "+233551234987", email: "ada@example.com" })).toEqual([]);
});

test.each([
  [{ phone: "055 123 4987" }, "/phone", "with its country code"],
  [{ phone: null, email: "ada" }, "/email", "such as ada@example.com"],
  [{ email: "ada@gmail" }, "/email", "such as ada@example.com"],
  [{ people: [{ phone: "055 123 4987" }] }, "/people/0/phone", "the store's country"],
])("the refusal of %j says what helps", (body, pointer, help) => {
  const check = shapeCheck(contacts);

  expect(check(body)).toEqual([
    { pointer, code: "invalid_format", detail: expect.stringContaining(help) },
  ]);
});

const pictures = object({ url: optional(Type.String({ ...webAddress, "x-text": "picture" })) });

test.each([
  ["https://shop.example/Фото 1.jpg", "https://shop.example/%D0%A4%D0%BE%D1%82%D0%BE%201.jpg"],
  ["https://shop.example/a b%20c.jpg", "https://shop.example/a%20b%20c.jpg"],
  ["//cdn.example/a.jpg", "https://cdn.example/a.jpg"],
  [" https://bücher.example/a.jpg\n", "https://xn--bcher-kva.example/a.jpg"],
  ["https://shop.example/a%2Fb.jpg?v=1#top", "https://shop.example/a%2Fb.jpg?v=1#top"],
  ["HTTPS://Shop.example", "https://shop.example/"],
  ["my bowl.jpg", "my bowl.jpg"],
  ["ftp://shop.example/a b.jpg", "ftp://shop.example/a b.jpg"],
])("the address %j of a picture is %s", async (url, kept) => {
  const body = { url };
  await readTexts(textFinder(pictures)(body), async () => null);

  expect(body.url).toBe(kept);
});

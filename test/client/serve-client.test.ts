// The client and the files of test suites over HTTP: for pages of every origin, asked again only when it changed.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { clientScript, clientSource } from "#client/emit-client.ts";
import { document } from "#interface.ts";
import { suites } from "#sandbox/suite/suites.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
});

afterAll(() => shop[Symbol.asyncDispose]());

test.each([
  ["/client.ts", "text/plain;charset=utf-8", clientSource(document())],
  ["/client.js", "text/javascript;charset=utf-8", clientScript(document())],
  ["/sandbox.mjs", "text/javascript;charset=utf-8", suites.js],
  ["/sandbox.py", "text/plain;charset=utf-8", suites.py],
])("%s is served, without a key and for every origin", async (path, type, text) => {
  const answer = await fetch(shop.url + path, { headers: { Origin: "https://shop.example" } });

  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")?.replace(" ", "")).toBe(type);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(await answer.text()).toBe(text);
});

test("a client that is known is not sent again", async () => {
  const first = await fetch(`${shop.url}/client.js`);
  const tag = first.headers.get("etag") ?? "";

  const again = await fetch(`${shop.url}/client.js`, { headers: { "If-None-Match": tag } });

  expect(again.status).toBe(304);
  expect(again.headers.get("access-control-allow-origin")).toBe("*");
});

// An address that leads nowhere is told to a browser as a page, and to a program as a problem document.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../support/shop.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop({ asks: "nothing" });
});
afterAll(() => shop[Symbol.asyncDispose]());

async function ask(path: string, accept: string, method = "GET") {
  const answer = await fetch(`${shop.url}${path}`, { method, headers: { Accept: accept } });
  const [type] = (answer.headers.get("content-type") ?? "").split(";");
  return { status: answer.status, type, text: await answer.text(), headers: answer.headers };
}

const BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

test("a browser is shown the page of the shop, under the strictest policy", async () => {
  await shop.put("/v2/store", { name: "Ama's Cloth", website_url: "https://cloth.example" });

  const { status, type, text, headers } = await ask("/orders/1042", BROWSER);

  expect([status, type]).toEqual([404, "text/html"]);
  expect(text).toContain("Not found · Ama&#x27;s Cloth");
  expect(text).toContain('href="https://cloth.example"');
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("the page is whole by the files of the shop, which browsers keep and pages of no origin may load", async () => {
  const { text } = await ask("/orders/1042", BROWSER);
  const address = /href="(\/shop-assets\/shop\.\w+\.css)"/.exec(text)?.[1] ?? "";

  const style = await fetch(`${shop.url}${address}`);
  const font = /url\((\S+)\)/.exec(await style.text())?.[1] ?? "";
  const files = [style, await fetch(`${shop.url}${font}`)];

  expect(files.map(({ status }) => status)).toEqual([200, 200]);
  for (const { headers } of files) {
    expect(headers.get("cache-control")).toContain("immutable");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  }
});

test("an address of former files has none", async () => {
  expect((await fetch(`${shop.url}/shop-assets/shop.gone.css`)).status).toBe(404);
});

test.each([
  ["a program", ["/orders/1042", "application/json"], 404],
  ["one that names no media type", ["/orders/1042", "*/*"], 404],
  ["one that sends a form", ["/orders/1042", BROWSER, "POST"], 404],
  ["a browser below /v2, without a key,", ["/v2/nothing", BROWSER], 401],
] as const)("%s gets a problem document", async (_who, [path, accept, method], status) => {
  const answer = await ask(path, accept, method);

  expect([answer.status, answer.type]).toEqual([status, "application/json"]);
});

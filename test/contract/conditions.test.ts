// Conditional requests: reading only what changed, changing only what was read.

import { describe, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../support/shop.ts";

async function tagOfStore(shop: TestShop): Promise<string> {
  return (await shop.get("/v2/store")).headers.get("etag") ?? "";
}

test("a tag is the version and a hash of what is shown", async () => {
  await using shop = await openTestShop();

  expect(await tagOfStore(shop)).toMatch(/^"1\.[0-9a-z]+"$/);
});

test("a change answers the tag that reading will have", async () => {
  await using shop = await openTestShop();

  const changed = await shop.put("/v2/store", { name: "Second" });

  expect(changed.headers.get("etag")).toBe(await tagOfStore(shop));
});

describe("what did not change is not sent again", () => {
  test.each([
    ["its tag", (tag: string) => tag],
    ["its tag, weakly", (tag: string) => `W/${tag}`],
    ["its tag among others", (tag: string) => `"0.x", ${tag}`],
    ["anything", () => "*"],
  ])("to somebody who has %s", async (_, condition) => {
    await using shop = await openTestShop();
    const tag = await tagOfStore(shop);

    const answer = await shop.get("/v2/store", { headers: { "If-None-Match": condition(tag) } });

    expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", tag]);
  });

  test("by HEAD neither", async () => {
    await using shop = await openTestShop();
    const headers = { "If-None-Match": await tagOfStore(shop) };

    expect((await shop.send("HEAD", "/v2/store", { headers })).status).toBe(304);
  });
});

test.each(['"1"', '"1.0"', "1", '"2.x"'])("what somebody with %s has not is sent", async (tag) => {
  await using shop = await openTestShop();

  const answer = await shop.get("/v2/store", { headers: { "If-None-Match": tag } });

  expect(answer.status).toBe(200);
});

test("what changed is sent", async () => {
  await using shop = await openTestShop();
  const headers = { "If-None-Match": await tagOfStore(shop) };
  await shop.put("/v2/store", { name: "Second" });

  expect((await shop.get("/v2/store", { headers })).status).toBe(200);
});

describe("a change is made", () => {
  test.each([
    ["under the tag that was read", (tag: string) => tag],
    ["under its version alone", () => '"1"'],
    ["under one of several", (tag: string) => `"7.x", ${tag}`],
    ["under one of several versions", () => '"1","7"'],
    ["if there is anything", () => "*"],
    ["under its version and another hash", () => '"1.somebody"'],
  ])("%s", async (_, condition) => {
    await using shop = await openTestShop();
    const headers = { "If-Match": condition(await tagOfStore(shop)) };

    const changed = await shop.put("/v2/store", { name: "Second" }, { headers });

    expect([changed.status, changed.at("/version")]).toEqual([200, 2]);
  });
});

describe("a change is not made", () => {
  test.each([
    ["under an older version", () => '"0"'],
    ["under a newer version", () => '"2"'],
    ["under a weak tag", (tag: string) => `W/${tag}`],
    ["under a weak version", () => 'W/"1"'],
    ["under a tag that is not ours", () => '"abc"'],
    ["under several older ones", () => '"0", "7"'],
  ])("%s", async (_, condition) => {
    await using shop = await openTestShop();
    const headers = { "If-Match": condition(await tagOfStore(shop)) };

    const refused = await shop.put("/v2/store", { name: "Second" }, { headers });

    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({ code: "stale_version", current_version: 1 });
    expect((await shop.get("/v2/store")).at("/name")).toBe("My shop");
  });

  test.each(["1", '"1', 'w/"1"', '"1" "2"', '"1",'])("under what is no tag: %s", async (tag) => {
    await using shop = await openTestShop();

    const refused = await shop.put("/v2/store", { name: "X" }, { headers: { "If-Match": tag } });

    expect([refused.status, refused.code]).toEqual([400, "header_invalid"]);
    expect(refused.faults).toEqual(["If-Match invalid_format"]);
  });
});

test("of two changes under one version one is made", async () => {
  await using shop = await openTestShop();
  const headers = { "If-Match": await tagOfStore(shop) };

  const answers = await Promise.all(
    ["First", "Second"].map((name) => shop.put("/v2/store", { name }, { headers })),
  );

  expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
    200, 412,
  ]);
});

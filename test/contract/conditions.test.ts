// Conditional requests with ETag, If-None-Match and If-Match.

import { beforeEach, describe, expect, test } from "bun:test";

import { ada } from "../support/cast.ts";
import { sharedShop } from "../support/shop.ts";

const shop = sharedShop();

/** A customer of each test. */
let path: string;

beforeEach(async () => {
  path = `/v2/customers/${await ada(shop)}`;
});

async function currentTag(): Promise<string> {
  return (await shop.get(path)).headers.get("etag") ?? "";
}

test("an ETag is the version and a hash of the body", async () => {
  expect(await currentTag()).toMatch(/^"1\.[0-9a-z]+"$/);
});

test("a change returns the ETag of the next read", async () => {
  const changed = await shop.put(path, { name: "Second" });

  expect(changed.headers.get("etag")).toBe(await currentTag());
});

describe("an unchanged resource is not sent again", () => {
  test.each([
    ["its tag", (tag: string) => tag],
    ["its tag, weakly", (tag: string) => `W/${tag}`],
    ["its tag among others", (tag: string) => `"0.x", ${tag}`],
    ["anything", () => "*"],
  ])("to a client that has %s", async (_, condition) => {
    const tag = await currentTag();

    const answer = await shop.get(path, { headers: { "If-None-Match": condition(tag) } });

    expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", tag]);
  });

  test("nor for HEAD", async () => {
    const headers = { "If-None-Match": await currentTag() };

    expect((await shop.send("HEAD", path, { headers })).status).toBe(304);
  });
});

test.each(['"1"', '"1.0"', "1", '"2.x"'])("a client that has %s gets the resource", async (tag) => {
  const answer = await shop.get(path, { headers: { "If-None-Match": tag } });

  expect(answer.status).toBe(200);
});

test("a changed resource is sent", async () => {
  const headers = { "If-None-Match": await currentTag() };
  await shop.put(path, { name: "Second" });

  expect((await shop.get(path, { headers })).status).toBe(200);
});

describe("a change is accepted", () => {
  test.each([
    ["with the current ETag", (tag: string) => tag],
    ["with its version alone", () => '"1"'],
    ["with one of several ETags", (tag: string) => `"7.x", ${tag}`],
    ["with one of several versions", () => '"1","7"'],
    ["if anything exists", () => "*"],
    ["with the version and another hash", () => '"1.other"'],
  ])("%s", async (_, condition) => {
    const headers = { "If-Match": condition(await currentTag()) };

    const changed = await shop.put(path, { name: "Second" }, { headers });

    expect([changed.status, changed.at("/version")]).toEqual([200, 2]);
  });
});

describe("a change is refused", () => {
  test.each([
    ["with an older version", () => '"0"'],
    ["with a newer version", () => '"2"'],
    ["with a weak ETag", (tag: string) => `W/${tag}`],
    ["with a weak version", () => 'W/"1"'],
    ["with a foreign ETag", () => '"abc"'],
    ["with several older versions", () => '"0", "7"'],
  ])("%s", async (_, condition) => {
    const before = await shop.get(path);
    const headers = { "If-Match": condition(await currentTag()) };

    const refused = await shop.put(path, { name: "Second" }, { headers });

    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({ code: "stale_version", current_version: 1 });
    expect((await shop.get(path)).text).toBe(before.text);
  });

  test.each(["1", '"1', 'w/"1"', '"1" "2"', '"1",'])("with an invalid ETag: %s", async (tag) => {
    const refused = await shop.put(path, { name: "X" }, { headers: { "If-Match": tag } });

    expect([refused.status, refused.code]).toEqual([400, "header_invalid"]);
    expect(refused.faults).toEqual(["If-Match invalid_format"]);
  });
});

test("a change that compares no versions is refused with one, and takes place without", async () => {
  const key = await shop.post("/v2/keys", { name: "Till", scopes: ["orders:read"] });
  const rename = (headers: Readonly<Record<string, string>>) =>
    shop.put(`/v2/keys/${key.id}`, { name: "Counter" }, { headers });

  const refused = await rename({ "If-Match": '"1"' });
  const unchanged = await shop.get(`/v2/keys/${key.id}`);
  const renamed = await rename({ "If-Match": "*" });

  expect([refused.status, refused.code]).toEqual([400, "header_invalid"]);
  expect(refused.faults).toEqual(["If-Match version_not_compared"]);
  expect([unchanged.at("/name"), renamed.at("/name")]).toEqual(["Till", "Counter"]);
});

test("of two changes with the same version only one succeeds", async () => {
  const headers = { "If-Match": await currentTag() };

  const answers = await Promise.all(
    ["First", "Second"].map((name) => shop.put(path, { name }, { headers })),
  );

  expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
    200, 412,
  ]);
});

// The rules that every list of the interface follows.

import { beforeAll, describe, expect, test } from "bun:test";

import { encodeCursor } from "#platform/http/calls/cursor.ts";

import { openTestShop, sharedShop } from "../support/shop.ts";
import { lists, stock } from "./operations.ts";

const reading = sharedShop();

describe.each(lists)("%s", (_, { path }) => {
  test.each([
    ["limit=0", "limit too_small"],
    ["limit=101", "limit too_large"],
    ["limit=-1", "limit too_small"],
    ["limit=ten", "limit wrong_type"],
    ["limit=10&limit=20", "limit duplicate"],
    ["limitt=10", "limitt unknown_parameter"],
    ["api_key=secret", "api_key unknown_parameter"],
    ["cursor=", "cursor too_short"],
  ])("is refused with %s", async (query, fault) => {
    const refused = await reading.get(`${path}?${query}`);

    expect([refused.status, refused.code, refused.faults]).toEqual([400, "query_invalid", [fault]]);
  });

  test("accepts a limit of one to a hundred", async () => {
    const pages = await Promise.all([
      reading.get(`${path}?limit=1`),
      reading.get(`${path}?limit=100`),
    ]);

    expect(pages.map((page) => page.status)).toEqual([200, 200]);
  });

  test("suggests the nearest parameter", async () => {
    const refused = await reading.get(`${path}?limmit=10`);

    expect(refused.at("/errors/0/detail")).toBe("There is no such parameter; is it limit?");
  });

  test("refuses an invalid cursor", async () => {
    expect(await reading.get(`${path}?cursor=abc`)).toMatchObject({
      status: 400,
      code: "invalid_cursor",
    });
  });

  // The digest of a cursor is no secret: a client can forge its content.
  test.each([
    "",
    "\0",
    "x",
    "-1",
    "1e400",
    "99999999999999999999",
    "'; --",
    "\ud83d",
    "x".repeat(200),
  ])("survives a forged cursor after %p", async (after) => {
    const cursor = encodeCursor({ after, scope: `test ${path} {}` });

    const answer = await reading.get(`${path}?cursor=${cursor}`);

    expect(answer.status).toBeOneOf([200, 400]);
  });
});

/** Without the audit log, whose times are the machine's. */
const byCreation = lists.filter(
  ([, { path, query }]) =>
    path !== "/v2/audit" &&
    query !== null &&
    "properties" in query &&
    "created_at[gte]" in Object(query.properties),
);

describe("days in filters", () => {
  const shop = sharedShop();

  /** It is 8 in the morning in UTC, and ten in the evening of the day before in Honolulu. */
  beforeAll(async () => {
    await shop.put("/v2/store", { timezone: "Pacific/Honolulu" });
    await stock(shop);
  });

  test("belong to every list by time of creation", () => {
    expect(byCreation.length).toBeGreaterThanOrEqual(6);
  });

  test.each(byCreation)("of %s are days in the time zone of the store", async (_, { path }) => {
    const counts = async (filter: string) =>
      (await shop.get(`${path}?${filter}`)).list("/data").length;

    const sunday = await counts("created_at[gte]=2026-01-04&created_at[lte]=2026-01-04");
    const others = [
      await counts("created_at[gt]=2026-01-04"),
      await counts("created_at[lt]=2026-01-04"),
    ];

    expect(sunday).toBeGreaterThan(0);
    expect(others).toEqual([0, 0]);
  });

  test("stay as they were given in cursors and links", async () => {
    const first = await shop.get("/v2/orders?created_at[gte]=2026-01-04&limit=1");

    const link = first.headers.get("link") ?? "";
    expect(decodeURIComponent(link)).toContain("created_at[gte]=2026-01-04&");
    const cursor = first.string("/next_cursor");
    const next = await shop.get(`/v2/orders?created_at[gte]=2026-01-04&limit=1&cursor=${cursor}`);
    expect(next.list("/data")).toHaveLength(1);
  });
});

describe("a walk through customers", () => {
  test("follows the cursors and returns every customer once, also with a filter", async () => {
    await using own = await openTestShop();
    const people = Array.from({ length: 7 }, (_, index) => `c${index}@example.com`);
    for (const email of people) {
      own.clock.advance(1);
      await own.post("/v2/customers", { email, tags: ["vip"] });
    }
    await own.post("/v2/customers", { email: "other@example.com" });
    const seen: string[] = [];
    let next = "/v2/customers?tag=vip&limit=3";

    while (next !== "") {
      const page = await own.get(next);
      seen.push(...page.list("/data").map((_, index) => page.string(`/data/${index}/email`)));
      const link = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
      next = link.slice(own.url.length);
    }

    expect(seen).toEqual(people.toReversed());
  });

  test("is bound to its filters, its list and its mode", async () => {
    await using own = await openTestShop();
    const live = await own.createKey({ mode: "live" });
    await own.post("/v2/customers", { email: "ada@example.com" });
    await own.post("/v2/customers", { email: "kofi@example.com" });
    const page = await own.get("/v2/customers?limit=1");
    const cursor = page.string("/next_cursor");

    const answers = await Promise.all([
      own.get(`/v2/customers?cursor=${cursor}`),
      own.get(`/v2/customers?tag=vip&cursor=${cursor}`),
      own.get(`/v2/keys?cursor=${cursor}`),
      own.get(`/v2/customers?cursor=${cursor}`, { key: live }),
    ]);

    expect(answers.map((answer) => answer.status)).toEqual([200, 400, 400, 400]);
  });

  test("returns the same page for the same cursor, whatever was added since", async () => {
    await using own = await openTestShop();
    await own.post("/v2/customers", { email: "ada@example.com" });
    own.clock.advance(1);
    await own.post("/v2/customers", { email: "kofi@example.com" });
    own.clock.advance(1);
    const cursor = (await own.get("/v2/customers?limit=1")).string("/next_cursor");
    const before = await own.get(`/v2/customers?limit=1&cursor=${cursor}`);
    await own.post("/v2/customers", { email: "esi@example.com" });

    const after = await own.get(`/v2/customers?limit=1&cursor=${cursor}`);

    expect(after.text).toBe(before.text);
  });
});

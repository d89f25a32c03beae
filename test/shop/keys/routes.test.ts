// Keys over HTTP: creating, reading and revoking them, and that all wrong keys get the same answer.

import { describe, expect, test } from "bun:test";

import { newId } from "#kernel/id.ts";
import { randomBytes } from "#kernel/random.ts";
import { makeKey } from "#shop/keys/api-key.ts";
import { createKey } from "#shop/keys/create-key.ts";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const YEAR_MS = 365 * 86_400_000;

/** A key that expired a year ago. */
async function expiredKey(shop: TestShop): Promise<string> {
  const longAgo = Date.now() - 2 * YEAR_MS;
  const { key } = await shop.test.database.write((tx) =>
    createKey(
      tx,
      {
        mode: "test",
        name: "Old till",
        kind: null,
        scopes: ["full"],
        ratePerMinute: null,
        expiresAt: longAgo + YEAR_MS,
        maker: null,
        replaces: null,
      },
      { bytes: randomBytes(32), clock: { now: () => longAgo } },
    ),
  );
  return key;
}

test("a key created over HTTP has its scopes and no others", async () => {
  const made = await shop.post("/v2/keys", { name: "Report", scopes: ["keys:read"] });

  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toBe(`/v2/keys/${made.id}`);
  const key = made.string("/key");
  expect((await shop.get("/v2/keys", { key })).status).toBe(200);
  const refused = await shop.post("/v2/keys", { name: "Another" }, { key });
  expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
});

test("a key created without scopes has all of them", async () => {
  const made = await shop.post("/v2/keys", { name: "Backend" });

  expect(made.body).toMatchObject({
    mode: "test",
    scopes: ["full"],
    rate_per_minute: null,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  });
});

test("a publishable key has the scopes of a storefront, and its prefix says what it is", async () => {
  const made = await shop.post("/v2/keys", { name: "Web shop", kind: "publishable" });

  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ kind: "publishable", scopes: ["storefront"] });
  expect(made.string("/key")).toMatch(/^test_pk_/);
  const key = made.string("/key");
  expect((await shop.get("/v2/products", { key })).status).toBe(200);
});

test("the text of a publishable key is shown again, and that of a secret key is not", async () => {
  const web = await shop.post("/v2/keys", { name: "Web shop", kind: "publishable" });
  const till = await shop.post("/v2/keys", { name: "Till", scopes: ["orders:write"] });

  const shown = await Promise.all([web, till].map(({ id }) => shop.get(`/v2/keys/${id}`)));

  expect(shown.map((one) => one.at("/key"))).toEqual([web.at("/key"), null]);
  expect((await shop.get("/v2/keys")).text).not.toContain(till.string("/key"));
});

test("a key whose scopes are all those of a storefront is publishable", async () => {
  const scopes = ["catalog:read", "carts:use"];
  const made = await shop.post("/v2/keys", { name: "Catalog", scopes });

  expect(made.at("/kind")).toBe("publishable");
  expect(made.string("/key")).toMatch(/^test_pk_/);
});

test.each([
  ["publishable", ["storefront", "orders:read"]],
  ["secret", ["storefront"]],
])("a %s key is refused with scopes of the other kind", async (kind, scopes) => {
  const refused = await shop.post("/v2/keys", { name: "Contradiction", kind, scopes });

  expect(refused.status).toBe(422);
  expect(refused.faults).toEqual(["#/kind scopes_of_other_kind"]);
});

test("a key's text is in the response that created it and in no other", async () => {
  const made = await shop.post("/v2/keys", { name: "Backend" });
  const secret = made.string("/key").slice("test_sk_".length, -4);

  const [read, list] = [await shop.get(`/v2/keys/${made.id}`), await shop.get("/v2/keys")];

  expect(read.at("/display")).toBe(`test_sk_…${made.string("/key").slice(-4)}`);
  expect(list.at("/data/0/id")).toBe(made.id);
  expect(read.text + list.text).not.toContain(secret);
  expect(read.text + list.text).not.toContain("hash");
});

test("a key belongs to the mode of the key that created it", async () => {
  const live = await shop.createKey({ mode: "live" });

  const made = await shop.post("/v2/keys", { name: "Till" }, { key: live });

  expect(made.string("/key")).toStartWith("live_sk_");
  expect((await shop.get(`/v2/keys/${made.id}`, { key: live })).status).toBe(200);
  const other = await shop.get(`/v2/keys/${made.id}`);
  expect([other.status, other.code]).toEqual([404, "key_not_found"]);
});

test("a key can only grant scopes that it has", async () => {
  const key = await shop.createKey({ scopes: ["read_only", "keys:write"] });

  const refused = await shop.post("/v2/keys", { name: "More", scopes: ["orders:write"] }, { key });
  const withDefaults = await shop.post("/v2/keys", { name: "More" }, { key });
  const made = await shop.post("/v2/keys", { name: "Same", scopes: ["read_only"] }, { key });

  expect([refused.status, refused.code]).toEqual([403, "scope_not_held"]);
  expect(refused.at("/scopes")).toEqual(["orders:write"]);
  expect(withDefaults.code).toBe("scope_not_held");
  expect(made.status).toBe(201);
});

test("a key created over HTTP may have a rate limit of its own", async () => {
  const made = await shop.post("/v2/keys", { name: "Slow", rate_per_minute: 1 });

  const key = made.string("/key");
  expect(made.at("/rate_per_minute")).toBe(1);
  expect((await shop.get("/v2/keys", { key })).status).toBe(200);
  expect((await shop.get("/v2/keys", { key })).code).toBe("rate_limited");
});

describe("a key that makes another", () => {
  const expiry = "2990-01-01T00:00:00.000Z";
  const makerTerms = { ratePerMinute: 50, expiresAt: Date.parse(expiry) };

  test("gives it no higher rate and no later end than its own", async () => {
    await using shop = await openTestShop();
    const key = await shop.createKey(makerTerms);
    const terms = { name: "More", rate_per_minute: 51, expires_at: "2990-01-01T00:00:00.001Z" };

    const refused = await shop.post("/v2/keys", terms, { key });

    expect(refused.faults.toSorted()).toEqual([
      "#/expires_at out_of_range",
      "#/rate_per_minute out_of_range",
    ]);
    expect((await shop.get("/v2/keys?limit=100")).list("/data")).toHaveLength(2);
  });

  test("gives it its own rate and end where the request names none", async () => {
    const key = await shop.createKey(makerTerms);

    const made = await shop.post("/v2/keys", { name: "Same" }, { key });

    expect([made.at("/rate_per_minute"), made.at("/expires_at")]).toEqual([50, expiry]);
  });

  test("gives it no higher rate than the shop's limit, under which it is itself", async () => {
    await using shop = await openTestShop({ settings: { DUKA_RATE_LIMIT_PER_MINUTE: "200" } });

    const made = await shop.post("/v2/keys", { name: "All", rate_per_minute: 200 });
    const refused = await shop.post("/v2/keys", { name: "More", rate_per_minute: 201 });

    expect([made.status, ...refused.faults]).toEqual([201, "#/rate_per_minute out_of_range"]);
  });

  test("is named where keys are listed", async () => {
    const made = await shop.post("/v2/keys", { name: "Till" });

    const listed = (await shop.get("/v2/keys?limit=100")).list("/data").map((key) => Object(key));

    expect(listed.find(({ id }) => id === made.id)).toMatchObject({
      created_by: { type: "api_key", id: listed.find(({ name }) => name === "First key")?.id },
    });
  });
});

test("a key cannot revoke or rename one that may do more than itself", async () => {
  const made = await shop.post("/v2/keys", {
    name: "Backend",
    scopes: ["keys:write", "orders:read"],
  });
  const key = await shop.createKey({ scopes: ["keys:write"] });
  const path = `/v2/keys/${made.id}`;

  const revoked = await shop.delete(path, { key });
  const renamed = await shop.put(path, { name: "Mine" }, { key });

  expect([revoked.status, revoked.code, renamed.code]).toEqual([
    403,
    "scope_not_held",
    "scope_not_held",
  ]);
  expect(revoked.at("/scopes")).toEqual(["orders:read"]);
  expect((await shop.get(path)).body).toMatchObject({ revoked_at: null, name: "Backend" });
});

test("a key's name can be changed, and nothing else of it", async () => {
  const made = await shop.post("/v2/keys", { name: "Till" });

  const renamed = await shop.put(`/v2/keys/${made.id}`, { name: "Till in Accra" });
  const refused = await shop.put(`/v2/keys/${made.id}`, { name: "Till", scopes: ["full"] });

  expect(renamed.body).toEqual((await shop.get(`/v2/keys/${made.id}`)).body);
  expect(renamed.at("/name")).toBe("Till in Accra");
  expect(refused.faults).toEqual(["#/scopes unknown_field"]);
});

test("a new key is refused with all its faults at once", async () => {
  const refused = await shop.post("/v2/keys", {
    scopes: ["orders:everything"],
    rate_per_minute: 0,
    expires_at: "tomorrow",
  });

  expect(refused.status).toBe(422);
  expect(refused.faults.toSorted()).toEqual([
    "#/expires_at invalid_format",
    "#/name required",
    "#/rate_per_minute too_small",
    "#/scopes/0 invalid_choice",
  ]);
});

test("a key with an expiry in the past is refused", async () => {
  const refused = await shop.post("/v2/keys", {
    name: "Late",
    expires_at: "2020-01-01T00:00:00Z",
  });

  expect(refused.faults).toEqual(["#/expires_at not_in_the_future"]);
});

test("an expiry is returned in UTC", async () => {
  const made = await shop.post("/v2/keys", {
    name: "Campaign",
    expires_at: "2999-01-01T02:00:00+02:00",
  });

  expect(made.at("/expires_at")).toBe("2999-01-01T00:00:00.000Z");
});

test("a revoked key is refused on its next request and stays in the list", async () => {
  const made = await shop.post("/v2/keys", { name: "Lost laptop" });
  const key = made.string("/key");
  expect((await shop.get("/v2/keys", { key })).status).toBe(200);

  const revoked = await shop.delete(`/v2/keys/${made.id}`);

  expect(revoked.status).toBe(204);
  expect((await shop.get("/v2/keys", { key })).status).toBe(401);
  expect((await shop.get(`/v2/keys/${made.id}`)).string("/revoked_at")).toEndWith("Z");
  expect((await shop.delete(`/v2/keys/${made.id}`)).status).toBe(204);
});

test("an unknown key is not found, neither to read nor to revoke", async () => {
  const path = `/v2/keys/${newId("key", shop.clock.now())}`;

  const [read, revoked] = [await shop.get(path), await shop.delete(path)];

  expect([read.code, revoked.code]).toEqual(["key_not_found", "key_not_found"]);
});

test("keys are listed page by page, newest first", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/keys", { name: "Middle" });
  await shop.post("/v2/keys", { name: "Newest" });

  const first = await shop.get("/v2/keys?limit=2");
  const second = await shop.get(`/v2/keys?limit=2&cursor=${first.string("/next_cursor")}`);

  expect([first.at("/data/0/name"), first.at("/data/1/name")]).toEqual(["Newest", "Middle"]);
  expect(second.list("/data")).toHaveLength(1);
  expect(second.at("/has_more")).toBeFalse();
});

test("a key's own rate limit applies to it and to no other key", async () => {
  const key = await shop.createKey({ name: "Slow", ratePerMinute: 2 });

  await shop.get("/v2/keys", { key });
  await shop.get("/v2/keys", { key });
  const third = await shop.get("/v2/keys", { key });

  expect([third.status, third.code]).toEqual([429, "rate_limited"]);
  expect((await shop.get("/v2/keys")).status).toBe(200);
});

test("every wrong key gets the same answer", async () => {
  const revoked = await shop.post("/v2/keys", { name: "Gone" });
  await shop.delete(`/v2/keys/${revoked.id}`);
  const options = { headers: { "X-Request-Id": "same-for-all" } };
  const wrong = [
    null,
    "nonsense",
    makeKey("test", "secret", randomBytes(32)),
    makeKey("live", "secret", randomBytes(32)),
    `${shop.key.slice(0, -1)}!`,
    revoked.string("/key"),
    await expiredKey(shop),
  ];

  const answers = await Promise.all(wrong.map((key) => shop.get("/v2/keys", { ...options, key })));

  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401, code: "api_key_invalid" });
  expect(new Set(answers.map((answer) => answer.headers.get("www-authenticate")))).toEqual(
    new Set(["Bearer"]),
  );
});

test("two keys in one request are refused", async () => {
  const headers = { Authorization: `Bearer ${shop.key}, Bearer ${shop.key}` };

  const answer = await shop.get("/v2/keys", { key: null, headers });

  expect(answer.code).toBe("api_key_invalid");
});

test("a key in the URL, where it would be logged, is ignored", async () => {
  const answer = await shop.get(`/v2/keys?api_key=${shop.key}`, { key: null });

  expect(answer.code).toBe("api_key_invalid");
});

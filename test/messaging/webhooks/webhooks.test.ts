// Endpoints over HTTP: create, retrieve, update and delete.

import { describe, expect, test } from "bun:test";

import { toIso } from "#kernel/time.ts";
import { findReplay } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { findAllHealth } from "#messaging/webhooks/endpoints/queries.ts";

import { MORNING_MS, openTestShop } from "../../support/shop.ts";
import { openEndpoint, replayFor, rowOf, sharedSender, sicken, unused } from "./endpoints.ts";

const shared = sharedSender();

const MORNING = toIso(MORNING_MS);

describe("a new endpoint", () => {
  test("is returned with its secret and its location", async () => {
    const made = await shared.post("/v2/webhooks", {
      url: "https://shop.example/hooks?till=1",
      events: ["order.paid", "cart.*"],
      description: "The till.",
    });

    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/v2/webhooks/${made.id}`);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^whk_/),
      url: "https://shop.example/hooks?till=1",
      events: ["order.paid", "cart.*"],
      description: "The till.",
      status: "enabled",
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      last_success_at: null,
      failures_in_row: 0,
      old_secret_expires_at: null,
      replay: null,
      version: 1,
      created_at: MORNING,
      updated_at: MORNING,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(await shared.announcedNames()).toEqual([]);
  });

  test("receives every event by default", async () => {
    const made = await shared.post("/v2/webhooks", { url: unused.url });

    expect([made.at("/events"), made.at("/description")]).toEqual([["*"], null]);
  });

  test("drops duplicate events", async () => {
    const made = await openEndpoint(shared, { events: ["cart.*", "webhook.disabled", "cart.*"] });

    expect(made.answer.at("/events")).toEqual(["cart.*", "webhook.disabled"]);
  });

  test("starts after the newest event", async () => {
    await shared.post("/v2/customers", { email: "ada@example.com" });
    await shared.post("/v2/customers", { email: "kofi@example.com" });

    const { id } = await openEndpoint(shared);

    expect((await rowOf(shared, id)).startsAfter).toBe((await shared.events()).length);
  });
});

describe("an endpoint is not created", () => {
  const cases: [string, object, string[]][] = [
    ["without a URL", {}, ["#/url required"]],
    ["with an unknown field", { url: unused.url, evnts: [] }, ["#/evnts unknown_field"]],
    ["with a chosen secret", { url: unused.url, secret: "x" }, ["#/secret unknown_field"]],
    ["with a status", { url: unused.url, status: "enabled" }, ["#/status unknown_field"]],
    ["for no event", { url: unused.url, events: [] }, ["#/events too_few"]],
    [
      "for more than fifty events",
      { url: unused.url, events: Array.from({ length: 51 }, () => "*") },
      ["#/events too_many"],
    ],
    [
      "for unknown events",
      { url: unused.url, events: ["order.payed", "order.paid", "shop.*", "order*"] },
      ["#/events/0 invalid_choice", "#/events/2 invalid_choice", "#/events/3 invalid_choice"],
    ],
    [
      "with an empty description",
      { url: unused.url, description: "" },
      ["#/description too_short"],
    ],
    [
      "with a long description",
      { url: unused.url, description: "x".repeat(501) },
      ["#/description too_long"],
    ],
  ];

  test.each(cases)("%s", async (_, body, faults) => {
    const refused = await shared.post("/v2/webhooks", body);

    expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
    expect(refused.faults).toEqual(faults);
    expect((await shared.get("/v2/webhooks")).list("/data")).toEqual([]);
  });

  test("for a mistyped event, and the nearest name is returned", async () => {
    const refused = await shared.post("/v2/webhooks", { ...unused, events: ["orders.paid"] });

    expect(refused.at("/errors/0/detail")).toBe("This is not a known value; is it order.paid?");
  });

  test("if there are fifty", async () => {
    await Promise.all(Array.from({ length: 50 }, () => openEndpoint(shared)));

    const refused = await shared.post("/v2/webhooks", unused);

    expect([refused.status, refused.code]).toEqual([409, "webhook_limit"]);
    expect((await shared.get("/v2/webhooks?limit=100")).list("/data")).toHaveLength(50);
  });

  test("beyond fifty, however many requests run at once", async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, () => shared.post("/v2/webhooks", unused)),
    );

    expect(made.filter(({ status }) => status === 201)).toHaveLength(50);
  });
});

test("deleting one of fifty allows another", async () => {
  const [first] = await Promise.all(Array.from({ length: 50 }, () => openEndpoint(shared)));
  await shared.delete(String(first?.path));

  expect((await shared.post("/v2/webhooks", unused)).status).toBe(201);
});

describe("reading", () => {
  test("an endpoint shows its health and its replay", async () => {
    await using shop = await openTestShop();
    await shop.duka.couriers.test.stop(0);
    const endpoint = await openEndpoint(shop);
    await sicken(shop, endpoint);
    await replayFor(shop, endpoint);

    const [read, list] = [await shop.get(endpoint.path), await shop.get("/v2/webhooks")];

    expect(read.body).toMatchObject({
      status: "enabled",
      failures_in_row: 3,
      failing_since: MORNING,
      last_success_at: toIso(MORNING_MS - 1_000),
      replay: {
        after: 4,
        until: 9,
        events: ["order.placed"],
        failed_only: true,
        created_at: MORNING,
      },
      version: 1,
    });
    expect(list.at("/data/0")).toEqual(read.body);
  });

  test("a list is ordered newest first", async () => {
    await using shop = await openTestShop();
    const older = await openEndpoint(shop);
    shop.clock.advance(1);
    const newer = await openEndpoint(shop);

    const list = await shop.get("/v2/webhooks");
    const page = await shop.get("/v2/webhooks?limit=1");

    expect([list.at("/data/0/id"), list.at("/data/1/id")]).toEqual([newer.id, older.id]);
    expect([page.at("/data/0/id"), page.at("/has_more")]).toEqual([newer.id, true]);
  });

  test.each([
    ["disabled", 1],
    ["enabled", 2],
    ["enabled,disabled", 3],
  ])("a list can be filtered by %s", async (status, count) => {
    const { path } = await openEndpoint(shared);
    await openEndpoint(shared);
    await openEndpoint(shared);
    await shared.put(path, { status: "disabled" });

    expect((await shared.get(`/v2/webhooks?status=${status}`)).list("/data")).toHaveLength(count);
  });

  test("a list refuses an unknown status", async () => {
    expect((await shared.get("/v2/webhooks?status=paused")).faults).toEqual([
      "status invalid_choice",
    ]);
  });
});

describe("an update", () => {
  test("replaces the given fields and keeps the rest and the secret", async () => {
    await using shop = await openTestShop();
    const { id, path } = await openEndpoint(shop, { description: "The till." });
    const before = await rowOf(shop, id);
    shop.clock.advance(1_000);

    const changed = await shop.put(path, { url: "https://shop.example/other" });

    expect(changed.body).toMatchObject({
      url: "https://shop.example/other",
      events: unused.events,
      description: "The till.",
      status: "enabled",
      version: 2,
      created_at: MORNING,
      updated_at: toIso(MORNING_MS + 1_000),
    });
    expect((await rowOf(shop, id)).sealedSecret).toBe(before.sealedSecret);
    expect((await shop.get(path)).body).toEqual(changed.body);
  });

  test("drops duplicate events", async () => {
    const { path } = await openEndpoint(shared);

    const changed = await shared.put(path, { events: ["*", "*"], description: null });

    expect([changed.at("/events"), changed.at("/version")]).toEqual([["*"], 2]);
  });

  test.each([{}, { ...unused }, { status: "enabled" }, { description: null }])(
    "to the current values %j makes no new version",
    async (body) => {
      await using shop = await openTestShop();
      const { path } = await openEndpoint(shop);
      shop.clock.advance(1_000);

      const same = await shop.put(path, body);

      expect(same.body).toMatchObject({ version: 1, updated_at: MORNING });
    },
  );

  test("needs the current version", async () => {
    const { path, answer } = await openEndpoint(shared);
    const headers = { "If-Match": answer.headers.get("etag") ?? "" };

    const changed = await shared.put(path, { description: "Mine" }, { headers });
    const refused = await shared.put(path, { description: "Yours" }, { headers });

    expect([changed.status, refused.status, refused.code]).toEqual([200, 412, "stale_version"]);
    expect(refused.at("/current_version")).toBe(2);
    expect((await shared.get(path)).at("/description")).toBe("Mine");
  });

  test("succeeds although deliveries failed since the read", async () => {
    const endpoint = await openEndpoint(shared);
    const read = await shared.get(endpoint.path);
    await sicken(shared, endpoint);
    const tag = read.headers.get("etag") ?? "";

    const news = await shared.get(endpoint.path, { headers: { "If-None-Match": tag } });
    const changed = await shared.put(
      endpoint.path,
      { description: "Mine" },
      { headers: { "If-Match": tag } },
    );

    expect([news.status, news.at("/version")]).toEqual([200, 1]);
    expect(changed.status).toBe(200);
  });

  test("is refused with a read-only field", async () => {
    const { path } = await openEndpoint(shared);

    const refused = await shared.put(path, {
      secret: "x",
      disabled_reason: "gone",
      status: "gone",
    });

    expect(refused.status).toBe(422);
    expect(refused.faults.toSorted()).toEqual([
      "#/disabled_reason unknown_field",
      "#/secret unknown_field",
      "#/status invalid_choice",
    ]);
  });
});

describe("a deleted endpoint", () => {
  test("is gone with its health and replay, and nothing is announced", async () => {
    const endpoint = await openEndpoint(shared);
    await sicken(shared, endpoint);
    await replayFor(shared, endpoint);

    const deleted = await shared.delete(endpoint.path);

    expect([deleted.status, deleted.text]).toEqual([204, ""]);
    expect((await shared.get(endpoint.path)).code).toBe("webhook_not_found");
    expect((await findAllHealth(shared.test.database.read)).size).toBe(0);
    expect(await findReplay(shared.test.database.read, endpoint.id)).toBeNull();
    expect(await shared.announced()).toEqual([]);
  });

  test("is not deleted with an older version", async () => {
    const { path } = await openEndpoint(shared);

    const refused = await shared.delete(path, { headers: { "If-Match": '"0"' } });

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect((await shared.get(path)).status).toBe(200);
  });
});

describe("an endpoint of the other mode is not found", () => {
  test.each([
    ["GET", "", {}],
    ["PUT", "", { text: "{}" }],
    ["DELETE", "", {}],
    ["POST", "/rotate-secret", { text: "{}" }],
  ])("for %s %s", async (method, below, body) => {
    const { id, path } = await openEndpoint(shared);
    const before = await rowOf(shared, id);
    const key = await shared.createKey({ mode: "live" });

    const refused = await shared.send(method, path + below, { key, ...body });

    expect([refused.status, refused.code]).toEqual([404, "webhook_not_found"]);
    expect(await rowOf(shared, id)).toEqual(before);
  });
});

describe("a key", () => {
  test.each([
    ["storefront", 403, 403, 403],
    ["read_only", 200, 403, 403],
    ["webhooks:write", 403, 403, 403],
    ["webhooks:write,events:read", 403, 201, 200],
  ] as const)(
    "with %s gets %d for listing, %d for creating and %d for changing",
    async (...row) => {
      const [grants, read, made, changed] = row;
      const { id } = await shared.post("/v2/webhooks", unused);
      const key = await shared.createKey({ scopes: grants.split(",") });

      const answers = [
        await shared.get("/v2/webhooks", { key }),
        await shared.post("/v2/webhooks", unused, { key }),
        await shared.put(`/v2/webhooks/${id}`, unused, { key }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([read, made, changed]);
    },
  );
});

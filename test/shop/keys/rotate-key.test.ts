// Rotating a key: the new one takes over, and the previous one ends after the overlap.

import { describe, expect, test } from "bun:test";

import { HOUR_MS } from "#kernel/time.ts";
import { wants } from "#messaging/webhooks/endpoints/webhook.ts";

import { atOnce } from "../../support/at-once.ts";
import { sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

function make(shop: TestShop, terms: Readonly<Record<string, unknown>> = {}) {
  return shop.post("/v2/keys", {
    name: "Backend",
    scopes: ["keys:write", "orders:read"],
    ...terms,
  });
}

function rotate(shop: TestShop, id: string, { hours = 24, key = shop.key } = {}) {
  return shop.post(`/v2/keys/${id}/rotate`, { overlap_hours: hours }, { key });
}

describe("a rotated key", () => {
  test("has a successor of the same name, scopes and limits", async () => {
    const made = await make(shop, { rate_per_minute: 30, expires_at: "2990-01-01T00:00:00Z" });

    const rotated = await rotate(shop, made.id);

    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({
      name: "Backend",
      scopes: ["keys:write", "orders:read"],
      rate_per_minute: 30,
      expires_at: "2990-01-01T00:00:00.000Z",
    });
    expect((await shop.get("/v2/orders", { key: rotated.string("/key") })).status).toBe(200);
  });

  test("stays valid until the overlap ends, and no longer than it would have", async () => {
    const [one, short] = [
      await make(shop),
      await make(shop, { expires_at: new Date(Date.now() + HOUR_MS).toISOString() }),
    ];

    await rotate(shop, one.id, { hours: 2 });
    await rotate(shop, short.id, { hours: 2 });

    const ended = await shop.get(`/v2/keys/${one.id}`);
    const leftMs = Date.parse(ended.string("/expires_at")) - Date.now();
    expect(leftMs).toBeWithin(HOUR_MS, 2 * HOUR_MS + 1);
    expect((await shop.get(`/v2/keys/${short.id}`)).at("/expires_at")).toBe(
      short.at("/expires_at"),
    );
    expect((await shop.get("/v2/orders", { key: one.string("/key") })).status).toBe(200);
  });

  test("without an overlap is revoked", async () => {
    const made = await make(shop);

    await rotate(shop, made.id, { hours: 0 });

    expect((await shop.get("/v2/orders", { key: made.string("/key") })).status).toBe(401);
    const again = await rotate(shop, made.id);
    expect([again.status, again.code]).toEqual([409, "key_ended"]);
  });

  test("hands its idempotency keys to its successor", async () => {
    const made = await make(shop, { scopes: ["keys:write", "customers:write"] });
    const headers = { "Idempotency-Key": "once" };
    const ada = { email: "ada@example.com" };
    const first = await shop.post("/v2/customers", ada, { key: made.string("/key"), headers });

    const rotated = await rotate(shop, made.id, { hours: 0 });
    const key = rotated.string("/key");
    const retried = await shop.post("/v2/customers", ada, { key, headers });

    expect([first.status, retried.text]).toEqual([201, first.text]);
  });

  test("has one successor, however often it is rotated at once without an overlap", async () => {
    const made = await make(shop);

    const answers = await atOnce(5, () => rotate(shop, made.id, { hours: 0 }));

    const codes = answers.map(({ status }) => String(status)).toSorted();
    expect(codes).toEqual(["201", "409", "409", "409", "409"]);
  });
});

test("a key cannot rotate one that may do more than itself, and so come by its text", async () => {
  const made = await make(shop);
  const key = await shop.createKey({ scopes: ["keys:write"] });

  const refused = await rotate(shop, made.id, { key });

  expect([refused.status, refused.code]).toEqual([403, "scope_not_held"]);
});

test("the successor of a key that expires later ends with the key that asks", async () => {
  const made = await make(shop, { rate_per_minute: 30 });
  const expiry = "2990-01-01T00:00:00.000Z";
  const key = await shop.createKey({ expiresAt: Date.parse(expiry), ratePerMinute: 20 });

  const rotated = await rotate(shop, made.id, { key });

  expect([rotated.at("/expires_at"), rotated.at("/rate_per_minute")]).toEqual([expiry, 20]);
});

test("keys are announced without their text, as created and as revoked", async () => {
  const made = await make(shop);
  const rotated = await rotate(shop, made.id, { hours: 0 });

  const told = await shop.announced();

  expect(told.map(({ event }) => event)).toEqual(["key.created", "key.created", "key.revoked"]);
  expect(told[1]?.data).toMatchObject({ id: rotated.id, replaces: made.id });
  expect(JSON.stringify(told)).not.toContain(rotated.string("/key"));
});

test("a webhook learns of keys only if it names their events", () => {
  expect(["*", "order.*"].map((pattern) => wants([pattern], "key.created"))).toEqual([
    false,
    false,
  ]);
  expect(["key.*", "key.created"].map((name) => wants([name], "key.created"))).toEqual([
    true,
    true,
  ]);
  expect(wants(["*"], "order.placed")).toBeTrue();
});

// Secrets of endpoints: told once, kept sealed, rotated with an overlap.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";

import { toIso } from "#kernel/time.ts";
import { isSecret } from "#messaging/webhooks/endpoints/signature.ts";
import type { Endpoint } from "#messaging/webhooks/endpoints/webhook.ts";

import { rowsBehind, tablesBehind } from "../../support/behind-the-shop.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../../support/shop.ts";
import { openEndpoint, rowOf, unheard } from "./endpoints.ts";

const HOUR_MS = 3_600_000;

/** Every row of the test shop's tables, as text. */
async function allRows({ folder }: TestShop): Promise<string> {
  const tables = await tablesBehind(folder.path);
  const rows = tables.map((name) => rowsBehind(folder.path, `SELECT * FROM "${name}"`));
  return JSON.stringify(await Promise.all(rows));
}

/** Which files of the data directory hold these bytes. */
function filesWith(shop: TestShop, bytes: string | Uint8Array): string[] {
  return readdirSync(shop.folder.path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => readFileSync(shop.folder.file(name)).includes(bytes));
}

/** The bytes that a secret stands for. */
function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.slice("whsec_".length), "base64");
}

/** The secrets that sign now, as they are kept: the new one, then the old one. */
function unsealed(shop: TestShop, row: Endpoint): (string | null)[] {
  return [row.sealedSecret, row.sealedOldSecret].map((sealed) =>
    sealed === null ? null : shop.test.database.vault.unseal(sealed),
  );
}

describe("a secret", () => {
  test("is one that every verifier takes, and each endpoint has its own", async () => {
    await using shop = await openTestShop();

    const [one, other] = [await openEndpoint(shop), await openEndpoint(shop)];

    expect([isSecret(one.secret), bytesOf(one.secret).length]).toEqual([true, 32]);
    expect(one.secret).not.toBe(other.secret);
  });

  test("is in the answer that made it and in no other", async () => {
    await using shop = await openTestShop();
    const { path, secret } = await openEndpoint(shop);

    const answers = [
      await shop.get(path),
      await shop.get("/v2/webhooks"),
      await shop.put(path, { description: "The till." }),
      await shop.put(path, { status: "disabled" }),
      await shop.get("/v2/events"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const told = answers.map(({ text }) => text).join("\n");
    expect(told).not.toContain(secret.slice("whsec_".length));
    expect(told).not.toContain("whsec_");
    expect(told).not.toContain('secret"');
    expect(told).not.toContain("v1.");
  });

  test("is told again to a retry with the same idempotency key", async () => {
    await using shop = await openTestShop();
    const headers = { "Idempotency-Key": "once" };
    const first = await shop.post("/v2/webhooks", unheard, { headers });

    const retried = await shop.post("/v2/webhooks", unheard, { headers });

    expect(retried.headers.get("idempotent-replayed")).toBe("true");
    expect(retried.text).toBe(first.text);
    expect((await shop.get("/v2/webhooks")).list("/data")).toHaveLength(1);
  });

  test("stands in no row and in no file, also where an answer was kept for a retry", async () => {
    await using shop = await openTestShop();
    const headers = { "Idempotency-Key": "once" };
    const made = await shop.post("/v2/webhooks", unheard, { headers });
    const rotated = await shop.post(
      `/v2/webhooks/${made.id}/rotate-secret`,
      {},
      { headers: { "Idempotency-Key": "twice" } },
    );

    const rows = await allRows(shop);

    const secrets = [made.string("/secret"), rotated.string("/secret")];
    const spellings = secrets.flatMap((secret) => [
      secret.slice("whsec_".length),
      bytesOf(secret).toString("base64url"),
      bytesOf(secret).toString("hex"),
    ]);
    expect(spellings.filter((spelling) => rows.includes(spelling))).toEqual([]);
    expect(rows).not.toContain("whsec_");
    expect(spellings.flatMap((spelling) => filesWith(shop, spelling))).toEqual([]);
    expect(secrets.flatMap((secret) => filesWith(shop, bytesOf(secret)))).toEqual([]);
    // The control: what is not sealed is found in the same way.
    expect(rows).toContain(unheard.url);
  });

  test("can be read by the shop itself", async () => {
    await using shop = await openTestShop();
    const { id, secret } = await openEndpoint(shop);

    expect(unsealed(shop, await rowOf(shop, id))).toEqual([secret, null]);
  });
});

test("an API key is not in the answer that is kept for a retry, and is told to it again", async () => {
  await using shop = await openTestShop();
  const headers = { "Idempotency-Key": "once" };
  const first = await shop.post("/v2/keys", { name: "Till" }, { headers });

  const retried = await shop.post("/v2/keys", { name: "Till" }, { headers });

  const text = first.string("/key").slice("test_sk_".length);
  expect(retried.text).toBe(first.text);
  expect(await allRows(shop)).not.toContain(text);
  expect(filesWith(shop, text)).toEqual([]);
});

describe("a rotation", () => {
  test("answers the new secret, and how long the old one signs too", async () => {
    await using shop = await openTestShop();
    const { id, path, secret } = await openEndpoint(shop);
    shop.clock.advance(1_000);

    const rotated = await shop.post(`${path}/rotate-secret`);

    expect(rotated.body).toMatchObject({
      id,
      old_secret_expires_at: toIso(MORNING_MS + 1_000 + 24 * HOUR_MS),
      version: 2,
      updated_at: toIso(MORNING_MS + 1_000),
    });
    expect(isSecret(rotated.string("/secret"))).toBeTrue();
    expect(unsealed(shop, await rowOf(shop, id))).toEqual([rotated.string("/secret"), secret]);
    const { secret: _told, ...shown } = Object(rotated.body);
    expect((await shop.get(path)).body).toEqual(shown);
    expect(await shop.announced()).toEqual([]);
  });

  test.each([1, 168])("overlaps for %d hours where that is asked", async (hours) => {
    await using shop = await openTestShop();
    const { path } = await openEndpoint(shop);

    const rotated = await shop.post(`${path}/rotate-secret`, { overlap_hours: hours });

    expect(rotated.at("/old_secret_expires_at")).toBe(toIso(MORNING_MS + hours * HOUR_MS));
  });

  test("without overlap leaves nothing of the old secret", async () => {
    await using shop = await openTestShop();
    const { id, path } = await openEndpoint(shop);
    await shop.post(`${path}/rotate-secret`);

    const rotated = await shop.post(`${path}/rotate-secret`, { overlap_hours: 0 });

    expect(rotated.at("/old_secret_expires_at")).toBeNull();
    expect(unsealed(shop, await rowOf(shop, id))).toEqual([rotated.string("/secret"), null]);
  });

  test("during the overlap of another leaves nothing of the oldest secret", async () => {
    await using shop = await openTestShop();
    const { id, path } = await openEndpoint(shop);
    const second = await shop.post(`${path}/rotate-secret`);

    const third = await shop.post(`${path}/rotate-secret`);

    const kept = unsealed(shop, await rowOf(shop, id));
    expect(kept).toEqual([third.string("/secret"), second.string("/secret")]);
  });

  test("overlaps on the shop's clock", async () => {
    await using shop = await openTestShop();
    const { path } = await openEndpoint(shop);
    await shop.post("/v2/test/clock/advance", { seconds: 3_600 });

    const rotated = await shop.post(`${path}/rotate-secret`, { overlap_hours: 2 });

    expect(rotated.at("/old_secret_expires_at")).toBe(toIso(MORNING_MS + 3 * HOUR_MS));
  });

  test("that is asked for twice with one idempotency key happens once", async () => {
    await using shop = await openTestShop();
    const { id, path, secret } = await openEndpoint(shop);
    const headers = { "Idempotency-Key": "once" };
    const first = await shop.post(`${path}/rotate-secret`, {}, { headers });

    const retried = await shop.post(`${path}/rotate-secret`, {}, { headers });

    expect(retried.text).toBe(first.text);
    expect(unsealed(shop, await rowOf(shop, id))).toEqual([first.string("/secret"), secret]);
  });

  test("is made under the version that was read", async () => {
    await using shop = await openTestShop();
    const { id, path, secret } = await openEndpoint(shop);

    const refused = await shop.post(
      `${path}/rotate-secret`,
      {},
      { headers: { "If-Match": '"7"' } },
    );

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect(unsealed(shop, await rowOf(shop, id))).toEqual([secret, null]);
  });

  test.each([-1, 169, 1.5, "1", null])("does not overlap for %p hours", async (hours) => {
    await using shop = await openTestShop();
    const { path } = await openEndpoint(shop);

    const refused = await shop.post(`${path}/rotate-secret`, { overlap_hours: hours });

    expect(refused.status).toBe(422);
    expect((await shop.get(path)).at("/version")).toBe(1);
  });

  test("gives a disabled endpoint a new secret too", async () => {
    await using shop = await openTestShop();
    const { path } = await openEndpoint(shop);
    await shop.put(path, { status: "disabled" });

    const rotated = await shop.post(`${path}/rotate-secret`);

    expect(rotated.body).toMatchObject({ status: "disabled", version: 3 });
  });
});

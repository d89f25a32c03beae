// Secrets of endpoints: returned once, stored sealed, rotated with an overlap.

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";

import { toIso } from "#kernel/time.ts";
import type { SealedEndpoint } from "#messaging/webhooks/endpoints/webhook.ts";
import { isSecret } from "#platform/net/signature.ts";

import { rowsBehind, tablesBehind } from "../../support/behind-the-shop.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../../support/shop.ts";
import { openEndpoint, rowOf, sharedSender, unused } from "./endpoints.ts";

const shared = sharedSender();

const HOUR_MS = 3_600_000;

/** Every row of the test shop's tables, as text. */
async function allRows({ folder }: TestShop): Promise<string> {
  const tables = await tablesBehind(folder.path);
  const rows = tables.map((name) => rowsBehind(folder.path, `SELECT * FROM "${name}"`));
  return JSON.stringify(await Promise.all(rows));
}

/** The files of the data directory that contain these bytes. */
function filesWith(shop: TestShop, bytes: string | Uint8Array): string[] {
  return readdirSync(shop.folder.path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => readFileSync(shop.folder.file(name)).includes(bytes));
}

/** The decoded bytes of a secret. */
function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.slice("whsec_".length), "base64");
}

/** The unsealed secrets of the row: the new one, then the previous one. */
function unsealed(shop: TestShop, row: SealedEndpoint): (string | null)[] {
  return [row.sealedSecret, row.sealedOldSecret].map((sealed) =>
    sealed === null ? null : shop.test.database.vault.unseal(sealed),
  );
}

describe("a secret", () => {
  test("is valid for every verifier and unique per endpoint", async () => {
    const [one, other] = [await openEndpoint(shared), await openEndpoint(shared)];

    expect([isSecret(one.secret), bytesOf(one.secret).length]).toEqual([true, 32]);
    expect(one.secret).not.toBe(other.secret);
  });

  test("is only in the response that created it", async () => {
    const { path, secret } = await openEndpoint(shared);

    const answers = [
      await shared.get(path),
      await shared.get("/v2/webhooks"),
      await shared.put(path, { description: "The till." }),
      await shared.put(path, { status: "disabled" }),
      await shared.get("/v2/events"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const texts = answers.map(({ text }) => text).join("\n");
    expect(texts).not.toContain(secret.slice("whsec_".length));
    expect(texts).not.toContain("whsec_");
    expect(texts).not.toContain('secret"');
    expect(texts).not.toContain("v1.");
  });

  test("is returned again to a retry with the same idempotency key", async () => {
    const headers = { "Idempotency-Key": "once" };
    const first = await shared.post("/v2/webhooks", unused, { headers });

    const retried = await shared.post("/v2/webhooks", unused, { headers });

    expect(retried.headers.get("idempotent-replayed")).toBe("true");
    expect(retried.text).toBe(first.text);
    expect((await shared.get("/v2/webhooks")).list("/data")).toHaveLength(1);
  });

  test("is in no row and no file, even if a response is stored for retries", async () => {
    await using shop = await openTestShop();
    const headers = { "Idempotency-Key": "once" };
    const made = await shop.post("/v2/webhooks", unused, { headers });
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
    // Control: text that is not sealed is found the same way.
    expect(rows).toContain(unused.url);
  });

  test("can be unsealed by the shop", async () => {
    const { id, secret } = await openEndpoint(shared);

    expect(unsealed(shared, await rowOf(shared, id))).toEqual([secret, null]);
  });
});

test("an API key is not in the stored response but is returned again to a retry", async () => {
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
  test("returns the new secret and the expiry of the previous one", async () => {
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
    const { secret: _, ...shown } = Object(rotated.body);
    expect((await shop.get(path)).body).toEqual(shown);
    expect(await shop.announced()).toEqual([]);
  });

  test.each([1, 168])("overlaps for %d hours on request", async (hours) => {
    const { path } = await openEndpoint(shared);

    const rotated = await shared.post(`${path}/rotate-secret`, { overlap_hours: hours });

    expect(rotated.at("/old_secret_expires_at")).toBe(toIso(MORNING_MS + hours * HOUR_MS));
  });

  test("without overlap deletes the previous secret", async () => {
    const { id, path } = await openEndpoint(shared);
    await shared.post(`${path}/rotate-secret`);

    const rotated = await shared.post(`${path}/rotate-secret`, { overlap_hours: 0 });

    expect(rotated.at("/old_secret_expires_at")).toBeNull();
    expect(unsealed(shared, await rowOf(shared, id))).toEqual([rotated.string("/secret"), null]);
  });

  test("during another overlap deletes the oldest secret", async () => {
    const { id, path } = await openEndpoint(shared);
    const second = await shared.post(`${path}/rotate-secret`);

    const third = await shared.post(`${path}/rotate-secret`);

    const kept = unsealed(shared, await rowOf(shared, id));
    expect(kept).toEqual([third.string("/secret"), second.string("/secret")]);
  });

  test("overlaps on the shop's clock", async () => {
    await using shop = await openTestShop();
    const { path } = await openEndpoint(shop);
    await shop.post("/v2/test/clock/advance", { seconds: 3_600 });

    const rotated = await shop.post(`${path}/rotate-secret`, { overlap_hours: 2 });

    expect(rotated.at("/old_secret_expires_at")).toBe(toIso(MORNING_MS + 3 * HOUR_MS));
  });

  test("that is requested twice with one idempotency key happens once", async () => {
    const { id, path, secret } = await openEndpoint(shared);
    const headers = { "Idempotency-Key": "rotated" };
    const first = await shared.post(`${path}/rotate-secret`, {}, { headers });

    const retried = await shared.post(`${path}/rotate-secret`, {}, { headers });

    expect(retried.text).toBe(first.text);
    expect(unsealed(shared, await rowOf(shared, id))).toEqual([first.string("/secret"), secret]);
  });

  test("needs the current version", async () => {
    const { id, path, secret } = await openEndpoint(shared);

    const refused = await shared.post(
      `${path}/rotate-secret`,
      {},
      { headers: { "If-Match": '"7"' } },
    );

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect(unsealed(shared, await rowOf(shared, id))).toEqual([secret, null]);
  });

  test.each([-1, 169, 1.5, "1"])("does not overlap for %p hours", async (hours) => {
    const { path } = await openEndpoint(shared);

    const refused = await shared.post(`${path}/rotate-secret`, { overlap_hours: hours });

    expect(refused.status).toBe(422);
    expect((await shared.get(path)).at("/version")).toBe(1);
  });

  test("works for a disabled endpoint too", async () => {
    const { path } = await openEndpoint(shared);
    await shared.put(path, { status: "disabled" });

    const rotated = await shared.post(`${path}/rotate-secret`);

    expect(rotated.body).toMatchObject({ status: "disabled", version: 3 });
  });
});

// What the check of backups finds: how old the last one is that was proved, and whether orders would be lost.

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { backup } from "#checks/safety-checks.ts";
import { DAY_MS, HOUR_MS, toIso } from "#kernel/time.ts";
import { MANIFEST_FILE, renderManifest, signManifest } from "#platform/backup/manifest.ts";
import { vaultWith } from "#platform/vault/vault.ts";
import { getStore } from "#shop/store/lookups.ts";

import { MORNING_MS, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { find, seenAt } from "./seen.ts";

const database = {
  packedBytes: 1,
  packedSha256: "",
  bytes: 1,
  sha256: "",
  migrations: [],
  rows: {},
};

/** Writes what tells of a proved backup of the shop that was made then. */
async function keepBackup(
  shop: TestShop,
  madeAt: number,
  { differences = 0, vault = shop.live.database.vault } = {},
): Promise<void> {
  const createdAt = toIso(madeAt);
  const { id: storeId } = await getStore(shop.live.database.read);
  const contents = { storeId, createdAt, dukaVersion: "0.2.0", differences };
  const manifest = signManifest(
    { ...contents, databases: { live: database, test: database } },
    vault,
  );
  const folder = join(shop.folder.path, "backups", `duka-${createdAt.replaceAll(":", "")}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, MANIFEST_FILE), renderManifest(manifest));
}

/** Places an order in the live shop; its id tells that it is of the morning. */
async function orderInLive(shop: TestShop): Promise<void> {
  const key = await shop.createKey({ mode: "live" });
  const lines = [{ name: "Mug", quantity: 1, unit_price: "5.00" }];
  const placed = await shop.post("/v2/orders", { line_items: lines }, { key });
  expect(placed.status).toBe(201);
}

const shop = sharedShop();

test("a shop without a backup is told to make one", async () => {
  expect(await find(backup, seenAt(shop))).toEqual({
    state: "todo",
    found: "There is no backup.",
    do: "Set DUKA_BACKUP_SCHEDULE, or run duka backup every night.",
  });
});

test("a backup of the last 26 hours is as it should be, an older one is not", async () => {
  await using own = await openTestShop();
  await keepBackup(own, MORNING_MS);
  const stateAfter = async (ms: number) =>
    (await find(backup, seenAt(own, { now: () => MORNING_MS + ms }))).state;

  expect(await stateAfter(26 * HOUR_MS - 1)).toBe("ok");
  expect(await stateAfter(26 * HOUR_MS)).toBe("todo");
  expect(await stateAfter(30 * DAY_MS)).toBe("todo");
});

test("seven days without a backup fail once there are live orders", async () => {
  await using own = await openTestShop();
  const stateAfter = async (ms: number) =>
    (await find(backup, seenAt(own, { now: () => MORNING_MS + ms }))).state;

  await orderInLive(own);
  const without = [await stateAfter(7 * DAY_MS - 1), await stateAfter(7 * DAY_MS + 1)];
  await keepBackup(own, MORNING_MS + DAY_MS);

  expect(without).toEqual(["todo", "fail"]);
  expect(await stateAfter(8 * DAY_MS - 1)).toBe("todo");
  expect(await stateAfter(8 * DAY_MS)).toBe("fail");
});

test("a backup of another key, or with differences, counts for none", async () => {
  await using own = await openTestShop();
  await keepBackup(own, MORNING_MS, { vault: vaultWith([new Uint8Array(32).fill(9)], []) });
  await keepBackup(own, MORNING_MS + 1, { differences: 1 });

  expect((await find(backup, seenAt(own))).found).toBe("There is no backup.");
});

test("on PostgreSQL it is not known", async () => {
  const settings = { DUKA_DATABASE_URL: "postgres://duka@localhost/shop" };

  expect((await find(backup, seenAt(shop, { settings }))).state).toBe("unknown");
});

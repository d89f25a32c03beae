// What the check of backups finds: how old the last one is that was proved, and whether orders would be lost.

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { backup } from "#checks/safety-checks.ts";
import { DAY_MS, HOUR_MS, toIso } from "#kernel/time.ts";
import { MANIFEST_FILE, renderManifest, signManifest } from "#platform/backup/manifest.ts";
import { vaultWith } from "#platform/vault/vault.ts";
import { getStore } from "#shop/store/lookups.ts";

import { openDashboard } from "../dashboard/dashboard-shop.ts";
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

const settings = {
  DUKA_BACKUP_S3_ENDPOINT: "https://s3.example",
  DUKA_BACKUP_S3_BUCKET: "backups",
  DUKA_BACKUP_S3_KEY: "AKEXAMPLE",
  DUKA_BACKUP_S3_SECRET: "hunter2",
};

test("a bucket that has no backup of the last 26 hours fails, whatever the folder has", async () => {
  await using own = await openTestShop();
  const seen = (ms: number) => seenAt(own, { settings, now: () => MORNING_MS + ms });
  const { copies } = seen(0).config.backup;
  const note = (at: number, prefix = "") =>
    copies !== null &&
    writeFileSync(
      join(own.folder.path, "duka.copied"),
      `${toIso(at)}\nthe bucket backups at https://s3.example, ${prefix}\n`,
    );
  const found = async (ms: number) => {
    const finding = await find(backup, seen(ms));
    return [finding.state, finding.found];
  };
  const last = "The last verified backup is of 2026-01-05 08:00 UTC.";

  expect(await found(0)).toEqual(["todo", "There is no backup."]);
  await keepBackup(own, MORNING_MS);
  expect(await found(0)).toEqual(["fail", `${last} The bucket has none.`]);
  note(MORNING_MS, "other/");
  expect((await found(0))[0]).toBe("fail");
  note(MORNING_MS);
  expect(await found(26 * HOUR_MS - 1)).toEqual(["ok", `${last} The bucket has it.`]);
  await keepBackup(own, MORNING_MS + HOUR_MS);
  expect((await found(26 * HOUR_MS - 1))[0]).toBe("ok");
  expect(await find(backup, seen(26 * HOUR_MS))).toEqual({
    state: "fail",
    found:
      "The last verified backup is of 2026-01-05 09:00 UTC. The bucket has that of 2026-01-05 08:00 UTC.",
    do: "See in the log why it cannot be copied, or run duka backup upload.",
  });
});

test("the age of the backups of each place is told to the operator, and a failing one to the owner", async () => {
  await using dashboard = await openDashboard({ settings });
  const { shop: own, owner } = dashboard;
  await orderInLive(own);
  await keepBackup(own, Date.now() - 2 * HOUR_MS);

  const ready = Object(await (await fetch(`${own.url}/readyz`)).json());
  const metrics = await (await fetch(`${own.url}/metrics`)).text();

  expect(ready.backup_age).toEqual({ folder: expect.any(Number), bucket: null });
  expect(ready.backup_age.folder).toBeGreaterThanOrEqual(7_200);
  expect(metrics).toMatch(/^duka_backup_age_seconds\{place="folder"\} 7\d\d\d$/m);
  expect(metrics).not.toContain('place="bucket"');
  expect((await owner.get("/dashboard")).text).toMatch(
    /1 Backup The last verified backup is of .* The bucket has none\./,
  );
  const staff = await dashboard.join("staff", "Kofi");
  expect((await staff.get("/dashboard")).text).not.toContain("backup");
});

test("on PostgreSQL it is not known", async () => {
  const onServer = { DUKA_DATABASE_URL: "postgres://duka@localhost/shop" };

  expect((await find(backup, seenAt(shop, { settings: onServer }))).state).toBe("unknown");
});

// What the checks of the server find, each in each of its states.

import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";

import { publicUrl, serving, testMode } from "#checks/address-checks.ts";
import { measureSyncs } from "#checks/disk-syncs.ts";
import { clock, diskSpace, diskSync, openFiles } from "#checks/machine-checks.ts";
import { readOpenFilesMax } from "#checks/open-files.ts";
import { files, secretKey } from "#checks/safety-checks.ts";
import { openSnapshot } from "#platform/database/open-database.ts";
import { OutsideClock } from "#platform/net/ask.ts";
import { openVault } from "#platform/vault/vault.ts";
import { wasKeyUsed } from "#shop/keys/lookups.ts";

import { databasePlace } from "../support/postgres-databases.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { openTestShop, sharedShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { configOf, find, seenAt } from "./seen.ts";

const shop = sharedShop();
const GIB = 1_073_741_824;

describe("serving", () => {
  test("is as it should be while the server answers", async () => {
    expect(await find(serving, seenAt(shop))).toMatchObject({ state: "ok" });
  });

  test("fails where no server runs, and says how one is started", async () => {
    expect(await find(serving, seenAt(shop, { servedAt: null }))).toEqual({
      state: "fail",
      found: `No server runs on ${shop.folder.path}.`,
      do: "Start it with duka serve.",
    });
  });
});

describe("the public address", () => {
  const https = { DUKA_PUBLIC_URL: "https://shop.example" };
  const plain = { DUKA_PUBLIC_URL: "http://shop.example" };

  test("waits while the shop is only tried out, and fails once a live key was used", async () => {
    await using own = await openTestShop();
    const stateOf = async (settings: Readonly<Record<string, string>>) =>
      (await find(publicUrl, seenAt(own, { settings }))).state;
    const before = [await stateOf({}), await stateOf(plain), await stateOf(https)];

    const key = await own.createKey({ mode: "live", scopes: ["store:read"] });
    await own.get("/v2/store", { key });
    await until(() => wasKeyUsed(own.live.database.read), "the use was not saved");

    expect(before).toEqual(["todo", "todo", "ok"]);
    expect([await stateOf({}), await stateOf(plain), await stateOf(https)]).toEqual([
      "fail",
      "fail",
      "ok",
    ]);
  });
});

describe("test mode", () => {
  const stateOf = async (settings: Readonly<Record<string, string>>) =>
    (await find(testMode, seenAt(shop, { settings }))).state;

  test("is to be switched off at a public address alone", async () => {
    const DUKA_PUBLIC_URL = "https://shop.example";

    expect(await stateOf({})).toBe("ok");
    expect(await stateOf({ DUKA_PUBLIC_URL })).toBe("todo");
    expect(await stateOf({ DUKA_PUBLIC_URL, DUKA_TEST_MODE: "off" })).toBe("ok");
  });
});

describe("the disk", () => {
  test("has room, little room, or takes no writes", async () => {
    const stateOf = async (parts: Parameters<typeof seenAt>[1]) =>
      (await find(diskSpace, seenAt(shop, parts))).state;
    const room = (free: number) => ({ readDisk: () => ({ free, total: 100 * GIB }) });

    expect(await stateOf(room(2 * GIB))).toBe("ok");
    expect(await stateOf(room(2 * GIB - 1))).toBe("todo");
    expect(await stateOf({ isWritable: false })).toBe("fail");
    expect(await stateOf({ readDisk: () => null })).toBe("fail");
  });
});

describe("what the disk keeps", () => {
  test("is kept at once, late, or sooner than a disk can", async () => {
    const findSync = (...times: number[]) =>
      find(diskSync, seenAt(shop, { measureSyncs: async () => times }));

    expect(await findSync(90, 0.2, 20)).toMatchObject({
      state: "ok",
      found: "The disk keeps a write in 20.0 ms.",
    });
    expect((await findSync(20.1)).state).toBe("todo");
    expect(await findSync(0.02)).toMatchObject({
      state: "todo",
      found: expect.stringContaining("It may not keep what it acknowledges"),
    });
  });

  test("is measured by twenty syncs that leave nothing behind", async () => {
    using scratch = openScratchFolder();

    const times = await measureSyncs(scratch.path);

    expect(times).toHaveLength(20);
    expect(readdirSync(scratch.path)).toEqual([]);
  });
});

describe("the clock", () => {
  test("agrees with others, nearly, not at all, or was not compared", async () => {
    const stateOf = async (skewMs: number | null) =>
      (await find(clock, seenAt(shop, { skewMs }))).state;

    expect(await stateOf(5_000)).toBe("ok");
    expect(await stateOf(30_000)).toBe("todo");
    expect(await stateOf(30_001)).toBe("fail");
    expect(await stateOf(null)).toBe("unknown");
  });

  test("is compared with the last eight servers, of which one is enough to agree with", () => {
    const outside = new OutsideClock();
    const before = outside.skewMs;

    for (const skewMs of [1, 900, 100, 900, 900, 900, 900, 900, 900]) outside.note(skewMs);

    expect([before, outside.skewMs]).toEqual([null, 100]);
  });
});

describe("open files", () => {
  test("are enough, few, or not told by the system", async () => {
    const stateOf = async (openFilesMax: number | null) =>
      (await find(openFiles, seenAt(shop, { openFilesMax }))).state;

    expect(await stateOf(4_096)).toBe("ok");
    expect(await stateOf(1_024)).toBe("todo");
    expect(await stateOf(null)).toBe("unknown");
  });

  test("of this process are as many as the shell says", () => {
    const { stdout } = Bun.spawnSync(["sh", "-c", "ulimit -n"]);
    const said = stdout.toString().trim();

    expect(readOpenFilesMax() ?? Number(said)).toBeGreaterThanOrEqual(Number(said) || 0);
  });
});

describe("the files", () => {
  test("are for their user alone, or fail, unless the settings share them", async () => {
    using scratch = openScratchFolder();
    const path = scratch.file("data");
    mkdirSync(path, { mode: 0o700 });
    const stateOf = async (settings: Readonly<Record<string, string>> = {}) =>
      find(files, seenAt(shop, { settings: { ...settings, DUKA_DATA_DIR: path } }));
    const before = await stateOf();

    chmodSync(path, 0o755);

    expect(before.state).toBe("ok");
    expect(await stateOf()).toMatchObject({
      state: "fail",
      found: `Other users of the machine can read ${path}.`,
    });
    expect((await stateOf({ DUKA_ALLOW_SHARED_FILES: "1" })).state).toBe("ok");
  });
});

describe("the key of the secrets", () => {
  const other = Buffer.alloc(32, 9).toString("base64");

  test("in a file is to be copied elsewhere, in the settings it is as it should be", async () => {
    expect((await find(secretKey, seenAt(shop))).state).toBe("todo");
    expect(
      (await find(secretKey, seenAt(shop, { settings: { DUKA_SECRET_KEY: other } }))).state,
    ).toBe("ok");
  });

  test("that opens nothing fails", async () => {
    const { dataDirectory } = configOf(shop);
    const vault = openVault(dataDirectory, other);
    await using snapshot = await openSnapshot("live", await databasePlace(dataDirectory), vault);

    const finding = await find(secretKey, seenAt(shop, { live: snapshot.reader }));

    expect(finding.state).toBe("fail");
  });
});

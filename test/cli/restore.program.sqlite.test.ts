// `duka restore` replaces the databases by those of a backup, or changes nothing.

import { Database as SqliteFile } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

import { setAccount } from "#payments/gateways/accounts.ts";
import { readManifest, renderManifest, signManifest } from "#platform/backup/manifest.ts";
import { noteSwap } from "#platform/backup/swap.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { openVault } from "#platform/vault/vault.ts";

import { of, place } from "../sales/orders/counter.ts";
import { openDoor } from "../shop/people/open-door.ts";
import { rowsBehind, tamper } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { noonClock } from "../support/database.ts";
import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openTestShop } from "../support/shop.ts";

setDefaultTimeout(120_000);

const account = {
  gateway: "stripe",
  mode: "test",
  secret: "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
  display: "sk_test_…p7dc",
  webhookSecrets: null,
  by: null,
} as const;
const endpointBody = { url: "https://shop.example/hooks", events: ["*"] };
const onceOnly = { headers: { "Idempotency-Key": "an-endpoint" } };

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

function duka(...args: string[]) {
  return runDuka(args, { folder });
}

/** Makes a shop with one counter of this value in each database; no server runs there. */
function makeShop(value: number, migrations = sqliteMigrations): void {
  mkdirSync(scratch.file("data"), { recursive: true });
  for (const mode of ["live", "test"]) {
    const path = scratch.file(`data/${mode}.sqlite`);
    migrate(path, { clock: noonClock, migrations });
    using database = new SqliteFile(path);
    database.run("INSERT OR REPLACE INTO counters (name, value) VALUES ('order', ?)", [value]);
  }
}

/** The counters of both databases of a directory, live first. */
function countersIn(directory: string): (number | null)[] {
  return ["live", "test"].map((mode) => {
    using database = new SqliteFile(join(directory, `${mode}.sqlite`), { readonly: true });
    const row = database.query<{ value: number }, []>("SELECT value FROM counters").get();
    return row?.value ?? null;
  });
}

/** A backup with counters at 1; the counters of the data directory are at 2 afterwards. */
async function backUpThenChange(): Promise<string> {
  makeShop(1);
  const { stdout } = await duka("backup", "--to", scratch.file("backups"));
  makeShop(2);
  return stdout.trim();
}

/** The option that names the key of the shop in `data`. */
function withKey(): string[] {
  return ["--secret-key-file", scratch.file("data/secret.key")];
}

/** A data directory as a folder of a test shop. */
function folderOfShop(name: string): ScratchFolder {
  return {
    path: scratch.file(name),
    file: (one) => scratch.file(join(name, one)),
    [Symbol.dispose]() {},
  };
}

/** A backup of a shop with a key, an endpoint and a stored answer that contains its secret. */
async function backUpShopWithSecrets() {
  const shop = await openTestShop({ folder: folderOfShop("data") });
  const endpoint = await shop.post("/v2/webhooks", endpointBody, onceOnly);
  const live = await shop.createKey({ mode: "live", name: "Web server" });
  await shop[Symbol.asyncDispose]();
  const backup = (await duka("backup", "--to", scratch.file("backups"))).stdout.trim();
  return { backup, endpoint, key: shop.key, live };
}

function inShop(pattern: RegExp): string[] {
  return readdirSync(scratch.file("data")).filter((name) => pattern.test(name));
}

/** The files of a restore that is committed to its journal and has moved nothing yet. */
function decideRestore(backup: string): void {
  mkdirSync(scratch.file("data/restore-2026-03-01T120000.000Z"));
  for (const mode of ["live", "test"]) {
    const staged = scratch.file(`data/restore-2026-03-01T120000.000Z/${mode}.sqlite`);
    cpSync(scratch.file(`data/${mode}.sqlite`), staged);
    using database = new SqliteFile(staged);
    database.run("UPDATE counters SET value = 3");
  }
  noteSwap(scratch.file("data"), {
    staged: "restore-2026-03-01T120000.000Z",
    aside: "before-restore-2026-03-01T120000.000Z",
    backup,
  });
}

describe("a restore", () => {
  test("replaces the databases and keeps the earlier ones", async () => {
    const backup = await backUpThenChange();

    const ended = await duka("restore", backup);

    const aside = /^The earlier databases are in (\S+)\.$/m.exec(ended.stdout)?.[1] ?? "";
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain(`Restored the shop of ${readManifest(backup).createdAt}.`);
    expect(countersIn(scratch.file("data"))).toEqual([1, 1]);
    expect(countersIn(aside)).toEqual([2, 2]);
    expect(inShop(/^restore/)).toEqual([]);
  });

  test("can be undone: the databases that were kept are a sound shop", async () => {
    const backup = await backUpThenChange();
    const ended = await duka("restore", backup);
    const aside = /^The earlier databases are in (\S+)\.$/m.exec(ended.stdout)?.[1] ?? "";

    const checked = await duka("--data-dir", aside, "check");

    expect(checked.code).toBe(0);
  });

  test("into a missing directory makes a working shop", async () => {
    await using first = await openRunningDuka({ folder });
    const backup = (await duka("backup")).stdout.trim();

    const ended = await duka("--data-dir", "elsewhere", "restore", backup, ...withKey());

    cpSync(scratch.file("data/secret.key"), scratch.file("elsewhere/secret.key"));
    const settings = { DUKA_DATA_DIR: scratch.file("elsewhere") };
    await using second = await openRunningDuka({ folder, settings });
    const answer = await second.request("POST", "/v2/products", {
      key: first.key,
      body: { name: "Mug", price: 12.5 },
    });
    expect(ended.stdout).toContain("copy it to secret.key of the data directory");
    expect(ended.stdout).toEndWith("There were no earlier databases.\n");
    expect(answer.status).toBe(201);
  });

  test("of an older schema is migrated by the next start", async () => {
    makeShop(1, sqliteMigrations.slice(0, 3));
    const backup = (await duka("backup", "--to", scratch.file("backups"))).stdout.trim();

    const ended = await duka("restore", backup);

    await using running = await openRunningDuka({ folder });
    expect(ended.code).toBe(0);
    expect(running.greeting).toContain("is running");
    expect(countersIn(scratch.file("data"))).toContain(1);
  });

  test("leaves secret.key unchanged", async () => {
    const backup = await backUpThenChange();
    const before = readFileSync(scratch.file("data/secret.key"), "utf8");

    await duka("restore", backup);

    expect(inShop(/secret/)).toEqual(["secret.key"]);
    expect(readFileSync(scratch.file("data/secret.key"), "utf8")).toBe(before);
  });
});

describe("the keys of a backup", () => {
  test("are listed by a restore, and let in afterwards", async () => {
    const { backup, key } = await backUpShopWithSecrets();

    const ended = await duka("restore", backup);

    await using shop = await openTestShop({ folder: folderOfShop("data") });
    expect(ended.stdout).toMatch(/^live: key key_\w+ "Web server" \(full\)$/m);
    expect(ended.stdout).toMatch(/^test: key key_\w+ "First key" \(full\)$/m);
    expect((await shop.get("/v2/webhooks", { key })).status).toBe(200);
  });

  test("are revoked by --revoke-keys", async () => {
    const { backup, key, live } = await backUpShopWithSecrets();

    const ended = await duka("restore", backup, "--revoke-keys");

    await using shop = await openTestShop({ folder: folderOfShop("data") });
    const refused = [
      await shop.get("/v2/webhooks", { key }),
      await shop.get("/v2/orders", { key: live }),
    ];
    expect(ended.stdout).toMatch(/^live: revoked key key_\w+ "Web server"/m);
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe("the people of a backup", () => {
  /** A backup of a shop with an owner; the session of before. */
  async function backUpWithOwner(): Promise<{ backup: string; token: string }> {
    const door = await openDoor({ folder: folderOfShop("data") });
    const { token } = await door.owner();
    await door[Symbol.asyncDispose]();
    const { stdout } = await duka("backup", "--to", scratch.file("backups"));
    return { backup: stdout.trim(), token };
  }

  test("are listed by a restore, sign in afterwards, and their sessions have ended", async () => {
    const { backup, token } = await backUpWithOwner();

    const ended = await duka("restore", backup);

    await using door = await openDoor({ folder: folderOfShop("data") });
    expect(ended.stdout).toMatch(/^person per_\w+ "Ama" \(owner\)$/m);
    expect(await door.opens(token)).toBe(false);
    expect((await door.signIn()).visitor.person.name).toBe("Ama");
  });

  test("are removed by --revoke-people", async () => {
    const { backup } = await backUpWithOwner();

    const ended = await duka("restore", backup, "--revoke-people");

    await using door = await openDoor({ folder: folderOfShop("data") });
    expect(ended.stdout).toMatch(/^removed person per_\w+ "Ama" \(owner\)$/m);
    expect(door.shop.duka.firstLink).not.toBeNull();
  });
});

describe("a backup that no known key signed", () => {
  test("is not restored, and the option that names a key is told", async () => {
    const { backup } = await backUpShopWithSecrets();
    rmSync(scratch.file("data"), { recursive: true });

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("--secret-key-file");
    expect(inShop(/sqlite/)).toEqual([]);
  });

  test("is not verified, either", async () => {
    const { backup } = await backUpShopWithSecrets();
    writeFileSync(scratch.file("other.key"), `${Buffer.alloc(32, 9).toString("base64")}\n`);

    const ended = await duka("backup", "verify", backup, "--secret-key-file", "other.key");

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("another key than that of this shop signed it");
  });

  test("is restored with --unverified, and none of its secrets is used", async () => {
    const { backup, endpoint, key } = await backUpShopWithSecrets();
    rmSync(scratch.file("data"), { recursive: true });

    const ended = await duka("restore", backup, "--unverified");

    await using shop = await openTestShop({ folder: folderOfShop("data") });
    const found = await shop.get(`/v2/webhooks/${endpoint.id}`, { key });
    const again = await shop.post("/v2/webhooks", endpointBody, { ...onceOnly, key });
    expect(ended.stdout).toContain("Its webhooks are disabled until they have new secrets");
    expect(found.body).toMatchObject({ status: "disabled", disabled_reason: "needs_new_secret" });
    expect(again.id).not.toBe(endpoint.id);
  });

  test("is restored with --unverified, and no secret of a gateway is stored", async () => {
    const before = await openTestShop({ folder: folderOfShop("data") });
    await before.test.database.write((tx) => setAccount(tx, account));
    await before[Symbol.asyncDispose]();
    const backup = (await duka("backup", "--to", scratch.file("backups"))).stdout.trim();
    const kept = await rowsBehind(scratch.file("data"), "SELECT * FROM gateway_accounts");
    rmSync(scratch.file("data"), { recursive: true });

    const ended = await duka("restore", backup, "--unverified");

    expect(ended.stdout).toContain("no secret of a gateway is stored");
    expect(kept).toHaveLength(1);
    expect(await rowsBehind(scratch.file("data"), "SELECT * FROM gateway_accounts")).toEqual([]);
  });

  // An earlier version kept the secret of links in the clear, so who made the backup may know it.
  test("is restored with --unverified, and opens no link that its maker can sign", async () => {
    const before = await openTestShop({ folder: folderOfShop("data") });
    const { id } = await place(before, [of(await mug(before))]);
    await before[Symbol.asyncDispose]();
    await tamper(scratch.file("data"), "UPDATE cart_recovery SET secret = 'planted'");
    const backup = (await duka("backup", "--to", scratch.file("backups"))).stdout.trim();
    const maker = await openTestShop({ folder: folderOfShop("data") });
    const signed = (await maker.get(`/v2/orders/${id}`, { key: before.key })).string("/status_url");
    await maker[Symbol.asyncDispose]();
    rmSync(scratch.file("data"), { recursive: true });

    await duka("restore", backup, "--unverified");

    await using shop = await openTestShop({ folder: folderOfShop("data") });
    expect((await shop.get(`/v2/orders/${id}`, { key: before.key })).status).toBe(200);
    expect((await fetch(`${shop.url}${new URL(signed).pathname}`)).status).toBe(404);
  });

  test("is restored with the file that names its key", async () => {
    const { backup, endpoint, key } = await backUpShopWithSecrets();
    cpSync(scratch.file("data/secret.key"), scratch.file("kept.key"));
    rmSync(scratch.file("data"), { recursive: true });
    await duka("restore", backup, "--secret-key-file", "kept.key");
    cpSync(scratch.file("kept.key"), scratch.file("data/secret.key"));

    await using shop = await openTestShop({ folder: folderOfShop("data") });

    const again = await shop.post("/v2/webhooks", endpointBody, { ...onceOnly, key });
    expect(again.text).toBe(endpoint.text);
  });

  test("of before a rotation is known by the retired key", async () => {
    const { backup } = await backUpShopWithSecrets();
    await duka("secrets", "rotate");

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(0);
  });
});

describe("a restore is refused and nothing is changed", () => {
  test("while a server runs", async () => {
    await using running = await openRunningDuka({ folder });
    const backup = (await duka("backup")).stdout.trim();

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`Another Duka (process ${running.id}) already serves`);
    expect(inShop(/restore/)).toEqual([]);
  });

  test("if a file of the backup was truncated", async () => {
    const backup = await backUpThenChange();
    truncateSync(join(backup, "test.sqlite.zst"), 500);

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("The backup is damaged: test.sqlite.zst is 500 bytes long");
    expect(countersIn(scratch.file("data"))).toEqual([2, 2]);
    expect(inShop(/restore/)).toEqual([]);
  });

  test("if the backup was made by a newer Duka", async () => {
    const backup = await backUpThenChange();
    const manifest = readManifest(backup);
    const { test: inTest } = manifest.databases;
    const migrations = [...inTest.migrations, { name: "9999_later", hash: "0" }];
    const databases = { ...manifest.databases, test: { ...inTest, migrations } };
    writeFileSync(join(backup, "manifest.json"), renderManifest({ ...manifest, databases }));

    const ended = await duka("restore", backup);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("9999_later, which this program does not know");
    expect(countersIn(scratch.file("data"))).toEqual([2, 2]);
  });

  test("if figures in the backup do not agree, unless --despite-differences is given", async () => {
    const backup = await backUpThenChange();
    const manifest = readManifest(backup);
    const { live } = manifest.databases;
    const databases = {
      ...manifest.databases,
      live: { ...live, rows: { ...live.rows, orders: 9 } },
    };
    const vault = openVault(scratch.file("data"), null);
    const signed = signManifest({ ...manifest, databases }, vault);
    writeFileSync(join(backup, "manifest.json"), renderManifest(signed));

    const refused = await duka("restore", backup);
    const untouched = countersIn(scratch.file("data"));
    const accepted = await duka("restore", backup, "--despite-differences");

    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("live: orders: rows should be 9 and is 0\n");
    expect(refused.stdout).toContain("Nothing was restored");
    expect(untouched).toEqual([2, 2]);
    expect(accepted.code).toBe(0);
    expect(countersIn(scratch.file("data"))).toEqual([1, 1]);
  });

  test("if the path is no backup", async () => {
    makeShop(2);

    const ended = await duka("restore", "somewhere");

    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `${scratch.file("somewhere")} is not a backup of Duka: it has no manifest.json.\n`,
    });
  });
});

describe("a restore that was interrupted", () => {
  test("is finished by the same command, and not repeated", async () => {
    makeShop(2);
    decideRestore(scratch.file("monday"));

    const ended = await duka("restore", "monday");

    expect(ended.code).toBe(0);
    expect(ended.stdout).toStartWith(
      `Finished an interrupted restore of ${scratch.file("monday")}.\n`,
    );
    expect(countersIn(scratch.file("data"))).toEqual([3, 3]);
    expect(inShop(/restore/)).toEqual(["before-restore-2026-03-01T120000.000Z"]);
  });

  test("is finished before another one starts", async () => {
    const backup = await backUpThenChange();
    decideRestore(scratch.file("monday"));

    const ended = await duka("restore", backup);

    const asides = inShop(/^before-restore/).toSorted();
    expect(ended.code).toBe(0);
    expect(countersIn(scratch.file("data"))).toEqual([1, 1]);
    expect(asides.map((name) => countersIn(scratch.file(`data/${name}`)))).toEqual([
      [2, 2],
      [3, 3],
    ]);
  });

  test("before its journal was written is removed by the next one", async () => {
    const backup = await backUpThenChange();
    mkdirSync(scratch.file("data/restore-2026-03-01T120000.000Z"));
    mkdirSync(scratch.file("data/restore-notes"));

    await duka("restore", backup);

    expect(inShop(/^restore/)).toEqual(["restore-notes"]);
    expect(existsSync(scratch.file(`backups/${basename(backup)}`))).toBe(true);
  });
});

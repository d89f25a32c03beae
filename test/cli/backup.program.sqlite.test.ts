// `duka backup` beside a running server, and alone.

import { Database as SqliteFile } from "bun:sqlite";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

import { backupJobs } from "#platform/backup/job.ts";
import { openLog } from "#platform/log/log.ts";

import { errorOf } from "../support/database.ts";
import { openRunningDuka, program, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(120_000);

const CLIENTS = 4;

/** A data directory with both databases and one backup, made once and copied by tests that need no server. */
let template: ScratchFolder;
let scratch: ScratchFolder;
let folder = "";

beforeAll(async () => {
  template = openScratchFolder();
  await using running = await openRunningDuka({ folder: template.path });
  await running.end("SIGTERM");
  await runDuka(["backup"], { folder: template.path });
});

afterAll(() => template[Symbol.dispose]());

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

function duka(...args: string[]) {
  return runDuka(args, { folder });
}

/** Makes a data directory with both databases; no server runs there. */
function makeShop(): void {
  makeShopWithBackup();
  rmSync(scratch.file("data/backups"), { recursive: true });
}

/** The same with a backup; returns its path. */
function makeShopWithBackup(): string {
  cpSync(template.file("data"), scratch.file("data"), { recursive: true });
  return join(scratch.file("data/backups"), backups()[0] ?? "");
}

/** Clients that each place one order after the other until they are stopped. */
class Crowd {
  /** Ids of the acknowledged orders, in the order of their answers. */
  readonly acknowledged: string[] = [];
  readonly #clients: Promise<unknown>;
  #isStopped = false;
  #onOrder: () => void = () => {};

  constructor(running: RunningDuka, variantId: string) {
    const body = { line_items: [{ variant_id: variantId, quantity: 1 }] };
    const order = async () => {
      while (!this.#isStopped) {
        const answer = await running.request("POST", "/v2/orders", { body });
        const text = await answer.text();
        const id = /"id":"(ord_\w+)"/.exec(text)?.[1];
        if (answer.status !== 201 || id === undefined) throw new Error(text);
        this.acknowledged.push(id);
        this.#onOrder();
      }
    };
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, order));
  }

  /** Waits for this many more orders. */
  async place(count: number): Promise<void> {
    const wanted = this.acknowledged.length + count;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onOrder = () => void (this.acknowledged.length >= wanted && resolve());
    await Promise.race([promise, this.#clients]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#clients;
  }
}

async function stockMugs(running: RunningDuka): Promise<string> {
  const answer = await running.request("POST", "/v2/products", {
    body: { name: "Mug", price: 12.5, stock: 1_000_000 },
  });
  return /var_\w+/.exec(await answer.text())?.[0] ?? "";
}

function orderIds(path: string): Set<string> {
  using database = new SqliteFile(path, { readonly: true });
  const rows = database.query<{ id: string }, []>("SELECT id FROM orders").all();
  return new Set(rows.map(({ id }) => id));
}

/** Changes the test database without the server's knowledge. */
function tamper(statement: string): void {
  using database = new SqliteFile(scratch.file("data/test.sqlite"));
  database.run("PRAGMA busy_timeout = 5000");
  database.run(statement);
}

/** The option that names the key of the shop in `data`. */
function withKey(): string[] {
  return ["--secret-key-file", scratch.file("data/secret.key")];
}

function backups(): string[] {
  const backupFolder = scratch.file("data/backups");
  return existsSync(backupFolder) ? readdirSync(backupFolder).toSorted() : [];
}

/** Starts a backup and returns once its unfinished folder exists. */
async function beginBackup() {
  const backupFolder = scratch.file("data/backups");
  mkdirSync(backupFolder, { recursive: true });
  const child = Bun.spawn([...program, "backup"], {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  // A watch that begins late misses the folder, so it is looked for.
  const isBegun = () => readdirSync(backupFolder).some((name) => name.endsWith(".partial"));
  await until(() => isBegun() || child.exitCode !== null, "The backup did not begin.");
  return child;
}

describe("beside a running server", () => {
  test("a backup restores a sound shop with every order placed before it", async () => {
    await using running = await openRunningDuka({ folder });
    const crowd = new Crowd(running, await stockMugs(running));
    await crowd.place(100);
    const before = [...crowd.acknowledged];

    const made = await duka("backup");

    await crowd.place(1);
    await crowd.stop();
    const restored = await duka(
      "--data-dir",
      "restored",
      "restore",
      made.stdout.trim(),
      ...withKey(),
    );
    const checked = await duka("--data-dir", "restored", "check");
    const kept = orderIds(scratch.file("restored/test.sqlite"));
    expect(made.code).toBe(0);
    expect(restored.code).toBe(0);
    expect(checked).toMatchObject({
      code: 0,
      stdout: "test: everything agrees\nlive: everything agrees\n",
    });
    expect(before.filter((id) => !kept.has(id))).toEqual([]);
    expect(kept.isSubsetOf(new Set(crowd.acknowledged))).toBe(true);
  });

  test("a restored shop continues the order numbers of the backup", async () => {
    await using running = await openRunningDuka({ folder });
    const mug = await stockMugs(running);
    const body = { line_items: [{ variant_id: mug, quantity: 1 }] };
    await running.request("POST", "/v2/orders", { body });
    const made = await duka("backup");
    await running.request("POST", "/v2/orders", { body });
    await duka("--data-dir", "restored", "restore", made.stdout.trim(), ...withKey());
    cpSync(scratch.file("data/secret.key"), scratch.file("restored/secret.key"));

    await using again = await openRunningDuka({
      folder,
      settings: { DUKA_DATA_DIR: scratch.file("restored") },
    });
    const { key } = running;
    const order = await again.request("POST", "/v2/orders", { key, body });

    expect(await order.json()).toMatchObject({ number: 1002 });
  });
});

test("the path of a new backup is the only output on stdout", async () => {
  makeShop();

  const ended = await duka("backup", "--to", scratch.file("other"));

  const name = basename(ended.stdout.trim());
  expect(ended.code).toBe(0);
  expect(ended.stdout).toBe(`${join(scratch.file("other"), name)}\n`);
  expect(name).toMatch(/^duka-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/);
  expect(ended.stderr).toContain("live: ");
  expect(ended.stderr).toContain("everything agrees");
});

test("DUKA_BACKUP_FOLDER is the default folder of backups", async () => {
  makeShop();
  const settings = { DUKA_BACKUP_FOLDER: scratch.file("elsewhere") };

  const ended = await runDuka(["backup"], { folder, settings });

  expect(dirname(ended.stdout.trim())).toBe(scratch.file("elsewhere"));
});

test("a backup does not contain secret.key, and the operator is reminded to copy it", async () => {
  makeShop();

  const ended = await duka("backup");

  expect(readdirSync(ended.stdout.trim())).not.toContain("secret.key");
  expect(ended.stderr).toContain("The backup does not contain secret.key");
});

test("--keep deletes older backups of the shop after a new one", async () => {
  makeShopWithBackup();
  const second = await duka("backup");

  const third = await duka("backup", "--keep", "2");

  expect(backups()).toEqual([basename(second.stdout.trim()), basename(third.stdout.trim())]);
  expect(third.stderr).toContain("Deleted ");
});

test.each(["0", "many", "-1", "1.5"])("a backup with --keep=%s is refused", async (keep) => {
  makeShop();

  const ended = await duka("backup", `--keep=${keep}`);

  expect(ended.code).toBe(2);
  expect(ended.stderr).toStartWith(`--keep must be a whole number from 1, not "${keep}".\n`);
  expect(backups()).toEqual([]);
});

test("a shop with differences is backed up, they are printed, and no sound backup is deleted", async () => {
  await using running = await openRunningDuka({ folder });
  const mug = await stockMugs(running);
  const sound = await duka("backup");
  tamper("UPDATE inventory_levels SET on_hand = on_hand + 1");

  const ended = await duka("backup", "--keep", "1");

  const path = ended.stdout.trim();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`test: ${mug}: on_hand should be 1000000 and is 1000001\n`);
  expect(ended.stderr).toContain("The backup was kept, and no older one was deleted.");
  expect(backups()).toEqual([basename(sound.stdout.trim()), basename(path)]);
});

test("a backup of a directory without a shop fails", async () => {
  const ended = await duka("--data-dir", "nowhere", "backup");

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("There is no shop at");
  expect(existsSync(scratch.file("nowhere"))).toBe(false);
});

test("a folder that cannot be written to is reported in a sentence", async () => {
  makeShop();

  const ended = await duka("backup", "--to", "/dev/null/backups");

  expect(ended).toEqual({
    code: 1,
    stdout: "",
    stderr: "Cannot write to /dev/null/backups: a part of its path is not a folder.\n",
  });
});

test("a full disk ends a backup, and nothing of it is left", async () => {
  makeShop();
  const withSmallFiles = [
    "bash",
    "-c",
    `trap '' XFSZ; ulimit -f 200; exec "$@"`,
    "bash",
    ...program,
  ];

  const ended = await runDuka(["backup"], { folder, program: withSmallFiles });

  expect(ended.code).toBe(1);
  expect(ended.stdout).toBe("");
  expect(ended.stderr).toContain("live.sqlite could not be copied: ");
  expect(ended.stderr).not.toContain("    at ");
  expect(backups()).toEqual([]);
});

test("a backup that is stopped by a signal leaves nothing", async () => {
  makeShop();
  const child = await beginBackup();

  child.kill("SIGTERM");

  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toContain("Stopped by SIGTERM");
  expect(backups()).toEqual([]);
});

test("a killed backup leaves nothing that is listed, and the next one succeeds", async () => {
  makeShop();
  const child = await beginBackup();
  child.kill("SIGKILL");
  await child.exited;
  const listed = await duka("backup", "list", "--json");

  const next = await duka("backup");

  expect(JSON.parse(listed.stdout)).toEqual([]);
  expect(next.code).toBe(0);
});

describe("duka backup verify", () => {
  test("proves that a backup restores", async () => {
    const path = makeShopWithBackup();

    const ended = await duka("backup", "verify", path);

    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^live: \d+ rows in \d+ tables, everything agrees$/m);
    expect(ended.stdout).toMatch(/^The backup restores the shop of .+Z\.$/m);
  });

  test("refuses a backup in which a byte was changed", async () => {
    const path = makeShopWithBackup();
    const file = join(path, "test.sqlite.zst");
    writeFileSync(file, readFileSync(file).fill(0x55, 1000, 1001).fill(0xaa, 1001, 1002));

    const ended = await duka("backup", "verify", path);

    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("test.sqlite.zst does not match its checksum");
  });
});

test("the backups of a folder are listed as a table or as JSON", async () => {
  const path = makeShopWithBackup();

  const shown = await duka("backup", "list");
  const json = await duka("backup", "list", "--json");

  expect(shown.stdout).toMatch(/^MADE +SIZE +STATE +PATH\n/);
  expect(shown.stdout).toContain(path);
  expect(JSON.parse(json.stdout)).toEqual([
    expect.objectContaining({ path, state: "complete", differences: 0 }),
  ]);
});

describe("the scheduled backup", () => {
  function job(lines: string[]) {
    const [made] = backupJobs({
      schedule: "30 3 * * *",
      dataDirectory: scratch.file("data"),
      folder: scratch.file("other"),
      keep: 1,
      areCopied: false,
      places: {},
      secretKey: null,
      log: openLog({ level: "info", write: (line) => lines.push(line) }),
    });
    return made ?? { run: () => Promise.reject(new Error("There is no job.")) };
  }

  test("is made by a program of its own, and older ones are let go", async () => {
    const older = makeShopWithBackup();
    cpSync(older, join(scratch.file("other"), basename(older)), { recursive: true });
    const lines: string[] = [];

    await job(lines).run();

    const [name = ""] = readdirSync(scratch.file("other"));
    expect(readdirSync(scratch.file("other"))).toHaveLength(1);
    expect(name).not.toBe(basename(older));
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      message: "A backup was made or copied.",
      path: join(scratch.file("other"), name),
    });
  });

  test("that fails says why", async () => {
    const error = await errorOf(job([]).run());

    expect(error?.message).toContain("The backup command ended with 1: There is no shop at");
  });
});

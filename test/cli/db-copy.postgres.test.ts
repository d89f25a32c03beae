// `duka db copy` copies a whole shop into PostgreSQL and back, on either engine of the test run.

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
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";

import { SQL } from "bun";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres, type TestPostgres } from "../support/postgres-server.ts";
import { openRunningDuka, program } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { until } from "../support/until.ts";
import {
  countsIn,
  dukaIn,
  emptyDatabase,
  keyIn,
  makeShop,
  onFiles,
  rowsOf,
  tamper,
} from "./db-copy-shop.ts";

setDefaultTimeout(120_000);

let server: TestPostgres;
let original: ScratchFolder;
let scratch: ScratchFolder;
/** Of an empty database. */
let url = "";

beforeAll(async () => {
  server = await startPostgres();
  original = openScratchFolder();
  await makeShop(original);
});

afterAll(async () => {
  original[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

beforeEach(async () => {
  scratch = openScratchFolder();
  cpSync(original.file("data"), scratch.file("data"), { recursive: true });
  url = await emptyDatabase({ server });
});

afterEach(() => scratch[Symbol.dispose]());

function copy(from: string, to: string, settings: Readonly<Record<string, string>> = {}) {
  return dukaIn({ scratch }, ["db", "copy", "--from", from, "--to", to], settings);
}

/** What a Duka on PostgreSQL is given, in a directory of its own. */
function onServer(key = keyIn(scratch.file("data"))): Record<string, string> {
  return { DUKA_DATABASE_URL: url, DUKA_DATA_DIR: "elsewhere", DUKA_SECRET_KEY: key };
}

describe("a shop", () => {
  test("is copied into PostgreSQL and back with every row", async () => {
    const there = await copy("data", url);
    const back = await copy(url, "back");

    const before = rowsOf(scratch.file("data"));
    const tables = Object.entries(before).filter(([name]) => name.startsWith("test "));
    expect([there.code, there.stderr]).toEqual([0, ""]);
    expect([back.code, back.stderr]).toEqual([0, ""]);
    expect(tables.filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(rowsOf(scratch.file("back"))).toEqual(before);
  });

  test("is copied to the PostgreSQL of DUKA_DATABASE_URL", async () => {
    const settings = { DUKA_DATABASE_URL: url };
    using besideLitestream = new SqliteFile(scratch.file("data/live.sqlite"));
    besideLitestream.run("CREATE TABLE _litestream_lock (id INTEGER)");

    const there = await copy("data", "postgres", settings);
    const back = await copy("postgres", "back", settings);

    expect([there.code, there.stderr]).toEqual([0, ""]);
    expect([back.code, back.stderr]).toEqual([0, ""]);
    besideLitestream.run("DROP TABLE _litestream_lock");
    expect(rowsOf(scratch.file("back"))).toEqual(rowsOf(scratch.file("data")));
  });

  test("is reported table by table, with the same hashes both ways", async () => {
    const there = await copy("data", url);
    const back = await copy(url, "back");

    const linesOf = (text: string) => text.split("\n").filter((line) => /^(live|test) /.test(line));
    expect(linesOf(there.stdout)).toContainEqual(
      expect.stringMatching(/^test +stored_answers +2500 +[0-9a-f]{16}$/),
    );
    // The copy itself writes the mark of the key.
    expect(linesOf(back.stdout).filter((line) => !line.includes("vault_marks"))).toEqual(
      linesOf(there.stdout),
    );
  });

  test("continues in PostgreSQL, with search", async () => {
    await copy("data", url);
    await using duka = await openRunningDuka({ folder: scratch.path, settings: onServer() });
    const key = /test_sk_\w+/.exec((await keys(onServer())).stdout)?.[0] ?? "";

    const product = await duka.request("GET", "/v2/products?q=cay", { key });
    const person = await duka.request("GET", "/v2/customers?q=zoe", { key });
    const added = await duka.request("POST", "/v2/products", {
      key,
      body: { name: "New", price: 1 },
    });

    expect(await product.text()).toContain("Çay bardağı");
    expect(added.status).toBe(201);
    expect(await sequencesIn(url)).toEqual({ count: expect.any(Number), gaps: 0 });
    expect(await person.text()).toContain("Zoë Ωmega");
  });

  test("continues in a data directory, with search", async () => {
    await copy("data", url);
    await copy(url, "back");
    cpSync(scratch.file("data/secret.key"), scratch.file("back/secret.key"));
    const settings = { ...onFiles, DUKA_DATA_DIR: "back" };
    await using duka = await openRunningDuka({ folder: scratch.path, settings });
    const key = /test_sk_\w+/.exec((await keys(settings)).stdout)?.[0] ?? "";

    const product = await duka.request("GET", "/v2/products?q=cay", { key });
    const added = await duka.request("POST", "/v2/products", {
      key,
      body: { name: "New", price: 1 },
    });

    expect(await product.text()).toContain("Çay bardağı");
    expect(added.status).toBe(201);
  });

  test("that is still in files is named by commands on an empty PostgreSQL, with what moves it", async () => {
    const ended = await dukaIn({ scratch }, ["migrate"], { DUKA_DATABASE_URL: url });

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`There is a shop in the files of ${scratch.file("data")}.`);
    expect(ended.stderr).toContain(" migrate --data-dir ");
    expect(ended.stderr).toContain(" db copy --from ");
    expect(ended.stderr).not.toContain("Start one there");
    expect(await countsIn(url)).toEqual({});
  });

  test("is refused by a Duka with another secret key", async () => {
    const copied = await copy("data", url);

    const ended = await dukaIn(
      { scratch },
      ["serve"],
      onServer(Buffer.alloc(32).toString("base64")),
    );

    expect(copied.stdout).toContain(`set the content of ${scratch.file("data/secret.key")}`);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("sealed with another key");
  });

  test("that was copied without its key is refused with another one, and opened with its own", async () => {
    const key = keyIn(scratch.file("data"));
    rmSync(scratch.file("data/secret.key"));
    await copy("data", url);

    const refused = await keys(onServer(Buffer.alloc(32).toString("base64")));
    const made = await keys(onServer(key));

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("sealed with another key");
    expect(made).toMatchObject({ code: 0, stderr: "" });
  });

  test("is copied without its key, and the operator is told to copy the key", async () => {
    await copy("data", url);

    const ended = await copy(url, "back");

    expect(ended.stdout).toContain(
      `write the old DUKA_SECRET_KEY into ${scratch.file("back/secret.key")}`,
    );
    expect(ended.stdout).not.toContain(keyIn(scratch.file("data")));
  });
});

function keys(settings: Readonly<Record<string, string>>) {
  return dukaIn({ scratch }, ["keys", "create", "--mode", "test"], settings);
}

/** The number of events, and of gaps between the first and the last. */
async function sequencesIn(database: string) {
  await using sql = new SQL(database, { max: 1 });
  const [row] = await sql`
    SELECT count(*)::int AS count, (max(sequence) - min(sequence) + 1 - count(*))::int AS gaps
    FROM test.events`;
  return { ...row };
}

describe("a copy is refused and nothing is changed", () => {
  test("while a server serves the directory", async () => {
    await using duka = await openRunningDuka({ folder: scratch.path, settings: onFiles });

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`Another Duka (process ${duka.id}) already serves`);
    expect(await countsIn(url)).toEqual({});
  });

  test("while a server uses the PostgreSQL", async () => {
    await copy("data", url);
    await using _ = await openRunningDuka({ folder: scratch.path, settings: onServer() });

    const ended = await copy(url, "back");

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("Another Duka uses 127.0.0.1");
    expect(existsSync(scratch.file("back"))).toBe(false);
  });

  test("if the target has rows", async () => {
    await copy("data", url);
    const before = await countsIn(url);

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/, schema live is not empty: \w+ has \d+ rows/);
    expect(await countsIn(url)).toEqual(before);
  });

  test("if the directory has a shop", async () => {
    await copy("data", url);
    const before = rowsOf(scratch.file("data"));

    const ended = await copy(url, "data");

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`${scratch.file("data/live.sqlite")} is not empty`);
    expect(rowsOf(scratch.file("data"))).toEqual(before);
  });

  test("if the source has the schema of an older Duka", async () => {
    mkdirSync(scratch.file("old"));
    const migrations = sqliteMigrations.slice(0, 3);
    migrate(scratch.file("old/live.sqlite"), { clock: noonClock, migrations });

    const ended = await copy("old", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(
      "old/live.sqlite has the tables of an older Duka: run `duka migrate`",
    );
    expect(ended.stderr).toContain("without DUKA_DATABASE_URL");
    expect(await countsIn(url)).toEqual({});
  });

  test("if the target has the schema of a newer Duka", async () => {
    await dukaIn({ scratch }, ["migrate", "--init"], onServer());
    await tamper(url, "INSERT INTO test.migrations VALUES ('9999_later', '0', 1)");

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("9999_later, which this program does not know");
    expect(await countsIn(url)).toEqual({});
  });

  test("while another transaction locks a table", async () => {
    await dukaIn({ scratch }, ["migrate", "--init"], onServer());
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe("BEGIN; LOCK TABLE test.orders IN ACCESS EXCLUSIVE MODE");

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toStartWith("Another transaction has locked the tables");
    await sql.unsafe("ROLLBACK");
    expect(await countsIn(url)).toEqual({});
  });

  test("if the source is missing", async () => {
    const ended = await copy("nowhere", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`There is no database at ${scratch.file("nowhere")}.`);
    expect(existsSync(scratch.file("nowhere"))).toBe(false);
  });

  test("if a text has a character that PostgreSQL cannot store", async () => {
    using database = new SqliteFile(scratch.file("data/test.sqlite"));
    database.run("UPDATE products SET description = 'a' || char(0) WHERE name LIKE 'Çay%'");

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/products\.description of prod_\w+ contains a NUL character/);
    expect(await countsIn(url)).toEqual({});
  });

  test.each([
    [["data", "back"], "must be one data directory and one PostgreSQL"],
    [["data", "postgres"], "DUKA_DATABASE_URL is not set"],
    [["data", "postgres://nowhere"], "--to: the URL names no user"],
  ])("by %p", async ([from = "", to = ""], message) => {
    const ended = await copy(from, to);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
  });

  test("if no PostgreSQL answers, without printing its password", async () => {
    const ended = await copy("data", "postgres://duka:hunter2@127.0.0.1:1/duka");

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("127.0.0.1:1/duka");
    expect(ended.stderr + ended.stdout).not.toContain("hunter2");
  });
});

describe("nothing is kept", () => {
  test("of a copy that differs from its source", async () => {
    await dukaIn({ scratch }, ["migrate", "--init"], onServer());
    await tamper(
      url,
      `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.name := upper(NEW.name); RETURN NEW; END $$;
       CREATE TRIGGER spoil BEFORE INSERT ON test.products FOR EACH ROW EXECUTE FUNCTION spoil()`,
    );

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/test: products has 13 rows \(\w{64}\) in \S+ and 13 \(\w{64}\)/);
    expect(await countsIn(url)).toEqual({});
  });

  test("of a killed copy into PostgreSQL", async () => {
    await dukaIn({ scratch }, ["migrate", "--init"], onServer());
    await using inserts = await blockInserts(url);
    const child = Bun.spawn([...program, "db", "copy", "--from", "data", "--to", url], {
      cwd: scratch.path,
      env: { PATH: process.env.PATH ?? "", ...onFiles },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await inserts.areBlocked();

    child.kill("SIGKILL");
    await child.exited;
    await inserts.release();

    expect(await countsIn(url)).toEqual({});
    expect((await copy("data", url)).code).toBe(0);
  });
});

/** Blocks inserts of products until `release`, which resolves when no Duka is connected any more. */
async function blockInserts(database: string) {
  const sql = new SQL(database, { max: 1 });
  const waiting = () =>
    sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted`;
  await sql.unsafe(`
    CREATE FUNCTION block() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NEW; END $$;
    CREATE TRIGGER block BEFORE INSERT ON test.products FOR EACH ROW EXECUTE FUNCTION block()`);
  await sql`SELECT pg_advisory_lock(7)`;
  return {
    async areBlocked() {
      await until(async () => (await waiting()).length > 0, "Nothing waits for the lock.");
    },
    async release() {
      await sql`SELECT pg_advisory_unlock(7)`;
      const others = () =>
        sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'duka'`;
      await until(async () => (await others()).length === 0, "A connection stayed open.");
    },
    async [Symbol.asyncDispose]() {
      await sql.close();
    },
  };
}

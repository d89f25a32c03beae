// `duka db copy` brings a shop into PostgreSQL and back, whole, on whichever engine the tests run.

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
import { cpSync, existsSync, mkdirSync } from "node:fs";

import { SQL } from "bun";

import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres, type TestPostgres } from "../support/postgres-server.ts";
import { openRunningDuka, program } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
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
  test("goes into PostgreSQL and back with every row it has", async () => {
    const there = await copy("data", url);
    const back = await copy(url, "back");

    const before = rowsOf(scratch.file("data"));
    const tables = Object.entries(before).filter(([name]) => name.startsWith("test "));
    expect([there.code, there.stderr]).toEqual([0, ""]);
    expect([back.code, back.stderr]).toEqual([0, ""]);
    expect(tables.filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(rowsOf(scratch.file("back"))).toEqual(before);
  });

  test("is copied alike by a program whose settings name the PostgreSQL", async () => {
    const settings = { DUKA_DATABASE_URL: url };

    const there = await copy("data", "postgres", settings);
    const back = await copy("postgres", "back", settings);

    expect([there.code, there.stderr]).toEqual([0, ""]);
    expect([back.code, back.stderr]).toEqual([0, ""]);
    expect(rowsOf(scratch.file("back"))).toEqual(rowsOf(scratch.file("data")));
  });

  test("is told table by table, with a hash that is the same both ways", async () => {
    const there = await copy("data", url);
    const back = await copy(url, "back");

    const linesOf = (text: string) => text.split("\n").filter((line) => /^(live|test) /.test(line));
    expect(linesOf(there.stdout)).toContainEqual(
      expect.stringMatching(/^test +stored_answers +2500 +[0-9a-f]{16}$/),
    );
    // The mark of the key is made on the way.
    expect(linesOf(back.stdout).filter((line) => !line.includes("vault_marks"))).toEqual(
      linesOf(there.stdout),
    );
  });

  test("sells on in PostgreSQL, and is found by its words", async () => {
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

  test("sells on in a data directory, and is found by its words", async () => {
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

  test("is refused by a Duka that has another key for its secrets", async () => {
    const copied = await copy("data", url);

    const ended = await dukaIn(
      { scratch },
      ["serve"],
      onServer(Buffer.alloc(32).toString("base64")),
    );

    expect(copied.stdout).toContain(
      `give every Duka what stands in ${scratch.file("data/secret.key")}`,
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("sealed with another key");
  });

  test("whose key is not there is copied, and the operator is told", async () => {
    await copy("data", url);

    const ended = await copy(url, "back");

    expect(ended.stdout).toContain(
      `put what DUKA_SECRET_KEY was into ${scratch.file("back/secret.key")}`,
    );
    expect(ended.stdout).not.toContain(keyIn(scratch.file("data")));
  });
});

function keys(settings: Readonly<Record<string, string>>) {
  return dukaIn({ scratch }, ["keys", "create", "--mode", "test"], settings);
}

/** How many events there are, and how many are missing between the first and the last. */
async function sequencesIn(database: string) {
  await using sql = new SQL(database, { max: 1 });
  const [row] = await sql`
    SELECT count(*)::int AS count, (max(sequence) - min(sequence) + 1 - count(*))::int AS gaps
    FROM test.events`;
  return { ...row };
}

describe("a copy is refused and nothing is changed", () => {
  test("while a server has the directory", async () => {
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
    expect(ended.stderr).toContain("A Duka still uses 127.0.0.1");
    expect(existsSync(scratch.file("back"))).toBe(false);
  });

  test("where the schemas have rows", async () => {
    await copy("data", url);
    const before = await countsIn(url);

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/, schema live is not empty: \w+ has \d+ rows/);
    expect(await countsIn(url)).toEqual(before);
  });

  test("where the directory has a shop", async () => {
    await copy("data", url);
    const before = rowsOf(scratch.file("data"));

    const ended = await copy(url, "data");

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`${scratch.file("data/live.sqlite")} is not empty`);
    expect(rowsOf(scratch.file("data"))).toEqual(before);
  });

  test("where the source is of an older Duka", async () => {
    mkdirSync(scratch.file("old"));
    const migrations = sqliteMigrations.slice(0, 3);
    migrate(scratch.file("old/live.sqlite"), { clock: noonClock, migrations });

    const ended = await copy("old", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("old/live.sqlite has the tables of an older Duka");
    expect(await countsIn(url)).toEqual({});
  });

  test("where the target is of a newer Duka", async () => {
    await dukaIn({ scratch }, ["migrate"], onServer());
    await tamper(url, "INSERT INTO test.migrations VALUES ('9999_later', '0', 1)");

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("9999_later, which this program does not know");
    expect(await countsIn(url)).toEqual({});
  });

  test("while somebody else's transaction keeps a table", async () => {
    await dukaIn({ scratch }, ["migrate"], onServer());
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe("BEGIN; LOCK TABLE test.orders IN ACCESS EXCLUSIVE MODE");

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toStartWith("Somebody else's transaction kept the tables");
    await sql.unsafe("ROLLBACK");
    expect(await countsIn(url)).toEqual({});
  });

  test("where the source is not there", async () => {
    const ended = await copy("nowhere", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`There is no database at ${scratch.file("nowhere")}.`);
    expect(existsSync(scratch.file("nowhere"))).toBe(false);
  });

  test("where a text has a character that PostgreSQL cannot keep", async () => {
    using database = new SqliteFile(scratch.file("data/test.sqlite"));
    database.run("UPDATE products SET description = 'a' || char(0) WHERE name LIKE 'Çay%'");

    const ended = await copy("data", url);

    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/products\.description of prod_\w+ has a NUL character/);
    expect(await countsIn(url)).toEqual({});
  });

  test.each([
    [["data", "back"], "one is a data directory, the other a PostgreSQL"],
    [["data", "postgres"], "DUKA_DATABASE_URL does not say where it is"],
    [["data", "postgres://nowhere"], "--to: the URL is not postgres://"],
  ])("by %p", async ([from = "", to = ""], told) => {
    const ended = await copy(from, to);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(told);
  });

  test("where no PostgreSQL answers, and its password is not told", async () => {
    const ended = await copy("data", "postgres://duka:hunter2@127.0.0.1:1/duka");

    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("127.0.0.1:1/duka");
    expect(ended.stderr + ended.stdout).not.toContain("hunter2");
  });
});

describe("nothing is kept", () => {
  test("of a copy that does not read as its source does", async () => {
    await dukaIn({ scratch }, ["migrate"], onServer());
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

  test("of a copy into PostgreSQL that is killed on its way", async () => {
    await dukaIn({ scratch }, ["migrate"], onServer());
    await using held = await holdInserts(url);
    const child = Bun.spawn([...program, "db", "copy", "--from", "data", "--to", url], {
      cwd: scratch.path,
      env: { PATH: process.env.PATH ?? "", ...onFiles },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await held.reached();

    child.kill("SIGKILL");
    await child.exited;
    await held.let();

    expect(await countsIn(url)).toEqual({});
    expect((await copy("data", url)).code).toBe(0);
  });
});

/** Whoever inserts a product waits until it is let; `let` resolves when nobody waits any more. */
async function holdInserts(database: string) {
  const sql = new SQL(database, { max: 1 });
  const waiting = () =>
    sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted`;
  await sql.unsafe(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NEW; END $$;
    CREATE TRIGGER hold BEFORE INSERT ON test.products FOR EACH ROW EXECUTE FUNCTION hold()`);
  await sql`SELECT pg_advisory_lock(7)`;
  return {
    async reached() {
      while ((await waiting()).length === 0) await Bun.sleep(10);
    },
    async let() {
      await sql`SELECT pg_advisory_unlock(7)`;
      const others = () =>
        sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'duka'`;
      while ((await others()).length > 0) await Bun.sleep(10);
    },
    async [Symbol.asyncDispose]() {
      await sql.close();
    },
  };
}

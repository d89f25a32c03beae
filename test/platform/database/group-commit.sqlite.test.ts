// One commit answers many writes, and when it fails it fails for all of them: with a real full
// file, a real broken reference at COMMIT and a real I/O error.

import { expect, test } from "bun:test";
import { join } from "node:path";

import { defineRefusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import {
  bulky,
  codeOf,
  crate,
  crateCount,
  insertCrate,
  openTestDatabase,
} from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { commitsInLog, openBeside, openTestWriter } from "../../support/sqlite-file.ts";

const crateTaken = defineRefusal("crate_taken", "conflict", "The crate is taken.");
const packed = { name: "crate.packed", subject: "a", data: null };

/** The codes of those who were told no, null for the others. */
function verdicts(told: readonly Promise<unknown>[]): Promise<(string | null)[]> {
  return Promise.all(told.map(codeOf));
}

test("writes that come together share their commits", async () => {
  await using opened = await openTestDatabase();
  const { database, path } = opened;
  await database.write((tx) => insertCrate(tx, crate("first")));
  const before = commitsInLog(path);

  await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      database.write((tx) => insertCrate(tx, crate(String(index)))),
    ),
  );

  const commits = commitsInLog(path) - before;
  expect(commits).toBeGreaterThan(0);
  expect(commits).toBeLessThan(32);
});

test("a write that comes while a group works joins its commit", async () => {
  await using opened = await openTestDatabase();
  const { database, path } = opened;
  await database.write((tx) => insertCrate(tx, crate("first")));
  const before = commitsInLog(path);
  const later = Promise.withResolvers<void>();

  const told = database.write(async (tx) => {
    await insertCrate(tx, crate("second"));
    // As a request that is read in the next turn of the event loop.
    setImmediate(
      () => void database.write((next) => insertCrate(next, crate("third"))).then(later.resolve),
    );
  });
  await Promise.all([told, later.promise]);

  expect(commitsInLog(path) - before).toBe(1);
});

test("writes that come one after the other have a commit each", async () => {
  await using opened = await openTestDatabase();
  const { database, path } = opened;
  await database.write((tx) => insertCrate(tx, crate("first")));
  const before = commitsInLog(path);

  await database.write((tx) => insertCrate(tx, crate("second")));
  await database.write((tx) => insertCrate(tx, crate("third")));

  expect(commitsInLog(path) - before).toBe(2);
});

test("stories that only read commit nothing", async () => {
  await using opened = await openTestDatabase();
  const { database, path } = opened;
  await database.write((tx) => insertCrate(tx, crate("first")));
  const before = commitsInLog(path);

  await Promise.all(Array.from({ length: 8 }, () => database.write((tx) => crateCount(tx))));

  expect(commitsInLog(path)).toBe(before);
});

test("a group has at most 256 members", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  // What was committed when a story ran is the same for all of its group.
  const seen = await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      database.write(async (tx) => {
        await insertCrate(tx, crate(String(index)));
        return crateCount(database.read);
      }),
    ),
  );

  const members = Object.values(Object.groupBy(seen, String)).map((group) => group?.length ?? 0);
  expect(members.reduce((left, right) => left + right, 0)).toBe(500);
  expect(Math.max(...members)).toBeLessThanOrEqual(256);
  expect(Math.max(...members)).toBeGreaterThan(1);
});

test("a failed commit refuses every story of its group, and the next commit succeeds", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write((tx) => insertCrate(tx, crate("b", { follows: "nobody" }))),
    writer.write(async (tx) => {
      await tx.emit(packed);
      throw crateTaken();
    }),
    writer.write(async () => "read only"),
  ];

  expect(await verdicts(told)).toEqual(Array(4).fill("storage_unavailable"));
  expect(opened.committed()).toEqual([]);
  expect(opened.announced()).toBe(0);
  await writer.write((tx) => insertCrate(tx, crate("c")));
  expect(opened.committed()).toEqual(["c"]);
});

test("a group that failed gives its numbers of the event log back", async () => {
  using opened = await openTestWriter();
  const { writer, connection } = opened;
  const told = [
    writer.write((tx) => tx.emit(packed)),
    writer.write((tx) => insertCrate(tx, crate("b", { follows: "nobody" }))),
  ];
  expect(await verdicts(told)).toEqual(["storage_unavailable", "storage_unavailable"]);

  await writer.write((tx) => tx.emit(packed));

  expect(connection.command("SELECT sequence FROM events")).toEqual([{ sequence: 1 }]);
});

test("a reference that only COMMIT checks may be mended by a neighbor", async () => {
  using opened = await openTestWriter();

  await Promise.all([
    opened.writer.write((tx) => insertCrate(tx, crate("a", { follows: "b" }))),
    opened.writer.write((tx) => insertCrate(tx, crate("b"))),
  ]);

  expect(opened.committed()).toEqual(["a", "b"]);
});

test("a full disk in one story refuses its whole group with storage_full and keeps nothing of it", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;
  const makeRoom = opened.fillDisk();

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write((tx) => insertCrate(tx, crate("b", { contents: bulky }))),
  ];
  expect(await verdicts(told)).toEqual(["storage_full", "storage_full"]);
  expect(opened.committed()).toEqual([]);

  makeRoom();
  await writer.write((tx) => insertCrate(tx, crate("c", { contents: bulky })));
  expect(opened.committed()).toEqual(["c"]);
});

test("a full disk gives no number of the event log away", async () => {
  using opened = await openTestWriter();
  const { writer, connection } = opened;
  const makeRoom = opened.fillDisk();
  const told = writer.write(async (tx) => {
    await tx.emit(packed);
    await insertCrate(tx, crate("b", { contents: bulky }));
  });
  expect(await codeOf(told)).toBe("storage_full");
  makeRoom();

  await writer.write((tx) => tx.emit(packed));

  expect(connection.command("SELECT sequence FROM events")).toEqual([{ sequence: 1 }]);
});

test.each<[string, (tx: Tx) => PromiseLike<unknown>]>([
  ["goes on to write", (tx) => insertCrate(tx, crate("after"))],
  ["goes on to announce", (tx) => tx.emit(packed)],
  ["goes on to read", (tx) => crateCount(tx)],
  ["ends at once", () => Promise.resolve()],
])("a story that swallows the full disk and %s is told storage_full", async (_, goOn) => {
  using opened = await openTestWriter();
  const { writer, connection } = opened;
  opened.fillDisk();

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write(async (tx) => {
      await insertCrate(tx, crate("b", { contents: bulky })).catch(() => null);
      await goOn(tx);
    }),
  ];

  expect(await verdicts(told)).toEqual(["storage_full", "storage_full"]);
  expect(opened.committed()).toEqual([]);
  expect(connection.command("SELECT sequence FROM events")).toEqual([]);
});

test("the substitute of a story does not run when its transaction is gone", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;
  opened.fillDisk();

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write<unknown>((tx) => insertCrate(tx, crate("b", { contents: bulky })), {
      otherwise: (tx) => insertCrate(tx, crate("instead")),
    }),
  ];

  expect(await verdicts(told)).toEqual(["storage_full", "storage_full"]);
  expect(opened.committed()).toEqual([]);
});

test("while the disk is full, waiting stories are refused and committed rows are read", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;
  await writer.write((tx) => insertCrate(tx, crate("kept")));
  opened.fillDisk();

  const told = Array.from({ length: 130 }, (_, index) =>
    writer.write((tx) => insertCrate(tx, crate(`big ${index}`, { contents: bulky }))),
  );

  expect(await verdicts(told)).toEqual(Array(130).fill("storage_full"));
  expect(opened.committed()).toEqual(["kept"]);
});

test("the stories of a group that cannot begin are asked to retry", async () => {
  using opened = await openTestWriter();
  const { writer, connection } = opened;
  connection.driver.run("PRAGMA busy_timeout = 0");
  using other = openBeside(opened.path);
  other.run("BEGIN IMMEDIATE");

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write((tx) => insertCrate(tx, crate("b"))),
  ];
  expect(await verdicts(told)).toEqual(["storage_unavailable", "storage_unavailable"]);

  other.run("ROLLBACK");
  await writer.write((tx) => insertCrate(tx, crate("c")));
  expect(opened.committed()).toEqual(["c"]);
});

test("after an I/O error every write is refused, and the file is whole", async () => {
  using folder = openScratchFolder();
  const script = join(import.meta.dir, "write-beyond-limit.ts");

  // A limit on the size of files makes the kernel refuse to let the log grow.
  const child = Bun.spawn(
    ["bash", "-c", `trap "" XFSZ; ulimit -f 2000; exec "$0" "$@"`, process.execPath, script].concat(
      folder.path,
    ),
    { stdout: "pipe", stderr: "inherit" },
  );
  const said: unknown = JSON.parse(await new Response(child.stdout).text());

  expect(said).toEqual({
    codes: ["storage_unavailable"],
    acknowledgedAreThere: true,
    acknowledgedAfterDamage: 0,
    lost: 0,
    integrity: "ok",
  });
});

test("a closed writer refuses", async () => {
  using opened = await openTestWriter();
  await opened.writer.close();

  const told = opened.writer.write((tx) => insertCrate(tx, crate("late")));

  expect(await codeOf(told)).toBe("storage_unavailable");
});

test("a listener is called after the commit, once for a group", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  await Promise.all(["a", "b"].map(() => writer.write((tx) => tx.emit(packed))));

  expect(opened.announced()).toBe(1);
});

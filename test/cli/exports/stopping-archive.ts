// Takes an archive of a test shop, and stands still before its orders.

import "#nouns.ts";
import { writeArchive } from "#cli/exports/archive/write-archive.ts";
import { openSnapshot } from "#platform/database/open-database.ts";
import { openVault } from "#platform/vault/vault.ts";

import { databasePlace } from "../../support/postgres-databases.ts";

const [directory = "", to = ""] = process.argv.slice(2);
await using snapshot = await openSnapshot(
  "test",
  await databasePlace(directory),
  openVault(directory, null),
);
await writeArchive(to, {
  db: snapshot.reader,
  mode: "test",
  now: Date.now(),
  media: null,
  isMasked: false,
  signal: new AbortController().signal,
  onStep: (resource) => {
    if (resource !== "orders") return;
    process.stdout.write("standing still");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});

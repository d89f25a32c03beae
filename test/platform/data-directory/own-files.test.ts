// The files of a shop are for their owner alone, however the data directory was made.

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { FilesShared, takeBackAccess } from "#platform/data-directory/own-files.ts";
import { openVault } from "#platform/vault/vault.ts";

import { openRunningDuka } from "../../support/running-duka.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop } from "../../support/shop.ts";

/** A file that neither its owner nor root can change the mode of, on Linux. */
const FIXED_MODE = "/proc/self/status";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("a server in a directory of others makes its files for itself alone", async () => {
  using home = openScratchFolder();
  const directory = home.file("data");
  mkdirSync(directory);
  chmodSync(directory, 0o755);

  await using duka = await openRunningDuka({ folder: home.path });

  const paths = [directory, ...readdirSync(directory).map((name) => join(directory, name))];
  expect(duka.firstKey).not.toBeNull();
  expect(paths.filter((path) => !/^[67]00$/.test(modeOf(path)))).toEqual([]);
}, 60_000);

test("a start takes the access of others from the files of the shop, and from no other file", async () => {
  using home = openScratchFolder();
  for (const name of ["secret.key", "certificate.pem"]) {
    writeFileSync(home.file(name), `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o644 });
  }
  chmodSync(home.path, 0o755);

  await using _ = await openTestShop({ folder: home });

  expect(modeOf(home.path)).toBe("700");
  expect(modeOf(home.file("secret.key"))).toBe("600");
  expect(modeOf(home.file("certificate.pem"))).toBe("644");
});

test("the key of all secrets is made for its owner alone, whatever the process gives away", () => {
  using home = openScratchFolder();
  const before = process.umask(0o000);
  try {
    openVault(home.path, null).seal("a secret");
  } finally {
    process.umask(before);
  }

  expect(modeOf(home.file("secret.key"))).toBe("600");
});

test("files that an operator shares keep their modes", async () => {
  using home = openScratchFolder();
  chmodSync(home.path, 0o750);

  await using _ = await openTestShop({
    folder: home,
    settings: { DUKA_ALLOW_SHARED_FILES: "1" },
  });

  expect(modeOf(home.path)).toBe("750");
});

test("what was taken back is told, and what could not be", () => {
  using home = openScratchFolder();
  writeFileSync(home.file("live.sqlite"), "", { mode: 0o640 });
  symlinkSync(FIXED_MODE, home.file("test.sqlite"));

  expect(takeBackAccess(home.path)).toEqual({
    narrowed: [home.file("live.sqlite")],
    shared: [home.file("test.sqlite")],
  });
});

test("a test shop starts although others have access to its files", async () => {
  using home = openScratchFolder();
  symlinkSync(FIXED_MODE, home.file("duka.other"));

  await using shop = await openTestShop({ folder: home });

  expect((await shop.get("/v2/store")).status).toBe(200);
});

test("a live shop does not start while others have access to its files", async () => {
  using home = openScratchFolder();
  const first = await openTestShop({ folder: home });
  await first.createKey({ mode: "live" });
  await first[Symbol.asyncDispose]();
  symlinkSync(FIXED_MODE, home.file("duka.other"));

  const refusal = await openTestShop({ folder: home }).catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(FilesShared);
});

test("a live shop starts where an operator shares its files", async () => {
  using home = openScratchFolder();
  const first = await openTestShop({ folder: home });
  await first.createKey({ mode: "live" });
  await first[Symbol.asyncDispose]();
  symlinkSync(FIXED_MODE, home.file("duka.other"));

  await using shop = await openTestShop({
    folder: home,
    settings: { DUKA_ALLOW_SHARED_FILES: "1" },
  });

  expect((await shop.get("/v2/store")).status).toBe(200);
});

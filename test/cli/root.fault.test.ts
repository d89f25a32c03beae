// Commands of root on the shop of another user. Needs root, which alone gives files to others.

import { expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, readdirSync } from "node:fs";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

/** A user without files or rights, on every system. */
const ANOTHER_USER = 65_534;

/** A folder with the files of a shop that no program serves, whose databases are another user's. */
async function shopOfAnother(): Promise<ScratchFolder> {
  const folder = openScratchFolder();
  await using duka = await openRunningDuka({ folder: folder.path });
  await duka.end("SIGTERM");
  chownSync(folder.file("data/live.sqlite"), ANOTHER_USER, ANOTHER_USER);
  return folder;
}

test.each([[["backup"]], [["restore", "backup"]], [["migrate"]], [["secrets", "rotate"]]])(
  "%j, which would leave files that the user's server cannot open, is refused",
  async (args) => {
    using folder = await shopOfAnother();
    const before = readdirSync(folder.file("data"));

    const ended = await runDuka(args, { folder: folder.path });

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain("Run this command as that user: sudo -u '#65534' duka");
    expect(readdirSync(folder.file("data"))).toEqual(before);
  },
);

test("what leaves no files is not refused", async () => {
  using folder = await shopOfAnother();

  const ended = await runDuka(["keys", "list"], { folder: folder.path });

  expect(ended.code).toBe(0);
});

// Files that cannot be used: the error names the file and what is wrong, and nothing is put in its place.

import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";

import { explainListening } from "#cli/operator/serve.ts";
import { parseConfig } from "#platform/config/config.ts";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

/** A folder with the files of a shop that no program serves. */
async function closedShop(): Promise<ScratchFolder> {
  const folder = openScratchFolder();
  await using duka = await openRunningDuka({ folder: folder.path });
  await duka.end("SIGTERM");
  return folder;
}

test.each([[["serve"]], [["keys", "list"]], [["migrate"]]])(
  "%j names the file that is no database",
  async (args) => {
    using folder = await closedShop();
    writeFileSync(
      folder.file("data/test.sqlite"),
      "a photograph, and no database at all".repeat(50),
    );

    const ended = await runDuka(args, { folder: folder.path });

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toBe(
      `${folder.file("data/test.sqlite")} cannot be used: it is no database.\n`,
    );
  },
);

test("a directory whose lock cannot be opened is named", async () => {
  using folder = openScratchFolder();
  mkdirSync(folder.file("data/duka.lock"), { recursive: true });

  const ended = await runDuka(["serve"], { folder: folder.path });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    `${folder.file("data/duka.lock")} cannot be used: this user may not open it.\n`,
  );
});

test.each([[["keys", "list"]], [["audit"]], [["migrate"]]])(
  "%j makes no shop in place of one that is gone",
  async (args) => {
    using folder = await closedShop();
    rmSync(folder.file("data/live.sqlite"));

    const ended = await runDuka(args, { folder: folder.path });

    expect([ended.code, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toBe(`There is no database at ${folder.file("data/live.sqlite")}.\n`);
    expect(existsSync(folder.file("data/live.sqlite"))).toBeFalse();
  },
);

test("a key file without a key is named", async () => {
  using folder = await closedShop();
  writeFileSync(folder.file("data/secret.key"), "no key");

  const ended = await runDuka(["serve"], { folder: folder.path });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toBe(
    `${folder.file("data/secret.key")} must contain a key of 32 bytes in base64.\n`,
  );
});

test.each([
  [["serve"], "data", "it is no directory"],
  [["check"], "data/test.sqlite", "a part of its path is no directory"],
] as const)("%j names a data directory that is a file", async (args, path, reason) => {
  using folder = openScratchFolder();
  writeFileSync(folder.file("data"), "");

  const ended = await runDuka(args, { folder: folder.path });

  expect([ended.code, ended.stdout]).toEqual([1, ""]);
  expect(ended.stderr).toBe(`${folder.file(path)} cannot be used: ${reason}.\n`);
});

test("a file that is no certificate is named", async () => {
  using folder = openScratchFolder();
  writeFileSync(folder.file("shop.pem"), "no certificate");
  const file = folder.file("shop.pem");
  const settings = { DUKA_TLS_CERT: file, DUKA_TLS_KEY: file };

  const ended = await runDuka(["serve"], { folder: folder.path, settings });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toEndWith(`${file} is no certificate in PEM.\n`);
});

test("a file that may not be written is not taken for a port", () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open 'data/duka.pid'"), {
    code: "EACCES",
    syscall: "open",
  });

  const { listen } = parseConfig({});

  expect(explainListening(denied, listen)).toBe(denied);
});

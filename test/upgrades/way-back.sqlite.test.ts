// The way back from an upgrade: the copies that it made first, under the program of the last release. It takes that
// program from the history, so it runs with UPGRADES=all alone.

import { expect, test } from "bun:test";
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { modes } from "#platform/database/shop.ts";

import { type DukaTerms, openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { isInHistory, isWholeRun, openFormerProgram, releases } from "./former-program.ts";
import { OldShop } from "./old-shop.ts";
import { lost, readAgain } from "./read-shop.ts";
import { tradeAndRead } from "./traded-shop.ts";

const last = releases.at(-1);
const commit = last?.commit ?? "";
/** Most of it takes `npm ci`. */
const TEST_MS_MAX = 240_000;

async function backAndForth(): Promise<void> {
  await using former = await openFormerProgram(commit);
  using folder = openScratchFolder();
  const data = folder.file("data");
  const now: DukaTerms = { folder: folder.path };
  const before: DukaTerms = { ...now, program: former.command };
  const { kept } = await tradeAndRead({ ...before, isFromNothing: true });
  await (await openRunningDuka(now)).end("SIGTERM");

  for (const mode of modes) {
    const copies = readdirSync(join(data, "snapshots")).filter((name) => name.startsWith(mode));
    for (const end of ["-wal", "-shm"]) rmSync(join(data, `${mode}.sqlite${end}`), { force: true });
    copyFileSync(join(data, "snapshots", copies[0] ?? ""), join(data, `${mode}.sqlite`));
  }

  await using duka = await openRunningDuka(before);
  for (const mode of modes) {
    const shop = new OldShop({ url: duka.url, key: kept.keys[mode], document: {} });
    expect(lost(kept.answers[mode], await readAgain(shop, kept.answers[mode]))).toEqual([]);
  }
  await duka.end("SIGTERM");
  expect(await runDuka(["check"], before)).toMatchObject({ code: 0 });
}

if (isWholeRun && isInHistory(commit)) {
  test(`after an upgrade the copies serve ${last?.version} again`, backAndForth, TEST_MS_MAX);
} else if (isWholeRun) {
  process.stderr.write(`The way back is not tried: the history does not have ${commit}.\n`);
}

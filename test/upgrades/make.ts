// Makes the data that a release leaves to the programs after it: `bun run test/upgrades/make.ts 0.2.0`, once the release
// has its tag. Its own program trades, and is asked what it answers. The last five releases are kept.

import "#nouns.ts";

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { findPrograms } from "../support/postgres-programs.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { type DukaTerms, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import {
  commitOf,
  openFormerProgram,
  type Release,
  RELEASES,
  releases,
  said,
} from "./former-program.ts";
import { objectOf } from "./old-shop.ts";
import { tradeAndRead } from "./traded-shop.ts";

const KEPT_MAX = 5;

const [version = "", given = `v${version}`] = process.argv.slice(2);
const commit = commitOf(releases.find((one) => one.version === version)?.commit ?? given);
await using program = await openFormerProgram(commit);
using scratch = openScratchFolder();
const terms: DukaTerms = { folder: scratch.path, program: program.command, isFromNothing: true };
const target = join(import.meta.dir, version);
mkdirSync(target, { recursive: true });

const made = await tradeAndRead(terms);
await write("openapi.json.gz", JSON.stringify(made.document));
await write("lists.json.gz", JSON.stringify(made.kept));
await write("sqlite.tar.gz", packed());
await write("postgres.sql.gz", await copiedToPostgres());
await keepRelease();

/** The data directory with its secret key, the same bytes for the same files. */
function packed(): Uint8Array {
  const sorted = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
  const without = ["duka.*", "uploads", "tls"].map((name) => `--exclude=./${name}`);
  const folder = join(scratch.path, "data");
  return said(Bun.spawnSync(["tar", ...sorted, ...without, "-C", folder, "-cf", "-", "."]));
}

/** The same shop on PostgreSQL, as statements. */
async function copiedToPostgres(): Promise<string> {
  await using postgres = await startPostgres();
  const url = postgres.url("duka");
  const copied = await runDuka(["db", "copy", "--from", "data", "--to", url], terms);
  if (copied.code !== 0) throw new Error(copied.stderr);
  const rows = ["--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges"];
  const text = said(Bun.spawnSync([join(findPrograms(), "pg_dump"), ...rows, url])).toString();
  // Comments, and commands of psql.
  return text.replaceAll(/^(?:--\n-- .*\n--|\\(?:un)?restrict .*)\n/gm, "");
}

async function write(name: string, content: string | Uint8Array): Promise<void> {
  const bytes = Bun.gzipSync(Buffer.from(content), { library: "libdeflate", level: 12 });
  await Bun.write(join(target, name), bytes);
}

/** Afterwards the release is in the list, and those beyond the last five are gone. */
async function keepRelease(): Promise<void> {
  const row: Release = { version, commit, oldest_beside: await oldestBeside() };
  const others = releases.filter((one) => one.version !== version);
  const at = releases.findIndex((one) => one.version === version);
  const all = others.toSpliced(at === -1 ? others.length : at, 0, row);
  for (const gone of all.slice(0, -KEPT_MAX))
    rmSync(join(import.meta.dir, gone.version), { recursive: true, force: true });
  await Bun.write(RELEASES, `${JSON.stringify(all.slice(-KEPT_MAX), null, 2)}\n`);
}

/** A program that does not say it yet knows no migrations beside which others work. */
async function oldestBeside(): Promise<number> {
  const { code, stdout } = await runDuka(["version", "--json"], terms);
  if (code === 0) return Number(objectOf(JSON.parse(stdout))["oldest_beside"]);
  return Number.parseInt(program.newestMigration, 10);
}

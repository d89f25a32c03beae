// Templates of sandboxes: databases that were migrated, or seeded with three weeks of trade, once, and are copied for
// each sandbox. They are in the user's cache directory. Invariant: only a template whose files are whole is copied.

import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { member, numberMember } from "#cli/operator/members.ts";
import { isObject } from "#kernel/assume.ts";
import { DAY_MS, realClock } from "#kernel/time.ts";
import { openShops } from "#open-shops.ts";
import { schemaMark } from "#platform/database/migrations.ts";
import { modes } from "#platform/database/shop.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { openLog } from "#platform/log/log.ts";
import { version } from "#platform/process/version.ts";
import { openLinks } from "#sales/links/link-terms.ts";
import { seedShop } from "#sandbox/seed/seed-shop.ts";

import { isRunning } from "./sandbox-folder.ts";

// Makes databases with three weeks of trade that end at an instant, to be copied. Their shop is at an address that
// does not exist, until a sandbox puts its own in its place.

/** The address in the rows of a template. */
export const TEMPLATE_URL = "http://sandbox.invalid";

/** Counting the events of the seed takes less. */
const COUNTING_MS_MAX = 60_000;

/** Afterwards the directory has the databases of both modes, and the key of their secrets. */
async function makeSeeded(directory: string, at: number): Promise<void> {
  await using shops = await openShops(
    { directory, server: null },
    {
      log: openLog({ level: "warn", format: "auto" }),
      clockOf: (mode) => (mode === "test" ? { now: () => at } : realClock),
    },
  );
  const { test } = shops;
  await test.database.write((tx) => openLinks(tx, TEMPLATE_URL));
  await test.database.write((tx) => seedShop(tx, { currency: undefined, publicUrl: TEMPLATE_URL }));
  await test.catchUp.run(COUNTING_MS_MAX);
  await test.booksCatchUp.run(COUNTING_MS_MAX);
}

const FACTS_FILE = "template.json";
const FILE_MODE = 0o600;
/** The name of a folder in which a template is made goes on with the id of the program. */
const MAKING = "making-";
/** Making a template takes less: also by a program of a container that shares the cache, whose id says nothing here. */
const MAKING_MS_MAX = 60_000;
/** A seed that ended earlier than this is made anew, unless an instant was asked for. */
const AGE_MS_MAX = DAY_MS;
/** Each instant that a suite asks for has a template: the oldest go. */
const TEMPLATES_MAX = 8;

interface TemplateFacts {
  /** The instant at which the seed ends, epoch milliseconds. */
  readonly at: number;
  /** SHA-256 by name of the file. */
  readonly files: Readonly<Record<string, string>>;
}

/** The template that is wanted. */
interface TemplateWish {
  readonly kind: "empty" | "full";
  /** The instant at which the seed is to end, epoch milliseconds; null is within the last day. */
  readonly clockAt: number | null;
}

/** A copied template. */
interface Copied {
  /** The instant at which the seed ended, epoch milliseconds. */
  readonly at: number;
}

/**
 * Copies the template into the data directory, which has no databases. Makes it first where it is missing, old or
 * damaged, and each time where the cache cannot be written.
 */
export async function copyTemplate(
  directory: string,
  cache: string,
  wish: TemplateWish,
): Promise<Copied> {
  try {
    return await copyFrom(cache, directory, wish);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    const passing = mkdtempSync(join(tmpdir(), "duka-template-"));
    try {
      return await copyFrom(passing, directory, wish);
    } finally {
      rmSync(passing, { recursive: true, force: true });
    }
  }
}

async function copyFrom(cache: string, directory: string, wish: TemplateWish): Promise<Copied> {
  const template = join(cache, "duka", "sandbox", nameOf(wish));
  const facts = readWhole(template, wish) ?? (await makeTemplate(template, wish));
  removeUnfinished(dirname(template));
  for (const name of Object.keys(facts.files)) {
    const file = join(directory, name);
    copyFileSync(join(template, name), file, constants.COPYFILE_FICLONE);
    chmodSync(file, FILE_MODE);
  }
  return { at: facts.at };
}

function nameOf({ kind, clockAt }: TemplateWish): string {
  const at = kind === "full" && clockAt !== null ? `-${clockAt}` : "";
  return `${version}-${schemaMark(sqliteMigrations)}-${kind}${at}`;
}

/** The facts of the template; null if it is not there, not whole, or too old. */
function readWhole(template: string, { kind, clockAt }: TemplateWish): TemplateFacts | null {
  try {
    const facts = parseFacts(readFileSync(join(template, FACTS_FILE), "utf8"));
    const isOld = kind === "full" && clockAt === null && facts.at < realClock.now() - AGE_MS_MAX;
    const isWhole = Object.entries(facts.files).every(
      ([name, hash]) => hashOf(join(template, name)) === hash,
    );
    return isWhole && !isOld && Object.hasOwn(facts.files, "test.sqlite") ? facts : null;
  } catch {
    // Whatever is wrong with it, it is made anew.
    return null;
  }
}

function parseFacts(text: string): TemplateFacts {
  const written: unknown = JSON.parse(text);
  const files = member(written, "files");
  const hashes = isObject(files) ? Object.entries(files) : [];
  return {
    at: numberMember(written, "at"),
    files: Object.fromEntries(hashes.map(([name, hash]) => [name, String(hash)])),
  };
}

/** Two programs may make it at once: the first one's stays. */
async function makeTemplate(template: string, wish: TemplateWish): Promise<TemplateFacts> {
  const home = dirname(template);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const made = mkdtempSync(join(home, `${MAKING}${process.pid}-`));
  try {
    const at = wish.clockAt ?? realClock.now();
    if (wish.kind === "full") await makeSeeded(made, at);
    else for (const mode of modes) migrate(join(made, `${mode}.sqlite`), { clock: realClock });
    const names = readdirSync(made).filter((name) => /^(?:.+\.sqlite|secret\.key)$/.test(name));
    const files = Object.fromEntries(names.map((name) => [name, hashOf(join(made, name))]));
    const facts: TemplateFacts = { at, files };
    writeFileSync(join(made, FACTS_FILE), JSON.stringify(facts), { mode: FILE_MODE });
    // Another program copies the one that it has made meanwhile.
    const others = readWhole(template, wish);
    if (others !== null) return others;
    rmSync(template, { recursive: true, force: true });
    renameSync(made, template);
    removeOldest(home, basename(template));
    return facts;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Deletes what programs were making when they were killed. */
function removeUnfinished(home: string): void {
  const before = realClock.now() - MAKING_MS_MAX;
  for (const name of readdirSync(home)) {
    if (!name.startsWith(MAKING) || isRunning(name.slice(MAKING.length))) continue;
    const path = join(home, name);
    if (madeAt(path) < before) rmSync(path, { recursive: true, force: true });
  }
}

function removeOldest(home: string, kept: string): void {
  const others = readdirSync(home)
    .filter((name) => name !== kept && !name.startsWith(MAKING))
    .map((name) => join(home, name))
    .toSorted((one, other) => madeAt(other) - madeAt(one));
  for (const path of others.slice(TEMPLATES_MAX - 1))
    rmSync(path, { recursive: true, force: true });
}

/** Epoch milliseconds; 0 for one that another program has deleted meanwhile. */
function madeAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function hashOf(path: string): string {
  return new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
}

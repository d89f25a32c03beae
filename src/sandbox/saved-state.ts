// A state of a test shop that was saved in a folder: a copy of its database, and what has to be known of it before
// it is brought back. Invariant: a state of another version or schema is never brought back.

import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import type { MediaShop } from "#catalog/media/media-shop.ts";
import { saveMediaAddress } from "#catalog/media/save-media-address.ts";
import { isObject } from "#kernel/assume.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { planPolls } from "#payments/settling/plan-polls.ts";
import type { Database } from "#platform/database/database.ts";
import { dropLeasesOf } from "#platform/database/leases.ts";
import { schemaMark } from "#platform/database/migrations.ts";
import type { Shop } from "#platform/database/shop.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { replaceText } from "#platform/database/sqlite/replace-text.ts";
import { copyFiles, type FileStore, openFolderStore } from "#platform/files/file-store.ts";
import { version } from "#platform/process/version.ts";
import { openLinks } from "#sales/links/link-terms.ts";

import { requireSandbox } from "./require-sandbox.ts";

const FILE_MODE = 0o600;
const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const FACTS = ".json";

const stateNameInvalid = defineRefusal(
  "state_name_invalid",
  "invalid",
  "The name of a snapshot has 1 to 63 letters a to z, digits, hyphens and underscores.",
);
const stateNotFound = defineRefusal("state_not_found", "not_found", "There is no such snapshot.");
const stateOfOtherVersion = defineRefusal(
  "state_of_other_version",
  "conflict",
  "The snapshot was taken by another version of Duka.",
);

/** The known facts of a saved state. */
interface StateFacts {
  readonly version: string;
  readonly schema: string;
  /** The shop's time, epoch milliseconds. */
  readonly at: number;
  /** The address of the server, which stands in rows of the shop. */
  readonly url: string;
}

/** The place at which a state is saved. */
interface StatePlace {
  readonly folder: string;
  readonly name: string;
}

/** The copy of the database. */
function fileOfState({ folder, name }: StatePlace): string {
  return join(folder, `${name}.sqlite`);
}

/** The files of the media of all states. */
function mediaOfStates({ folder }: StatePlace): FileStore {
  return openFolderStore(join(folder, "media"));
}

/** Refuses with `state_name_invalid`. */
function requireStateName({ name }: StatePlace): void {
  if (!NAME.test(name))
    throw stateNameInvalid({
      detail: `"${name}" is no name of a snapshot: it has 1 to 63 letters a to z, digits, hyphens and underscores.`,
    });
}

/** Saves the facts of a state of this program: only afterwards can it be brought back. */
function saveFacts(place: StatePlace, { at, url }: Pick<StateFacts, "at" | "url">): void {
  const facts: StateFacts = { version, schema: schemaMark(sqliteMigrations), at, url };
  const made = `${factsOf(place)}.new`;
  writeFileSync(made, JSON.stringify(facts), { mode: FILE_MODE });
  renameSync(made, factsOf(place));
}

/** Refuses with `state_name_invalid`, `state_not_found`, and `state_of_other_version`. */
function readFacts(place: StatePlace): StateFacts {
  requireStateName(place);
  if (!existsSync(factsOf(place))) throw stateNotFound({ detail: unknownState(place) });
  const facts = parseFacts(readFileSync(factsOf(place), "utf8"));
  if (facts.version === version && facts.schema === schemaMark(sqliteMigrations)) return facts;
  throw stateOfOtherVersion({
    detail: `The snapshot "${place.name}" was taken by another Duka (${facts.version}) than this one (${version}). Set the shop up and take it anew, or restore it with that one.`,
  });
}

/** Throws for a text that this program has not written. */
function parseFacts(text: string): StateFacts {
  const written: unknown = JSON.parse(text);
  const found: Partial<Record<keyof StateFacts, unknown>> = isObject(written) ? written : {};
  const { version: madeBy, schema, at, url } = found;
  const isWhole =
    typeof madeBy === "string" &&
    typeof schema === "string" &&
    typeof at === "number" &&
    typeof url === "string";
  if (!isWhole) throw new TypeError("The facts of a snapshot are damaged.");
  return { version: madeBy, schema, at, url };
}

function unknownState({ folder, name }: StatePlace): string {
  const names = existsSync(folder)
    ? readdirSync(folder).flatMap((file) =>
        file.endsWith(FACTS) ? [file.slice(0, -FACTS.length)] : [],
      )
    : [];
  const known =
    names.length === 0
      ? "this sandbox has none yet: take one with `duka sandbox snapshot`."
      : `there are ${names.toSorted().join(", ")}.`;
  return `There is no snapshot "${name}"; ${known}`;
}

function factsOf({ folder, name }: StatePlace): string {
  return join(folder, `${name}${FACTS}`);
}

/**
 * Afterwards the state can be brought back by its name; an earlier one of the name is replaced. `url` is the address
 * of the server. Returns the shop's time, epoch milliseconds. Refuses with `state_name_invalid`.
 */
export async function saveState(shop: MediaShop, place: StatePlace, url: string): Promise<number> {
  requireStateName(place);
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const copy = fileOfState(place);
  let at = shop.clock.now();
  await requireFile(shop)((path) => {
    copyFileSync(path, `${copy}.new`, constants.COPYFILE_FICLONE);
    renameSync(`${copy}.new`, copy);
    at = shop.clock.now();
  });
  const { files } = shop.media;
  // A second name of each file takes no room.
  if (files !== null) await copyFiles(files, mediaOfStates(place), { earlier: files.folder });
  saveFacts(place, { at, url });
  return at;
}

// Workflow: brings a saved state of a test shop back, its clock too. Invariant: what the program remembers of the
// former rows is forgotten with them.

/**
 * Afterwards everything in the shop is as it was, and its clock goes on from the time of the state, which it returns,
 * epoch milliseconds. `url` is the address of the server. Refuses with `state_name_invalid`, `state_not_found` and
 * `state_of_other_version`.
 */
export async function restoreState(
  shop: AnalyticsShop & MediaShop,
  place: StatePlace,
  url: string,
): Promise<number> {
  const facts = readFacts(place);
  const { files } = shop.media;
  if (files !== null) await copyFiles(mediaOfStates(place), files);
  await requireSandbox(shop).startAnewAt(facts.at, async () => {
    await requireFile(shop)((path) => {
      // Another file in one step: a copy that fails half-way leaves the shop as it is.
      copyFileSync(fileOfState(place), `${path}.new`, constants.COPYFILE_FICLONE);
      if (facts.url !== url) replaceText(`${path}.new`, facts.url, url);
      for (const log of [`${path}-wal`, `${path}-shm`]) rmSync(log, { force: true });
      renameSync(`${path}.new`, path);
    });
    shop.summaryCaches.clear();
    await shop.database.write(async (tx) => {
      await dropLeasesOf(tx, shop.database.home);
      await openLinks(tx, url);
      await saveMediaAddress(tx, shop, url);
      await planPolls(tx);
    });
  });
  return facts.at;
}

// States are copies of a file: a shop in PostgreSQL has none.

/** Returns what runs work on the closed file of the shop. Throws where the shop is in no file. */
function requireFile({ database }: Shop): NonNullable<Database["whileClosed"]> {
  if (database.whileClosed === undefined) throw new Error("The shop is not in a file.");
  return database.whileClosed;
}

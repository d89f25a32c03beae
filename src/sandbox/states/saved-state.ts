// A state of a test shop that was saved in a folder: a copy of its database, and what has to be known of it before
// it is brought back. Invariant: a state of another version or schema is never brought back.

import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isObject } from "#kernel/assume.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { schemaMark } from "#platform/database/migrations.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import { openFolderStore } from "#platform/files/folder-store.ts";
import { version } from "#platform/process/version.ts";

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
export interface StateFacts {
  readonly version: string;
  readonly schema: string;
  /** The shop's time, epoch milliseconds. */
  readonly at: number;
  /** The address of the server, which stands in rows of the shop. */
  readonly url: string;
}

/** The place at which a state is saved. */
export interface StatePlace {
  readonly folder: string;
  readonly name: string;
}

/** The copy of the database. */
export function fileOfState({ folder, name }: StatePlace): string {
  return join(folder, `${name}.sqlite`);
}

/** The files of the media of all states. */
export function mediaOfStates({ folder }: StatePlace): FileStore {
  return openFolderStore(join(folder, "media"));
}

/** Refuses with `state_name_invalid`. */
export function requireStateName({ name }: StatePlace): void {
  if (!NAME.test(name))
    throw stateNameInvalid({
      detail: `"${name}" is no name of a snapshot: it has 1 to 63 letters a to z, digits, hyphens and underscores.`,
    });
}

/** Saves the facts of a state of this program: only afterwards can it be brought back. */
export function saveFacts(place: StatePlace, { at, url }: Pick<StateFacts, "at" | "url">): void {
  const facts: StateFacts = { version, schema: schemaMark(sqliteMigrations), at, url };
  const made = `${factsOf(place)}.new`;
  writeFileSync(made, JSON.stringify(facts), { mode: FILE_MODE });
  renameSync(made, factsOf(place));
}

/** Refuses with `state_name_invalid`, `state_not_found`, and `state_of_other_version`. */
export function readFacts(place: StatePlace): StateFacts {
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

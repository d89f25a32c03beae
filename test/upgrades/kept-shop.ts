// The shops that former releases left, for the engine of the run.

import { join } from "node:path";

import { SQL } from "bun";

import { differencesIn as differencesOfMode } from "#cli/operator/check.ts";
import type { Difference } from "#kernel/difference.ts";
import { parseConfig } from "#platform/config/config.ts";
import { engine } from "#platform/database/engine.ts";
import { type Mode, modes } from "#platform/database/shop.ts";

import { startPostgres } from "../support/postgres-server.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { said } from "./former-program.ts";
import type { Answers } from "./read-shop.ts";

/** What a release answered about its data. */
export interface Kept {
  /** When it was read. */
  readonly readAt: number;
  readonly keys: Readonly<Record<Mode, string>>;
  readonly answers: Readonly<Record<Mode, Answers>>;
}

/** A data directory, on PostgreSQL with a database of its own. Disposing it deletes both. */
export interface Place extends AsyncDisposable {
  readonly folder: ScratchFolder;
  /** Beside that of the directory. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface KeptShop extends Place {
  readonly kept: Kept;
}

/** A place without a shop. */
export async function openPlace(): Promise<Place> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(openScratchFolder());
  const settings =
    engine === "sqlite"
      ? {}
      : {
          DUKA_DATABASE_URL: opened.use(await startPostgres()).url("duka"),
          DUKA_MEDIA_DIR: folder.file("media"),
        };
  const all = opened.move();
  return { folder, settings, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Unpacks the shop of a release. */
export async function openKeptShop(version: string): Promise<KeptShop> {
  const place = await openPlace();
  const from = (name: string) => join(import.meta.dir, version, name);
  // The secret key and the pictures are those of both engines.
  said(Bun.spawnSync(["tar", "-xzf", from("sqlite.tar.gz"), "-C", place.folder.path]));
  if (engine === "postgres") {
    await using sql = new SQL(place.settings["DUKA_DATABASE_URL"] ?? "", { max: 1 });
    await sql.unsafe(await unpacked(from("postgres.sql.gz")));
  }
  const kept: Kept = JSON.parse(await unpacked(from("lists.json.gz")));
  return { ...place, kept };
}

/** The settings of a program in a place. */
export function configOf({ folder, settings }: Place) {
  const config = parseConfig({ DUKA_DATA_DIR: folder.path, ...settings });
  return { ...config, directory: config.dataDirectory };
}

/** All that `duka check` finds in a place. */
export async function differencesIn(place: Place): Promise<Difference[]> {
  const config = configOf(place);
  const found = modes.map((mode) => Array.fromAsync(differencesOfMode(mode, config)));
  return (await Promise.all(found)).flat();
}

async function unpacked(path: string): Promise<string> {
  return Buffer.from(Bun.gunzipSync(await Bun.file(path).bytes())).toString();
}

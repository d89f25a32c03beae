// `duka check`: compares the figures of the shop with each other. Invariant: comparing only reads and takes no
// lock, so it may run beside a selling server, which also repairs the files of media where that is asked for.

import { openMediaFiles } from "#catalog/media/media-shop.ts";
import { auditMedia } from "#catalog/media/sweep-files.ts";
import { differenceCount, sentence, shopProof } from "#cli/operator/backups/shop-proof.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Config } from "#platform/config/config.ts";
import { databaseName, openDatabaseForVerification } from "#platform/database/open-database.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { isDamage } from "#platform/database/sqlite/errors.ts";
import { print } from "#platform/process/output.ts";
import { getStore } from "#shop/store/lookups.ts";

import { administer } from "./administer.ts";
import { numberMember } from "./members.ts";
import { requireShop } from "./require-shop.ts";
import { type JsonOptions, readSettings } from "./settings.ts";

interface ModeDifference extends Difference {
  readonly mode: Mode;
}

export interface CheckOptions extends JsonOptions {
  /** True if files of media are written anew that hold more than pixels. */
  readonly repairMedia?: true;
}

/** Prints every difference of both modes; true when there is none. */
export async function checkAtTerminal(options: CheckOptions): Promise<boolean> {
  const config = readSettings(options);
  await requireShop(config);
  const repaired = options.repairMedia === true ? await repairMedia(config) : undefined;
  const differences = (mode: Mode) => differencesIn(mode, config);
  return options.json === true
    ? await printDocument(differences, repaired)
    : await printSentences(differences, repaired);
}

type FindDifferences = (mode: Mode) => AsyncGenerator<Difference>;
type CountByMode = Readonly<Record<Mode, number>>;

async function printDocument(find: FindDifferences, repaired?: CountByMode): Promise<boolean> {
  const differences: ModeDifference[] = [];
  for (const mode of modes) {
    for await (const difference of find(mode)) differences.push({ mode, ...difference });
  }
  const ok = differences.length === 0;
  print(JSON.stringify({ ok, repaired, differences }, null, 2));
  return ok;
}

async function printSentences(find: FindDifferences, repaired?: CountByMode): Promise<boolean> {
  let isSound = true;
  for (const mode of modes) {
    if (repaired !== undefined) print(`${mode}: ${filesWritten(repaired[mode])}`);
    let count = 0;
    for await (const difference of find(mode)) {
      count += 1;
      print(`${mode}: ${sentence(difference)}`);
    }
    print(`${mode}: ${differenceCount(count)}`);
    isSound &&= count === 0;
  }
  return isSound;
}

/** Returns how many files of each mode were written anew, by the running server if there is one. */
async function repairMedia(config: Config): Promise<CountByMode> {
  const done = await administer(config, { name: "media.repair", input: null });
  return { test: numberMember(done, "test"), live: numberMember(done, "live") };
}

function filesWritten(count: number): string {
  return count === 1
    ? "1 file of media was written anew."
    : `${count} files of media were written anew.`;
}

/** The engine's own findings, then those of the audits. An unreadable file ends the list of its mode. */
export async function* differencesIn(
  mode: Mode,
  {
    dataDirectory: directory,
    server,
    media: filePlace,
  }: Pick<Config, "dataDirectory" | "server" | "media">,
): AsyncGenerator<Difference> {
  const place = { directory, server };
  const subject = databaseName(mode, place);
  try {
    await using database = await openDatabaseForVerification(mode, place);
    for (const found of database.faults()) {
      yield { subject, what: "database file", expected: "sound", found };
    }
    yield* database.schemaDifferences();
    for (const audit of shopProof.audits) yield* audit(database.reader);
    const storeId = async () => (await getStore(database.reader)).id;
    const files = filePlace === null ? null : openMediaFiles(filePlace, mode, storeId);
    yield* auditMedia(database.reader, files, { tellsChunks: true });
  } catch (error) {
    if (!isDamage(error)) throw error;
    const found = error instanceof Error ? error.message : String(error);
    yield { subject, what: "database file", expected: "readable", found };
  }
}

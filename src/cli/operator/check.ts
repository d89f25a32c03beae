// `duka check`: compares the figures of the shop with each other. Invariant: it only reads and takes no
// lock, so it may run beside a selling server.

import { openMediaFiles } from "#catalog/media/media-shop.ts";
import { auditMedia } from "#catalog/media/sweep-files.ts";
import { differenceCount, sentence, shopProof } from "#cli/operator/backups/shop-proof.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Config } from "#platform/config/config.ts";
import { databaseName, openDatabaseForVerification } from "#platform/database/open-database.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { isDamage } from "#platform/database/sqlite/errors.ts";
import { getStore } from "#shop/store/lookups.ts";

import { requireShop } from "./require-shop.ts";
import { type JsonOptions, readSettings } from "./settings.ts";

interface ModeDifference extends Difference {
  readonly mode: Mode;
}

/** Prints every difference of both modes; true when there is none. */
export async function checkAtTerminal(options: JsonOptions): Promise<boolean> {
  const config = readSettings(options);
  await requireShop(config);
  const differences: ModeDifference[] = [];
  let isSound = true;
  for (const mode of modes) {
    let count = 0;
    for await (const difference of differencesIn(mode, config)) {
      count += 1;
      if (options.json === true) differences.push({ mode, ...difference });
      else console.log(`${mode}: ${sentence(difference)}`);
    }
    if (options.json !== true) console.log(`${mode}: ${differenceCount(count)}`);
    isSound &&= count === 0;
  }
  if (options.json === true) console.log(JSON.stringify({ ok: isSound, differences }, null, 2));
  return isSound;
}

/** The engine's own findings, then those of the audits. An unreadable file ends the list of its mode. */
async function* differencesIn(
  mode: Mode,
  { dataDirectory: directory, server, media: filePlace }: Config,
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

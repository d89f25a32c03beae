// Workflow: check a kept file, or import it, and keep what was found. A run that breaks off is silent from then on; what
// it imported stays, and is unchanged for the next one.

import { readCustomers } from "#imports/customer-files/read-customers.ts";
import { readProducts } from "#imports/product-files/read-products.ts";
import type { Draft } from "#imports/tables/draft.ts";
import { UnknownEncoding } from "#imports/tables/encoding.ts";
import { UnreadableFile } from "#imports/tables/file-fault.ts";
import type { ReadFile } from "#imports/tables/read-file.ts";
import { importedCustomers, importedProducts } from "#imports/taking/imported-nouns.ts";
import { refusedRows } from "#imports/taking/refused-rows.ts";
import { type ImportedNoun, type ImportRun, runImport } from "#imports/taking/run-import.ts";
import { takeCustomers } from "#imports/taking/take-customers.ts";
import { takeProducts } from "#imports/taking/take-products.ts";
import { monotonicMs, realClock } from "#kernel/time.ts";
import type { Actor, Database } from "#platform/database/database.ts";
import { hasRow } from "#platform/database/prepared.ts";
import type { Shop } from "#platform/database/shop.ts";
import { getStore } from "#shop/store/lookups.ts";

import { FILE_BOUNDS, FILE_BYTES_MAX, type KeptFile } from "./kept-file.ts";
import { groupedWarnings, keptFaults, type KeptReport } from "./kept-report.ts";
import { packed, unpacked } from "./packed.ts";
import { contentById, dropContent, fileById, noteProgress, writeReport } from "./queries.ts";

interface Work {
  readonly id: string;
  /** Who is told to have made the changes. */
  readonly actor: Actor;
}

/** The progress of a check is written no more often, milliseconds. */
const NOTED_MS = 500;
const COMMA_HINTS = { decimal: "choose “Decimals” below", thousands: "choose “Thousands” below" };

/** The shop is closing, or another run has taken over. */
class BrokenOff extends Error {
  constructor() {
    super("The run was broken off.");
    this.name = "BrokenOff";
  }
}

/** Does what the file's run is to do. Afterwards the file has its report, unless the shop is closing. */
export async function workOnFile(
  shop: Pick<Shop, "database" | "closing">,
  { id, actor }: Work,
): Promise<void> {
  const { database } = shop;
  const [file] = await fileById(database.read, { id });
  if (file === undefined) return;
  try {
    const report = await reportOf(shop, file, actor);
    await database.write(async (tx) => {
      await writeReport(tx, { id, run: file.run, report });
      if (report.applied) await dropContent(tx, { id, run: file.run });
    });
  } catch (error) {
    if (!(error instanceof BrokenOff) && !shop.closing.aborted) throw error;
  }
}

async function reportOf(
  shop: Pick<Shop, "database" | "closing">,
  file: KeptFile,
  actor: Actor,
): Promise<KeptReport> {
  const { database } = shop;
  const { terms } = file;
  const store = await getStore(database.read);
  const currency = file.noun === "products" ? (terms.currency ?? store.currency) : null;
  const given = {
    content: await contentOf(database, file.id),
    bounds: FILE_BOUNDS,
    from: terms.from ?? undefined,
    encoding: terms.encoding,
    encodingHint: "choose another encoding below",
  };
  const reading = {
    currency: currency ?? store.currency,
    comma: terms.comma,
    hints: COMMA_HINTS,
    now: realClock.now(),
  };
  const takeTerms = { database, existing: terms.existing, actor, recorded: null };
  try {
    if (file.noun === "customers") {
      const take: ImportRun<Draft>["take"] = (drafts, applies) =>
        takeCustomers(drafts, { ...takeTerms, applies });
      const read = await readCustomers(given, store);
      return await runOn(shop, file, { read, noun: importedCustomers, take, currency });
    }
    const take: ImportRun<Draft>["take"] = (drafts, applies) =>
      takeProducts(drafts, { ...takeTerms, applies });
    const read = await readProducts(given, reading);
    return await runOn(shop, file, { read, noun: importedProducts, take, currency });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const encodings = error instanceof UnknownEncoding ? error.choices : [];
    return { ...nothingRead, unreadable: error.message, encodings, currency };
  }
}

const nothingRead: KeptReport = {
  unreadable: null,
  source: null,
  rows: 0,
  encodings: [],
  currency: null,
  outcomes: { create: 0, update: 0, unchanged: 0, skip: 0, refuse: 0 },
  mended: 0,
  applied: false,
  faults: [],
  faultCount: 0,
  warnings: [],
  refusedRows: null,
};

async function contentOf(database: Database, id: string): Promise<Blob> {
  const [row] = await contentById(database.read, { id });
  if (row?.content === undefined || row.content === null) throw new BrokenOff();
  return new Blob([await unpacked(row.content, FILE_BYTES_MAX)]);
}

interface ReadNoun<Read extends Draft> extends Pick<ImportRun<Read>, "take"> {
  readonly read: ReadFile<Read>;
  readonly noun: ImportedNoun<Read>;
  readonly currency: string | null;
}

async function runOn<Read extends Draft>(
  { database, closing }: Pick<Shop, "database" | "closing">,
  { id, run, applies, terms: { isPartial } }: KeptFile,
  { read, noun, take, currency }: ReadNoun<Read>,
): Promise<KeptReport> {
  let notedAt = 0;
  const { outcomes, mended, faults, applied, refused } = await runImport(read, {
    noun,
    take,
    applies,
    isPartial,
    onProgress: async ({ applies: isImporting, done, total }) => {
      if (closing.aborted) throw new BrokenOff();
      const isNoted = monotonicMs() - notedAt < NOTED_MS && done < total;
      // An import whose file is gone, as after an erasure, ends with the batch.
      if (isNoted && !isImporting) return;
      notedAt = monotonicMs();
      const progress = { id, run, isImporting, done, total, now: realClock.now() };
      const noted = await database.write((tx) => noteProgress(tx, progress));
      if (!hasRow(noted)) throw new BrokenOff();
    },
  });
  const { source, rows, header, encoding, warnings } = read;
  const isRight = faults.length === 0;
  return {
    unreadable: null,
    source,
    rows,
    encodings: encoding.choices,
    currency: source === "duka" ? null : currency,
    outcomes,
    mended,
    applied,
    ...keptFaults(faults),
    warnings: groupedWarnings(warnings),
    refusedRows: isRight ? null : await packed(refusedRows({ header, refused, faults })),
  };
}

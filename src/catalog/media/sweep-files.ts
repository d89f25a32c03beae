// Workflows: delete the files that belong to no medium, those of uploads and deletions that a crash cut off, and compare
// the files with what the rows of media say of them.

import type { MediumFile } from "#catalog/rows/column-types.ts";
import { besideName, fileName, mediumOfFile, withoutBeside } from "#catalog/rows/image.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { finishedName } from "#platform/files/durable-file.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import { onlyPixels } from "#platform/files/only-pixels.ts";

import { hashOf, type MediaShop, readFile } from "./media-shop.ts";
import { mediaAfter, mediumRows } from "./queries.ts";

/**
 * Looks at the files that were written before the instant, epoch milliseconds. It has to lie before the beginning of
 * every upload that is at work, in any program: its files have no row yet.
 */
export async function sweepFiles(shop: MediaShop, writtenBefore: number): Promise<void> {
  const { files } = shop.media;
  if (files === null) return;
  for await (const { name, writtenAt } of files.list()) {
    if (shop.closing.aborted) return;
    if (writtenAt >= writtenBefore) continue;
    const id = mediumOfFile(withoutBeside(finishedName(name)));
    // The operator's own file, in a folder that was not empty.
    if (id === null) continue;
    if (!(await isOfMedium(shop, { id, name }))) await files.remove([name]);
  }
}

async function isOfMedium(
  { database }: MediaShop,
  { id, name }: { readonly id: Id<"medium">; readonly name: string },
): Promise<boolean> {
  const medium = await mediumRows.find(database.read, id);
  return (
    medium?.files.some(({ width, pixels }) => {
      const own = fileName(id, width);
      return own === name || (pixels === "beside" && besideName(own) === name);
    }) === true
  );
}

const MEDIA_AT_ONCE = 100;

const NO_PLACE: Difference = {
  subject: "media",
  what: "the place of their files",
  expected: "DUKA_MEDIA_DIR or DUKA_MEDIA_S3_BUCKET",
  found: "not set",
};

/** The terms of a check of files. */
interface AuditTerms {
  /** True if files are told of that have more than pixels, too: an earlier build wrote them, and they are sound. */
  readonly tellsChunks?: boolean;
}

/** Yields each file that is missing or has other bytes; where there is no place of files, that alone. */
export async function* auditMedia(
  db: Reader,
  store: FileStore | null,
  terms: AuditTerms = {},
): AsyncGenerator<Difference> {
  for (let id = ""; ;) {
    await nextTurn();
    const found = await mediaAfter(db, { id, rows: MEDIA_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
    if (store === null) return yield NO_PLACE;
    id = last.id;
    for (const { id: subject, files } of found) {
      for (const file of files) {
        const what = fileName(subject, file.width);
        const difference = await differenceOf(store, { ...file, name: what }, terms);
        if (difference !== null) yield { subject, ...difference };
      }
    }
  }
}

/** The words for a file in which no earlier build left anything else. */
const ALONE = "nothing but pixels";

async function differenceOf(
  store: FileStore,
  { name, sha256: expected, pixels }: MediumFile & { readonly name: string },
  { tellsChunks = false }: AuditTerms,
): Promise<Omit<Difference, "subject"> | null> {
  const beside = pixels === "beside" ? await readFile(store, besideName(name)) : null;
  if (beside !== null && hashOf(beside) === expected) return null;
  const file = await readFile(store, name);
  const found = file === null ? "missing" : hashOf(file);
  if (file === null || found !== expected) return { what: `SHA-256 of ${name}`, expected, found };
  const more = tellsChunks ? besidePixels(file) : null;
  return more === null ? null : { what: name, expected: ALONE, found: more };
}

/** Null for a file of nothing but pixels. */
function besidePixels(file: Uint8Array): string | null {
  const clean = onlyPixels(file)?.bytes;
  if (clean === undefined) return "no whole WebP";
  return Buffer.compare(clean, file) === 0 ? null : `${file.length - clean.length} bytes longer`;
}

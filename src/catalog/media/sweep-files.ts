// Workflows: delete the files that belong to no medium, those of uploads and deletions that a crash cut off, and compare
// the files with what the rows of media say of them.

import { fileName, mediumOfFile } from "#catalog/rows/image.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Id } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { finishedName } from "#platform/files/durable-file.ts";
import { bytesOf, type FileStore } from "#platform/files/file-store.ts";

import type { MediaShop } from "./media-shop.ts";
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
    const id = mediumOfFile(finishedName(name));
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
  return medium?.files.some(({ width }) => fileName(id, width) === name) === true;
}

const MEDIA_AT_ONCE = 100;

const NO_PLACE: Difference = {
  subject: "media",
  what: "the place of their files",
  expected: "DUKA_MEDIA_DIR or DUKA_MEDIA_S3_BUCKET",
  found: "not set",
};

/** Yields each file that is missing or has other bytes; where there is no place of files, that alone. */
export async function* auditMedia(db: Reader, store: FileStore | null): AsyncGenerator<Difference> {
  for (let id = ""; ;) {
    await nextTurn();
    const found = await mediaAfter(db, { id, rows: MEDIA_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
    if (store === null) return yield NO_PLACE;
    id = last.id;
    for (const { id: subject, files } of found) {
      for (const { width, sha256: expected } of files) {
        const name = fileName(subject, width);
        const is = await hashOf(store, name);
        if (is !== expected) yield { subject, what: `SHA-256 of ${name}`, expected, found: is };
      }
    }
  }
}

async function hashOf(store: FileStore, name: string): Promise<string> {
  const file = await store.open(name);
  if (file === null) return "missing";
  return new Bun.CryptoHasher("sha256").update(await bytesOf(file)).digest("hex");
}

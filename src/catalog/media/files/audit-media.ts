// Lookup: compares the files of media with what their rows say of them.

import { fileName } from "#catalog/media/image.ts";
import { mediaAfter } from "#catalog/media/queries.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";
import { bytesOf, type FileStore } from "#platform/files/file-store.ts";

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

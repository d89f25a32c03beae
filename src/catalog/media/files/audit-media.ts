// Lookup: compares the files of media with what their rows say of them.

import { fileName } from "#catalog/media/image.ts";
import { mediaAfter } from "#catalog/media/queries.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";
import { bytesOf, type FileStore } from "#platform/files/file-store.ts";

const MEDIA_AT_ONCE = 100;

/** Yields each file that is missing or has other bytes. Without a place for files all are missing. */
export async function* auditMedia(db: Reader, store: FileStore | null): AsyncGenerator<Difference> {
  for (let id = ""; ;) {
    const found = await mediaAfter(db, { id, rows: MEDIA_AT_ONCE });
    const last = found.at(-1);
    if (last === undefined) return;
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

async function hashOf(store: FileStore | null, name: string): Promise<string> {
  const file = (await store?.open(name)) ?? null;
  if (file === null) return "missing";
  return new Bun.CryptoHasher("sha256").update(await bytesOf(file)).digest("hex");
}

// Workflow: take out of the files of media what is no pixel, which earlier builds kept. Nothing is decoded: a picture has
// the same name and the same pixels afterwards. Invariant: at every instant there is a file with the hash of the row.
//
// 1. The new file is written beside the old one.
// 2. The row is committed with its hash, and says that the file is beside.
// 3. The new file takes the name of the old one.
// 4. The row says that nothing is left to do.
//
// A program that is killed between these is followed by one that goes on where the row says.

import type { MediumFile } from "#catalog/rows/column-types.ts";
import { besideName, fileName } from "#catalog/rows/image.ts";
import type { Medium } from "#catalog/rows/tables.ts";
import { nextTurn } from "#kernel/time.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import { onlyPixels } from "#platform/files/only-pixels.ts";

import { filesOf, hashOf, type MediaShop, readFile } from "./media-shop.ts";
import { mediaAfter, mediumRows, saveMediumFiles } from "./queries.ts";

const MEDIA_AT_ONCE = 100;

interface RepairTerms {
  /** The medium after which it begins. */
  readonly after?: string;
  /** Called before each file that is read. */
  readonly rest?: () => Promise<void>;
}

interface Repaired {
  /** How many files were written anew. */
  readonly files: number;
  /** The last medium that was looked at. */
  readonly last: string;
}

/**
 * Looks at every medium after the one, oldest first, until there is none or the shop closes. Files that are missing or
 * have other bytes than their row says are left to the check. Refuses with `media_store_unavailable`.
 */
export async function repairMedia(
  shop: MediaShop,
  { after = "", rest = nextTurn }: RepairTerms = {},
): Promise<Repaired> {
  let files = 0;
  for (let last = after; ;) {
    await nextTurn();
    const found = await mediaAfter(shop.database.read, { id: last, rows: MEDIA_AT_ONCE });
    if (found.length === 0) return { files, last };
    for (const medium of found) {
      if (shop.closing.aborted) return { files, last };
      if (medium.files.some(({ pixels }) => pixels !== "alone")) {
        files += await repairMedium(shop, medium, rest);
      }
      last = medium.id;
    }
  }
}

/** Returns how many of its files were written anew. */
async function repairMedium(
  shop: MediaShop,
  medium: Medium,
  rest: () => Promise<void>,
): Promise<number> {
  const store = filesOf(shop);
  const known: MediumFile[] = [];
  for (const file of medium.files) {
    if (file.pixels === undefined) await rest();
    known.push(await withoutChunks(store, fileName(medium.id, file.width), file));
  }
  if (!(await saveFiles(shop, medium, known))) return 0;
  const moved: MediumFile[] = [];
  for (const file of known) {
    moved.push(await withItsName(store, fileName(medium.id, file.width), file));
  }
  await saveFiles(shop, { ...medium, files: known }, moved);
  return known.filter(({ pixels }) => pixels === "beside").length;
}

/** Writes the file's pixels beside it, if it has more than these. */
async function withoutChunks(
  store: FileStore,
  name: string,
  file: MediumFile,
): Promise<MediumFile> {
  if (file.pixels !== undefined) return file;
  const found = await readFile(store, name);
  if (found === null || hashOf(found) !== file.sha256) return file;
  const bytes = onlyPixels(found)?.bytes;
  if (bytes === undefined) return file;
  const sha256 = hashOf(bytes);
  if (sha256 === file.sha256) return { ...file, pixels: "alone" };
  await store.put(besideName(name), bytes);
  return { ...file, bytes: bytes.length, sha256, pixels: "beside" };
}

/** Gives the file that is beside its name. */
async function withItsName(store: FileStore, name: string, file: MediumFile): Promise<MediumFile> {
  if (file.pixels !== "beside") return file;
  const beside = besideName(name);
  const bytes = await readFile(store, beside);
  if (bytes !== null && hashOf(bytes) === file.sha256) await store.put(name, bytes);
  const kept = await readFile(store, name);
  if (kept === null || hashOf(kept) !== file.sha256) return file;
  await store.remove([beside]);
  return { ...file, pixels: "alone" };
}

/** Returns false, and changes nothing, if the row is gone or another program has written other files since. */
async function saveFiles(
  { database }: MediaShop,
  { id, files: before }: Medium,
  after: readonly MediumFile[],
): Promise<boolean> {
  if (Bun.deepEquals(before, after)) return true;
  return database.write(async (tx) => {
    const row = await mediumRows.find(tx, id);
    if (row === undefined || !Bun.deepEquals(row.files, before)) return false;
    await saveMediumFiles(tx, { id, files: after });
    return true;
  });
}

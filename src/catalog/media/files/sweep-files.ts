// Workflow: delete the files that belong to no medium: those of uploads that a crash cut off, and of a reset shop.

import { fileName, hashOfFile } from "#catalog/media/image.ts";
import { findMediumOfBytes } from "#catalog/media/queries.ts";
import { finishedName } from "#platform/files/durable-file.ts";

import type { MediaShop } from "./media-shop.ts";

/** Looks at the files that were written before the instant, epoch milliseconds. */
export async function sweepFiles(shop: MediaShop, writtenBefore: number): Promise<void> {
  const { files, inTurn } = shop.media;
  if (files === null) return;
  for await (const { name, writtenAt } of files.list()) {
    if (shop.closing.aborted) return;
    if (writtenAt >= writtenBefore) continue;
    const hash = hashOfFile(finishedName(name));
    // The operator's own file, in a folder that was not empty.
    if (hash === null) continue;
    await inTurn(hash, async () => {
      if (!(await isOfMedium(shop, { hash, name }))) await files.remove([name]);
    });
  }
}

async function isOfMedium(
  { database }: MediaShop,
  { hash, name }: { readonly hash: string; readonly name: string },
): Promise<boolean> {
  const medium = await findMediumOfBytes(database.read, hash);
  return medium?.files.some(({ width }) => fileName(hash, width) === name) === true;
}

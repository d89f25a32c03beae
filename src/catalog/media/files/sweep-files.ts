// Workflow: delete the files that belong to no medium: those of uploads and deletions that a crash cut off.

import { fileName, mediumOfFile } from "#catalog/media/image.ts";
import { mediumRows } from "#catalog/media/queries.ts";
import type { Id } from "#kernel/id.ts";
import { finishedName } from "#platform/files/durable-file.ts";

import type { MediaShop } from "./media-shop.ts";

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

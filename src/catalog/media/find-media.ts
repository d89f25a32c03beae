// Lookup: the list of media.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import { mediaOf } from "./image.ts";
import { collectionPictures, getMediaUrl, type ServedMedium } from "./lookups.ts";
import { listMediumRows, type MediumFilters } from "./queries.ts";

interface MediaSearch extends PageRequest {
  /** True: those that no product and no collection shows; false: those that one shows. */
  readonly isUnused?: boolean | undefined;
}

/** Returns a page of media, newest first. Of a filtered list each medium's use is looked up until the page is full. */
export async function findMedia(
  db: Reader,
  { isUnused, after, limit }: MediaSearch,
): Promise<Page<ServedMedium>> {
  const filters = { after: after ?? undefined, ...(await usage(db, isUnused)) };
  const { rows, ...rest } = toPage(
    await listMediumRows(db, { ...filters, rows: limit + 1 }),
    limit,
  );
  const mediaUrl = await getMediaUrl(db);
  return { ...rest, rows: rows.map((row) => ({ ...row, mediaUrl })) };
}

/** Collections are few, so those with a picture are read first. */
async function usage(
  db: Reader,
  isUnused: boolean | undefined,
): Promise<Pick<MediumFilters, "unused" | "used" | "ofCollections">> {
  if (isUnused === undefined) return {};
  const shown = (await collectionPictures(db)).flatMap(({ images }) => mediaOf(images));
  const ofCollections = shown.length === 0 ? undefined : shown;
  return isUnused ? { unused: true, ofCollections } : { used: true, ofCollections };
}

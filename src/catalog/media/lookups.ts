// Reads of media for other folders and routes, and of what shows them.

import { type Image, mediaOf, namesOfFiles } from "#catalog/rows/image.ts";
import type { Medium } from "#catalog/rows/tables.ts";
import { isObject } from "#kernel/assume.ts";
import type { Id } from "#kernel/id.ts";
import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import {
  findMediaAddress,
  findMediumOfBytes,
  listMediumRows,
  mediaAfter,
  type MediumFilters,
  mediumRows,
  picturesOfCollections,
} from "./queries.ts";

/** A medium, and what the addresses of its files begin with. */
export interface ServedMedium extends Medium {
  readonly mediaUrl: string;
}

/** The beginning of the addresses of files; empty in a shop that was never served. */
export async function getMediaUrl(db: Reader): Promise<string> {
  return (await findMediaAddress(db))?.url ?? "";
}

/** The id of the medium of a file that was received. */
export async function findMediumId(db: Reader, file: unknown): Promise<string | null> {
  const sha256 = isObject(file) ? file["sha256"] : null;
  if (typeof sha256 !== "string") return null;
  return (await findMediumOfBytes(db, sha256))?.id ?? null;
}

const MEDIA_AT_ONCE = 500;

/** The files of all media. */
export async function listFileNames(db: Reader): Promise<string[]> {
  const names: string[] = [];
  for (let id = ""; ;) {
    await nextTurn();
    const found = await mediaAfter(db, { id, rows: MEDIA_AT_ONCE });
    names.push(...found.flatMap(namesOfFiles));
    const last = found.at(-1);
    if (last === undefined) return names;
    id = last.id;
  }
}

/** Refuses with `medium_not_found`. */
export async function getMedium(db: Reader, id: string): Promise<ServedMedium> {
  return { ...(await mediumRows.get(db, id)), mediaUrl: await getMediaUrl(db) };
}

/** The same; no other transaction changes or deletes it until this one ends. */
export async function lockMedium(tx: Tx, id: string): Promise<ServedMedium> {
  return { ...(await mediumRows.lock(tx, id)), mediaUrl: await getMediaUrl(tx) };
}

/** The collections that have a picture, oldest first, each with its picture as a list. */
export async function collectionPictures(
  db: Reader,
): Promise<{ readonly id: Id<"collection">; readonly images: readonly Image[] }[]> {
  const found = await picturesOfCollections(db, {});
  return found.flatMap(({ id, image }) => (image === null ? [] : [{ id, images: [image] }]));
}

/** The collections that show the medium, oldest first. */
export async function findCollectionsShowing(
  db: Reader,
  id: Id<"medium">,
): Promise<Id<"collection">[]> {
  const found = (await collectionPictures(db)).filter(({ images }) => mediaOf(images).includes(id));
  return found.map((one) => one.id);
}

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

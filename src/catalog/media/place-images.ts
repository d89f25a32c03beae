// Stories: find what a product is to show, or a collection or a variant, which has one picture or none.

import { type GivenImage, type Image, mediumOfFile } from "#catalog/rows/image.ts";
import type { Medium } from "#catalog/rows/tables.ts";
import type { Id } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import { getMediaUrl } from "./lookups.ts";
import { mediumRows } from "./queries.ts";

/**
 * Returns the pictures as a row has them that shows them, under their pointers in the request, and locks their media. The
 * address of a file of the shop is its medium, so that a product that is exported and imported keeps it. Adds a fault
 * per picture that there is not.
 */
export async function placeImages(
  tx: Tx,
  given: ReadonlyMap<string, GivenImage>,
  faults: Faults,
): Promise<Map<string, Image>> {
  const ids = new Map<string, Id<"medium">>();
  for (const [pointer, one] of given) {
    const id = await mediumIdOf(tx, one);
    if (id !== undefined) ids.set(pointer, id);
  }
  const known = await lockMedia(tx, new Set(ids.values()));
  const placed = new Map<string, Image>();
  for (const [pointer, { url, alt }] of given) {
    const id = ids.get(pointer);
    const medium = known.get(id ?? "");
    if (medium !== undefined) placed.set(pointer, imageOf(medium, alt));
    else if (id === undefined && url !== undefined) placed.set(pointer, { url, alt: alt ?? "" });
    else faults.add(...missing(pointer, id));
  }
  return placed;
}

/** In one order, so that two products with the same media do not deadlock. */
async function lockMedia(
  tx: Tx,
  ids: ReadonlySet<Id<"medium">>,
): Promise<ReadonlyMap<string, Medium>> {
  const known = new Map<string, Medium>();
  for (const id of [...ids].toSorted((one, other) => (one < other ? -1 : 1))) {
    const found = await mediumRows.findLocked(tx, id);
    if (found !== undefined) known.set(found.id, found);
  }
  return known;
}

function missing(pointer: string, id: Id<"medium"> | undefined): Parameters<Faults["add"]> {
  return id === undefined
    ? [pointer, "required", "A picture has a media_id or a url."]
    : [`${pointer}/media_id`, "unknown_medium", "There is no such medium."];
}

async function mediumIdOf(tx: Tx, { mediaId, url }: GivenImage): Promise<Id<"medium"> | undefined> {
  if (mediaId !== undefined || url === undefined) return mediaId;
  const base = `${await getMediaUrl(tx)}/`;
  const id = url.startsWith(base) ? mediumOfFile(url.slice(base.length)) : null;
  return id === null ? undefined : (await mediumRows.find(tx, id))?.id;
}

function imageOf(
  { id, width, height, placeholder, files, ...medium }: Medium,
  alt = medium.alt,
): Image {
  const widths = files.map((file) => file.width);
  return { mediaId: id, alt, width, height, placeholder, widths };
}

/** Returns the picture as the row has it that shows it, and locks its medium. Adds a fault if there is no such medium. */
export async function placeImage(
  tx: Tx,
  given: GivenImage | null,
  faults: Faults,
): Promise<Image | null> {
  if (given === null) return null;
  const at = "/image";
  return (await placeImages(tx, new Map([[at, given]]), faults)).get(at) ?? null;
}

// Story: find what a product or a collection is to show.

import type { Id } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import { type GivenImage, hashOfFile, type Image } from "./image.ts";
import { getMediaUrl } from "./lookups.ts";
import { findMediumOfBytes, mediumRows } from "./queries.ts";
import type { Medium } from "./tables.ts";

interface Placing {
  readonly faults: Faults;
  /** The pointer to the picture in the request. */
  readonly at?: (index: number) => string;
}

/**
 * Returns the pictures as a row has them that shows them, and locks their media. The address of a file of the shop is its
 * medium, so that a product that is exported and imported keeps it. Adds a fault per picture that there is not.
 */
export async function placeImages(
  tx: Tx,
  given: readonly GivenImage[],
  { faults, at = (index) => `/images/${index}` }: Placing,
): Promise<Image[]> {
  const ids = await Promise.all(given.map((one) => mediumIdOf(tx, one)));
  const known = new Map<string, Medium>();
  // In one order, so that two products with the same media do not deadlock.
  const named = [...new Set(ids)].filter((id) => id !== undefined);
  for (const id of named.toSorted((one, other) => (one < other ? -1 : 1))) {
    const found = await mediumRows.findLocked(tx, id);
    if (found !== undefined) known.set(found.id, found);
  }
  return given.flatMap(({ url, alt }, index): Image[] => {
    const id = ids[index];
    const medium = id === undefined ? undefined : known.get(id);
    if (medium !== undefined) return [imageOf(medium, alt)];
    if (id !== undefined) {
      faults.add(`${at(index)}/media_id`, "unknown_medium", "There is no such medium.");
    } else if (url === undefined) {
      faults.add(at(index), "required", "A picture has a media_id or a url.");
    } else {
      return [{ url, alt: alt ?? "" }];
    }
    return [];
  });
}

async function mediumIdOf(tx: Tx, { mediaId, url }: GivenImage): Promise<Id<"medium"> | undefined> {
  if (mediaId !== undefined || url === undefined) return mediaId;
  const base = `${await getMediaUrl(tx)}/`;
  const hash = url.startsWith(base) ? hashOfFile(url.slice(base.length)) : null;
  return hash === null ? undefined : (await findMediumOfBytes(tx, hash))?.id;
}

function imageOf(
  { id, sha256, width, height, placeholder, files, ...medium }: Medium,
  alt = medium.alt,
): Image {
  const widths = files.map((file) => file.width);
  return { mediaId: id, alt, sha256, width, height, placeholder, widths };
}

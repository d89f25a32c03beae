// Story: find what a collection is to show, which has one picture or none.

import type { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import type { GivenImage, Image } from "./image.ts";
import { placeImages } from "./place-images.ts";

/** Returns the picture as the collection's row has it, and locks its medium. Adds a fault if there is no such medium. */
export async function placeImage(
  tx: Tx,
  given: GivenImage | null,
  faults: Faults,
): Promise<Image | null> {
  if (given === null) return null;
  const [image = null] = await placeImages(tx, [given], { faults, at: () => "/image" });
  return image;
}

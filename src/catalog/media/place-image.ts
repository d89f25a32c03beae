// Story: find what a collection or a variant is to show, which has one picture or none.

import type { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";

import type { GivenImage, Image } from "./image.ts";
import { placeImages } from "./place-images.ts";

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

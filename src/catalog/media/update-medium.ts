// Story: change the words of a medium.

import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";

import { getMediaUrl, type ServedMedium } from "./lookups.ts";
import { mediumRows } from "./queries.ts";

/**
 * Products that show it keep the words that they have: those of the medium are what a product gets where it is given
 * none. Refuses with `medium_not_found` and `stale_version`.
 */
export async function updateMedium(
  tx: Tx,
  id: Id<"medium">,
  { alt, expected }: { readonly alt: string; readonly expected: ExpectedVersion },
): Promise<ServedMedium> {
  const before = await mediumRows.lock(tx, id);
  requireVersion(before.version, expected);
  const after = alt === before.alt ? before : await mediumRows.save(tx, before, { alt });
  return { ...after, mediaUrl: await getMediaUrl(tx) };
}

// Story: a start of the shop makes the link that lets in its first owner.

import type { Tx } from "#platform/database/database.ts";
import { hasPeople } from "#shop/people/lookups.ts";

import { makeLink } from "./make-link.ts";

/** The token of a new link while no one may sign in, else null. Links of earlier starts stay valid for their day. */
export async function makeFirstLink(tx: Tx): Promise<string | null> {
  if (await hasPeople(tx)) return null;
  return makeLink(tx, { kind: "first_owner", by: null });
}

// Story: the overlap of a rotation is over, and nothing is left of the secret before it.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/store.ts";

import { keepEndpoint } from "./keep-endpoint.ts";
import { findEndpointRow } from "./queries.ts";

/** Afterwards the endpoint has one secret. Nothing happens where it is gone, or has one already. */
export async function forgetOldSecret(tx: Tx, id: Id<"webhook">): Promise<void> {
  const endpoint = await findEndpointRow(tx, id);
  if (endpoint === undefined || endpoint.sealedOldSecret === null) return;
  await keepEndpoint(tx, endpoint, { sealedOldSecret: null, oldSecretExpiresAt: null });
}

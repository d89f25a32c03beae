// Workflow: what is over for 30 days is forgotten, and what an endpoint left that was deleted. It
// goes in small pieces, so that no order waits behind it.

import { firstIdAt } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import { findEndpointRow } from "#messaging/webhooks/endpoints/queries.ts";
import type { Shop } from "#platform/database/shop.ts";

import { deleteDeliveries, findOldDeliveries } from "./attempt-queries.ts";
import { KEPT_MS } from "./delivery.ts";
import { findEndpointIdAfter, listDeliveryRows } from "./queries.ts";

const AT_ONCE = 200;

/** Afterwards nothing is kept that has no more use. */
export async function pruneDeliveries(shop: Shop): Promise<void> {
  const { database, clock } = shop;
  const before = firstIdAt("delivery", clock.now() - KEPT_MS);
  await inPieces(shop, async () => {
    const old = await findOldDeliveries(database.read, before, AT_ONCE);
    return old.map(({ id }) => id);
  });
  let endpointId = "";
  for (;;) {
    const next = await findEndpointIdAfter(database.read, endpointId);
    if (next === null) return;
    endpointId = next;
    if ((await findEndpointRow(database.read, next)) !== undefined) continue;
    await inPieces(shop, async () => {
      const page = { rows: AT_ONCE, after: null };
      const left = await listDeliveryRows(database.read, { endpointId: next }, page);
      return left.map(({ id }) => id);
    });
  }
}

async function inPieces(
  { database, closing }: Shop,
  find: () => Promise<Parameters<typeof deleteDeliveries>[1]>,
): Promise<void> {
  while (!closing.aborted) {
    const ids = await find();
    if (ids.length === 0) return;
    await database.write((tx) => deleteDeliveries(tx, ids));
    await nextTurn();
  }
}

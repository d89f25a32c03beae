// Workflow: delete deliveries that finished long ago, and those of deleted endpoints. Small batches
// keep each write short, so requests do not wait.

import { firstIdAt } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import { endpointRows } from "#messaging/webhooks/endpoints/queries.ts";
import type { Shop } from "#platform/database/shop.ts";

import { deleteDeliveries, findOldDeliveries } from "./attempt-queries.ts";
import { KEPT_MS } from "./delivery.ts";
import { findEndpointIdAfter, listDeliveryRows } from "./queries.ts";

const BATCH_SIZE = 200;

/** Deletes finished deliveries older than `KEPT_MS`, and all deliveries of deleted endpoints. */
export async function pruneDeliveries(shop: Shop): Promise<void> {
  const { database, clock } = shop;
  const before = firstIdAt("delivery", clock.now() - KEPT_MS);
  await inBatches(shop, async () => {
    const old = await findOldDeliveries(database.read, before, BATCH_SIZE);
    return old.map(({ id }) => id);
  });
  let endpointId = "";
  for (;;) {
    const next = await findEndpointIdAfter(database.read, endpointId);
    if (next === null) return;
    endpointId = next;
    if ((await endpointRows.find(database.read, next)) !== undefined) continue;
    await inBatches(shop, async () => {
      const page = { rows: BATCH_SIZE, after: null };
      const left = await listDeliveryRows(database.read, { endpointId: next }, page);
      return left.map(({ id }) => id);
    });
  }
}

async function inBatches(
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

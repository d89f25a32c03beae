// Lookup: compares the index of lines with the lines, of all orders that the index writer has passed. A term
// without a line is no fault: lists look at the lines.

import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

import { CONSUMER } from "./line-events.ts";
import { findOrdersAfter, listedLinesAfter } from "./queries.ts";

const LINES_AT_ONCE = 1_000;

/** Yields each product or SKU of a line by which its order is not found. Needs a Reader of one snapshot. */
export async function* auditLineIndex(db: Reader): AsyncGenerator<Difference> {
  const waiting = await findOrdersAfter(db, await findLogCursor(db, CONSUMER));
  for (let place = { orderId: "", position: 0 }; ;) {
    const lines = await listedLinesAfter(db, { ...place, rows: LINES_AT_ONCE });
    for (const { orderId, productId, sku, listedProduct, listedSku } of lines) {
      if (waiting.has(orderId)) continue;
      if (productId !== listedProduct) yield missing(orderId, "product", productId);
      if (sku !== listedSku) yield missing(orderId, "SKU", sku);
    }
    const last = lines.at(-1);
    if (last === undefined) return;
    place = last;
  }
}

function missing(subject: string, kind: string, expected: string | null): Difference {
  return {
    subject,
    what: `${kind} that finds the order`,
    expected: expected ?? "none",
    found: "none",
  };
}

// SQL of the index of lines.

import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { selectTexts } from "#platform/database/dialect.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { events } from "#platform/database/tables.ts";

import { orderLines as lines, orderLineTerms } from "./tables.ts";

/** Whose cursor in the log says how far the index of lines is written. */
export const CONSUMER = "order_line_terms";

/** Every story that writes lines emits one of these in the same commit. */
export const lineEvents = ["order.placed", "order.updated"] as const;

/** The events come first in both joins: SQLite keeps to the order of a cross join. */
const linesOfSpan = prepared<{ after: number; until: number }>()((db, at) =>
  db
    .select({ orderId: lines.orderId, productId: lines.productId, sku: lines.sku })
    .from(events)
    .crossJoin(lines)
    .where(
      and(
        inArray(events.name, lineEvents),
        gt(events.sequence, at.after),
        lte(events.sequence, at.until),
        eq(lines.orderId, events.subject),
      ),
    ),
);
const subjectsAfter = prepared<{ after: number }>()((db, at) =>
  db
    .select({ subject: events.subject })
    .from(events)
    .where(and(inArray(events.name, lineEvents), gt(events.sequence, at.after))),
);
const insertPairs = preparedWrite<{ pairs: string }>()((tx, at) =>
  tx.insert(orderLineTerms).select(selectTexts(at.pairs, 2)).onConflictDoNothing(),
);
const listedTerm = (column: string) =>
  sql<string | null>`(SELECT listed.term FROM ${orderLineTerms} AS listed
    WHERE listed.term = ${sql.raw(`order_lines.${column}`)} AND listed.order_id = order_lines.order_id)`;
const linesAfter = prepared<{ orderId: string; position: number; rows: number }>()((db, at) =>
  db
    .select({
      orderId: lines.orderId,
      position: lines.position,
      productId: lines.productId,
      sku: lines.sku,
      listedProduct: listedTerm("product_id"),
      listedSku: listedTerm("sku"),
    })
    .from(lines)
    .where(sql`(order_id, position) > (${at.orderId}, ${at.position})`)
    .orderBy(asc(lines.orderId), asc(lines.position))
    .limit(at.rows),
);

/** A line as it is found: the order, and its terms. */
interface LineOfOrder {
  readonly orderId: string;
  readonly productId: string | null;
  readonly sku: string | null;
}

/** The lines of the orders that events of these sequences brought lines to. */
export function findLinesOfSpan(
  db: Reader,
  span: { readonly after: number; readonly until: number },
): Promise<LineOfOrder[]> {
  return linesOfSpan(db, span);
}

/** The orders that events after the sequence brought lines to. */
export async function findOrdersAfter(db: Reader, after: number): Promise<ReadonlySet<string>> {
  return new Set((await subjectsAfter(db, { after })).map(({ subject }) => subject));
}

/** A term, and an order that is found by it. */
export type TermPair = readonly [term: string, orderId: string];

/** Afterwards the orders are found by their terms. Pairs that are there already stay. */
export async function insertTerms(tx: Tx, pairs: readonly TermPair[]): Promise<void> {
  await insertPairs(tx, { pairs: JSON.stringify(pairs) });
}

interface AuditedLine extends LineOfOrder {
  readonly position: number;
  /** The term as it is listed for the order; null if it is missing. */
  readonly listedProduct: string | null;
  readonly listedSku: string | null;
}

/** The lines after this one, each with what is listed of its terms. */
export function listedLinesAfter(
  db: Reader,
  place: { readonly orderId: string; readonly position: number; readonly rows: number },
): Promise<AuditedLine[]> {
  return linesAfter(db, place);
}

// SQL of what lines of older orders show of their variants, which a job fills in.

import { and, desc, eq, sql } from "drizzle-orm";

import { prepared, preparedWrite } from "#platform/database/prepared.ts";

import { isToFill } from "./condition-queries.ts";
import type { OrderLine } from "./order.ts";
import { orderLines as lines } from "./tables.ts";

/** Lines of which it is not known yet what is shown of their variants, newest first. */
export const linesToFill = prepared<{ rows: number }>()((db, at) =>
  db
    .select({ orderId: lines.orderId, position: lines.position, variantId: lines.variantId })
    .from(lines)
    .where(isToFill)
    .orderBy(desc(lines.orderId), desc(lines.position))
    .limit(at.rows),
);

/** Null is written as JSON, which says that there is nothing to show: the line is not looked at again. */
export const fillLine = preparedWrite<
  Pick<OrderLine, "orderId" | "position" | "variantId" | "shown">
>()((tx, at) =>
  tx
    .update(lines)
    .set({ shown: sql`coalesce(${sql.param(at.shown, lines.shown)}, 'null')` })
    .where(
      and(
        eq(lines.orderId, at.orderId),
        eq(lines.position, at.position),
        // The order may have got other lines since this one was read.
        eq(lines.variantId, at.variantId),
        isToFill,
      ),
    ),
);

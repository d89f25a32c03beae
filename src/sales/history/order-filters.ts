// The filters of lists of orders: what a list is asked for, and the values of its statement.

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { SpanValues } from "#platform/database/walk.ts";

/** The filters of a list; an array matches any of its values. */
export interface OrderFilters {
  readonly ids?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly paymentStatus?: readonly string[] | undefined;
  readonly fulfillmentStatus?: readonly string[] | undefined;
  readonly paymentMethod?: readonly string[] | undefined;
  readonly customerId?: string | undefined;
  readonly channel?: string | undefined;
  /** Only orders whose goods wait to be sent, or only the others. */
  readonly toPack?: boolean | undefined;
  readonly number?: number | undefined;
  readonly externalId?: string | undefined;
  /** The product of any line. */
  readonly productId?: string | undefined;
  /** Some line has one of these. */
  readonly skus?: readonly string[] | undefined;
  /** Epoch milliseconds, from the first up to, but without, the second. */
  readonly paidFrom?: number | undefined;
  readonly paidBelow?: number | undefined;
  readonly updatedFrom?: number | undefined;
  readonly updatedBelow?: number | undefined;
  /** The smallest id of the span, and the first id above it. */
  readonly from?: Id<"order"> | undefined;
  readonly below?: Id<"order"> | undefined;
}

/** The orders between two ids. */
export type OrderSpan = Pick<OrderFilters, "from" | "below">;

/** The values of a statement that lists. */
export interface OrderListValues
  extends Omit<OrderFilters, "from" | "below" | "toPack">, SpanValues {
  readonly toPack?: true | undefined;
  readonly notToPack?: true | undefined;
  /** The products of which any line is asked for. */
  readonly productIds?: readonly string[] | undefined;
  /** The kind, term or week of an index, whose orders are looked at. */
  readonly kind?: string | undefined;
  readonly term?: string | undefined;
  readonly paidWeek?: number | undefined;
  readonly updatedWeek?: number | undefined;
}

/** The statement's values for a page; one row more than the page has. */
export function listValues(
  { toPack, ...filters }: OrderFilters,
  page: PageRequest,
): OrderListValues {
  return {
    ...filters,
    ...(toPack === undefined ? {} : { [toPack ? "toPack" : "notToPack"]: true }),
    after: page.after ?? undefined,
    rows: page.limit + 1,
  };
}

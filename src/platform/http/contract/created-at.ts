// The `created_at` filters of lists. Ids contain the instant of creation, so a span of time is a
// span of ids and needs no index.

import { firstIdAt, type Id, type IdKind } from "#kernel/id.ts";
import { DAY_MS } from "#kernel/time.ts";

import { instantOrDay, optional } from "./words.ts";

/** A day without a time; JavaScript reads it as its first instant in UTC. */
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The query parameters, to be spread into a list's query. */
export const createdAtFilters = {
  "created_at[gte]": optional(instantOrDay),
  "created_at[gt]": optional(instantOrDay),
  "created_at[lte]": optional(instantOrDay),
  "created_at[lt]": optional(instantOrDay),
};

interface CreatedAtQuery {
  readonly "created_at[gte]"?: string;
  readonly "created_at[gt]"?: string;
  readonly "created_at[lte]"?: string;
  readonly "created_at[lt]"?: string;
}

export interface IdSpan<K extends IdKind> {
  /** The first id within the bounds. */
  readonly from: Id<K> | undefined;
  /** The first id beyond the bounds. */
  readonly below: Id<K> | undefined;
}

/** The ids of a kind that were made within the bounds. */
export function idSpan<K extends IdKind>(kind: K, query: CreatedAtQuery): IdSpan<K> {
  const from = bounds(query["created_at[gte]"], query["created_at[gt]"]);
  const below = bounds(query["created_at[lt]"], query["created_at[lte]"]);
  return {
    from: from.length === 0 ? undefined : firstIdAt(kind, Math.max(...from)),
    below: below.length === 0 ? undefined : firstIdAt(kind, Math.min(...below)),
  };
}

/** `gte` and `lt` begin at the instant, `gt` and `lte` after it. A day is an instant that takes 24 hours. */
function bounds(at: string | undefined, after: string | undefined): number[] {
  return [
    ...(at === undefined ? [] : [Date.parse(at)]),
    ...(after === undefined ? [] : [Date.parse(after) + (DAY.test(after) ? DAY_MS : 1)]),
  ];
}

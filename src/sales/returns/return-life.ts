// The types of what the rows of returns hold.

import type { Id } from "#kernel/id.ts";

export const returnReasons = [
  "unwanted",
  "damaged",
  "wrong_item",
  "refused_at_door",
  "not_collected",
  "other",
] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** Units of a line that came back, and how many of them returned to stock. */
export interface ReturnedLine {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  readonly restocked: number;
}

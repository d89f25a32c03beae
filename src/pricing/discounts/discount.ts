// Discounts: types, limits and refusals. A discount is automatic, or applies to those who enter one of its codes.

import type { Change } from "#kernel/change.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { defineRefusal } from "#kernel/refusal.ts";

import type { DiscountRow } from "./tables.ts";

export type Discount = DiscountRow;

/** In the order in which they are decided: an archived discount is archived, whatever else it is. */
export const discountStatuses = ["archived", "ended", "exhausted", "scheduled", "active"] as const;
export type DiscountStatus = (typeof discountStatuses)[number];

/** Returns true if the instant is within the dates of the discount. */
export function runsAt({ startsAt, endsAt }: Pick<Discount, "startsAt" | "endsAt">, atMs: number) {
  return (startsAt === null || startsAt <= atMs) && (endsAt === null || endsAt > atMs);
}

/** A discount as it is answered, at one instant. */
export interface DiscountNow extends Discount {
  readonly status: DiscountStatus;
  /** Orders that use it, also where there is no limit. */
  readonly uses: number;
  readonly codeCount: number;
  /** The first in alphabetical order. */
  readonly firstCode: string | null;
}

/** The fields of a discount that a request can set. */
export type DiscountFields = Omit<
  Discount,
  "id" | "usedCount" | "archivedAt" | "version" | "createdAt" | "updatedAt"
>;

/** Fields that are stored as they are sent. */
export type PlainFields = Change<Omit<DiscountFields, "terms" | "scope" | "minimum">>;

/** Every cart reads the automatic discounts, and each of them is priced. */
export const AUTOMATIC_MAX = 20;

export const discountNotFound = defineRefusal(
  "discount_not_found",
  "not_found",
  "There is no such discount.",
);
export const discountInUse = defineRefusal("discount_in_use", "conflict", {
  title: "A discount or code that an order used cannot be deleted.",
  cause: "Orders refer to the discount or code.",
  remedy: "Archive the discount: it applies no more, and its orders keep what was agreed.",
});

const discountFaults = defineFaults({
  scope_empty: "The scope names nothing, so it would match no line item.",
  unknown_discount: "There is no such discount.",
  too_many_automatic: "The shop has as many active automatic discounts as it may.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof discountFaults> {}
}

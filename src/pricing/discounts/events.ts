// The events of discounts. Their payload is the discount as the API returns it.

import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";

import type { DiscountNow } from "./discount.ts";
import { discountWire } from "./schema.ts";

export const discountEvents = declareEvents(discountWire, [
  "discount.created",
  "discount.updated",
  "discount.archived",
  "discount.exhausted",
]);

/** Builds an event from the discount after the change. */
export function discountFact(
  name: keyof typeof discountEvents.payloads,
  discount: DiscountNow,
): Announcement {
  return discountEvents.announce(name, discount.id, discount);
}

// The events of discounts. Their payload is the discount as the API returns it.

import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";

import type { DiscountNow } from "./discount.ts";
import { discountWire } from "./schema.ts";

export const discountEvents = declareEvents(discountWire, {
  "discount.created": "A discount was created.",
  "discount.updated": "A discount was changed. Codes that are added or deleted emit nothing.",
  "discount.archived": "A discount was archived and applies no more.",
  "discount.exhausted":
    "An order took the last use of a discount. Emitted again if a cancelled order gave one back.",
});

/** Builds an event from the discount after the change. */
export function discountFact(
  name: keyof typeof discountEvents.schemas,
  discount: DiscountNow,
): Announcement {
  return discountEvents.announce(name, discount.id, discount);
}

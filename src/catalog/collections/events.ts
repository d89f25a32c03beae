// The events of collections. Their payload is the collection as the API returns it.

import type { Collection } from "#catalog/rows/collection.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";

import { collectionWire } from "./schema.ts";

export const collectionEvents = declareEvents(collectionWire, [
  "collection.created",
  "collection.updated",
  "collection.deleted",
]);

/** Builds an event. `collection` is the current one, or the last one before its deletion. */
export function collectionFact(
  name: keyof typeof collectionEvents.payloads,
  collection: Collection,
): Announcement {
  return collectionEvents.announce(name, collection.id, collection);
}

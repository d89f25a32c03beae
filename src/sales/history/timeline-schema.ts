// The timeline of an order on the wire.

import Type, { type Static } from "typebox";

import { toIso } from "#kernel/time.ts";
import { thaw } from "#platform/event-log/frozen-json.ts";
import {
  anyMembers,
  component,
  idOf,
  instant,
  nullable,
  object,
  whole,
} from "#platform/http/contract/words.ts";
import { namedActorShape } from "#shop/audit-log/schema.ts";

import type { Timeline } from "./read-timeline.ts";

export const timelineSchema = object({
  data: Type.Array(
    component("OrderEvent", {
      id: idOf("event"),
      sequence: whole(1),
      type: Type.String(),
      event: Type.String({ description: "The same as `type`, under its name in the feed." }),
      at: instant,
      created_at: instant,
      actor: namedActorShape.schema,
      request_id: nullable(Type.String()),
      data: anyMembers("The payload of the event."),
    }),
  ),
  has_more: Type.Boolean(),
  next_after: whole(0),
});

/** Presents a page of a timeline. */
export function presentTimeline(timeline: Timeline): Static<typeof timelineSchema> {
  return {
    data: timeline.events.map(({ actor: { type, id, name }, ...event }) => ({
      id: event.id,
      sequence: event.sequence,
      type: event.name,
      event: event.name,
      at: toIso(event.createdAt),
      created_at: toIso(event.createdAt),
      actor: { type, id, name },
      request_id: event.requestId,
      data: thaw(event.data),
    })),
    has_more: timeline.hasMore,
    next_after: timeline.nextAfter,
  };
}

// The sandbox on the wire.

import Type, { type Static } from "typebox";

import { toIso } from "#kernel/time.ts";
import { eventNames } from "#messaging/events/event.ts";
import type { Advance, Shop } from "#platform/database/shop.ts";
import {
  choice,
  component,
  currency,
  idOf,
  instant,
  line,
  nullable,
  object,
  optional,
  prose,
  whole,
} from "#platform/http/contract/words.ts";
import type { TimerRow } from "#platform/scheduler/timer-queries.ts";
import { ADVANCE_SECONDS_MAX } from "#sandbox/clock/clock.ts";
import type { Seeded } from "#sandbox/seed/seed-shop.ts";
import type { SampleChange } from "#sandbox/trigger/trigger-event.ts";

import { requireSandbox } from "./require-sandbox.ts";

export const clockSchema = component("Clock", {
  now: instant,
  offset_seconds: Type.Number({ description: "Seconds ahead of real time." }),
});

export const clockMoveSchema = object({ now: instant });

export const advanceRequestSchema = object({ seconds: whole(1, ADVANCE_SECONDS_MAX) });

export const advanceSchema = object({
  now: instant,
  fired: Type.Array(object({ at: instant, name: line(100), subject: line(500) }), {
    description: "The timers that fired, in order of their time.",
  }),
  settled: Type.Boolean({
    description:
      "False if the advance takes more than 10 seconds of real time: it then continues in the background.",
  }),
});

export const timerSchema = component("Timer", {
  name: line(100),
  subject: line(500, { description: "The id of the object it is about." }),
  due_at: instant,
  attempts: whole(0, undefined, { description: "Failed attempts since it was set." }),
  last_error: nullable(prose(500)),
});

export const resetSchema = object({ reset_at: instant });

export const seedRequestSchema = object({ currency: optional(currency) });

export const seededSchema = object({
  currency,
  products: object({ count: whole(0), ids: Type.Array(idOf("product")) }),
  variants: object({ count: whole(0), ids: Type.Array(idOf("variant")) }),
  customers: object({ count: whole(0), ids: Type.Array(idOf("customer")) }),
  orders: object({ count: whole(0), ids: Type.Array(idOf("order")) }),
  carts: object({ count: whole(0), ids: Type.Array(idOf("cart")) }),
});

export const triggerRequestSchema = object({
  event: choice(eventNames),
  data: optional(
    Type.Unsafe<SampleChange>({
      type: "object",
      additionalProperties: true,
      maxProperties: 100,
      description: "Members that replace those of the event's `data`.",
    }),
  ),
});

/** The clock on the wire. Refuses with `not_found` in live mode. */
export function presentClock(shop: Shop): Static<typeof clockSchema> {
  return {
    now: toIso(shop.clock.now()),
    offset_seconds: requireSandbox(shop).offsetMs() / 1000,
  };
}

/** The result of an advance on the wire. */
export function presentAdvance({ now, fired, settled }: Advance): Static<typeof advanceSchema> {
  return {
    now: toIso(now),
    fired: fired.map(({ at, name, subject }) => ({ at: toIso(at), name, subject })),
    settled,
  };
}

/** A timer on the wire. */
export function presentTimer(timer: TimerRow): Static<typeof timerSchema> {
  return {
    name: timer.name,
    subject: timer.subject,
    due_at: toIso(timer.dueAt),
    attempts: timer.attempts,
    last_error: timer.lastError,
  };
}

/** The result of seeding on the wire. */
export function presentSeeded(seeded: Seeded): Static<typeof seededSchema> {
  return {
    currency: seeded.currency,
    products: counted(seeded.productIds),
    variants: counted(seeded.variantIds),
    customers: counted(seeded.customerIds),
    orders: counted(seeded.orderIds),
    carts: counted(seeded.cartIds),
  };
}

function counted<Id>(ids: readonly Id[]): { count: number; ids: Id[] } {
  return { count: ids.length, ids: [...ids] };
}

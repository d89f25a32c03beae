// What came of attempts is written down.

import type { Id } from "#kernel/id.ts";
import { advanceDelivery } from "#messaging/webhooks/deliveries/advance-delivery.ts";
import {
  insertAttempt,
  nextAttemptNumber,
} from "#messaging/webhooks/deliveries/attempt-queries.ts";
import { releaseClaim } from "#messaging/webhooks/deliveries/claims.ts";
import {
  type AttemptTrigger,
  type Delivery,
  type DeliveryOutcome,
  type EndedAttempt,
  type EndedClaim,
  isSuccess,
  keptExcerpt,
  saysGone,
  waitAfter,
  waitsMs,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { findLostClaims, lockDeliveryRow } from "#messaging/webhooks/deliveries/queries.ts";
import { disableWebhook } from "#messaging/webhooks/endpoints/disable-webhook.ts";
import { findEndpointRow, lockHealth, putHealth } from "#messaging/webhooks/endpoints/queries.ts";
import { FAILING_MS_MAX, healthAfter } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import { findEvent, findEvents, type LoggedEvent } from "#platform/event-log/event-log.ts";

const AT_ONCE = 200;

type EndpointId = Id<"webhook">;

/** What a batch of attempts tells of one endpoint. */
interface Told {
  /** Of each attempt in turn, whether it succeeded. */
  readonly successes: boolean[];
  isGone: boolean;
}

/** What one commit needs to know. */
interface Recording {
  readonly told: Map<EndpointId, Told>;
  /** Of those answers that say anything. */
  readonly events: ReadonlyMap<string, LoggedEvent>;
  readonly share: () => number;
}

/**
 * Afterwards each attempt is on record, its delivery has succeeded, waits for its next attempt or
 * has none left, and endpoints that are gone, or failed for five days, are disabled. `share` from 0
 * to 1 spreads the waits.
 */
export async function recordOutcomes(
  tx: Tx,
  claims: readonly EndedClaim[],
  share: () => number,
): Promise<void> {
  const told = new Map<EndpointId, Told>();
  const events = await findEvents(tx, claims.filter(hasExcerpt).map(eventIdOf));
  for (const one of claims) await record(tx, one, { told, events, share });
  for (const id of [...told.keys()].toSorted()) await classifyAttempt(tx, id, told.get(id));
}

/** One endpoint after the other in the order of their ids: others record what they heard of the same. */
async function classifyAttempt(tx: Tx, id: EndpointId, told: Told | undefined): Promise<void> {
  if (told === undefined || (await findEndpointRow(tx, id))?.status !== "enabled") return;
  let health = await lockHealth(tx, id);
  for (const succeeded of told.successes) health = healthAfter(health, succeeded, tx.now);
  await putHealth(tx, id, health);
  const failedForMs = tx.now - (health.failingSince ?? tx.now);
  if (told.isGone) await disableWebhook(tx, id, "gone");
  else if (failedForMs >= FAILING_MS_MAX) await disableWebhook(tx, id, "failing");
}

function hasExcerpt({ ended }: EndedClaim): boolean {
  return typeof ended === "object" && ended.outcome.excerpt !== "";
}

function eventIdOf({ delivery }: EndedClaim): Id<"event"> {
  return delivery.eventId;
}

async function record(
  tx: Tx,
  { delivery, ended }: EndedClaim,
  recording: Recording,
): Promise<void> {
  if (ended === "released") return releaseClaim(tx, delivery);
  if (ended === "dropped") {
    await advanceDelivery(tx, delivery, { action: "cancel" });
    return;
  }
  if (ended === "unknown") {
    const wait = { share: recording.share(), retryAfterMs: null };
    return recordUnknown(tx, delivery, waitAfter(delivery.attempts, wait));
  }
  await recordAttempt(tx, delivery, { ...recording, ended });
}

async function recordAttempt(
  tx: Tx,
  delivery: Delivery,
  { ended, told, events, share }: Recording & { readonly ended: EndedAttempt },
): Promise<void> {
  const { outcome, startedAt } = ended;
  const nextAt = await move(tx, delivery, { outcome, share });
  // A shop that was emptied meanwhile remembers nothing of it.
  if (nextAt === undefined && (await lockDeliveryRow(tx, delivery.id)) === undefined) return;
  const { skewMs: _, retryAfterMs: __, ...kept } = outcome;
  await insertAttempt(tx, {
    deliveryId: delivery.id,
    number: await nextAttemptNumber(tx, delivery.id),
    trigger: "schedule",
    outcome: isSuccess(outcome) ? "succeeded" : "failed",
    startedAt,
    ...kept,
    excerpt: keptExcerpt(ended, events.get(delivery.eventId)?.data),
    nextAt: nextAt ?? null,
  });
  const heard = told.get(delivery.endpointId) ?? { successes: [], isGone: false };
  told.set(delivery.endpointId, heard);
  heard.successes.push(isSuccess(outcome));
  heard.isGone ||= saysGone(outcome);
}

/** When the next attempt is; null where there is none, undefined where the claim was lost. */
async function move(
  tx: Tx,
  delivery: Delivery,
  { outcome, share }: { readonly outcome: DeliveryOutcome; readonly share: () => number },
): Promise<number | null | undefined> {
  const waitMs = isSuccess(outcome)
    ? null
    : waitAfter(delivery.attempts, { share: share(), retryAfterMs: outcome.retryAfterMs });
  const moved =
    waitMs === null
      ? await advanceDelivery(tx, delivery, { action: isSuccess(outcome) ? "succeed" : "exhaust" })
      : await advanceDelivery(tx, delivery, { action: "retry", nextAt: tx.now + waitMs });
  return moved === null ? undefined : moved.nextAt;
}

/** Afterwards the attempt is on record; nothing where the delivery is gone. */
export async function recordManual(
  tx: Tx,
  id: Id<"delivery">,
  manual: EndedAttempt & { readonly trigger: AttemptTrigger },
): Promise<void> {
  const delivery = await lockDeliveryRow(tx, id);
  if (delivery === undefined) return;
  const { outcome, trigger, startedAt } = manual;
  const { skewMs: _, retryAfterMs: __, ...kept } = outcome;
  await insertAttempt(tx, {
    deliveryId: id,
    number: await nextAttemptNumber(tx, id),
    trigger,
    outcome: isSuccess(outcome) ? "succeeded" : "failed",
    startedAt,
    ...kept,
    excerpt: keptExcerpt(manual, (await findEvent(tx, delivery.eventId))?.data),
    nextAt: delivery.nextAt,
  });
  if (!isSuccess(outcome)) return;
  await advanceDelivery(tx, delivery, { action: "confirm" });
  const endpoint = await findEndpointRow(tx, delivery.endpointId);
  if (endpoint === undefined) return;
  await putHealth(tx, endpoint.id, healthAfter(await lockHealth(tx, endpoint.id), true, tx.now));
}

/**
 * Afterwards the attempt is on record and its delivery waits so long for the next one, milliseconds;
 * it is exhausted where there is none.
 */
async function recordUnknown(tx: Tx, delivery: Delivery, waitMs: number | null): Promise<void> {
  const moved = await advanceDelivery(
    tx,
    delivery,
    waitMs === null ? { action: "exhaust" } : { action: "retry", nextAt: tx.now + waitMs },
  );
  if (moved === null) return;
  await insertAttempt(tx, {
    deliveryId: delivery.id,
    number: await nextAttemptNumber(tx, delivery.id),
    trigger: "schedule",
    outcome: "unknown",
    startedAt: delivery.claimedAt ?? tx.now,
    durationMs: null,
    responseStatus: null,
    failure: null,
    address: null,
    excerpt: "",
    nextAt: moved.nextAt,
  });
}

/**
 * Afterwards what was under way at another start of the program waits again and is due, at most so
 * many as one commit should take; an attempt that was the last one stays the last. Answers whether
 * there may be more.
 */
export async function recoverClaims(tx: Tx, claim: string): Promise<boolean> {
  const lost = await findLostClaims(tx, claim, AT_ONCE);
  for (const delivery of lost) {
    await recordUnknown(tx, delivery, delivery.attempts >= waitsMs.length ? null : 0);
  }
  return lost.length === AT_ONCE;
}

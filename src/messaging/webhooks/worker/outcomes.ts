// Stories: save the outcomes of attempts and recover lost claims.

import type { Id } from "#kernel/id.ts";
import { HOUR_MS } from "#kernel/time.ts";
import { advanceDelivery } from "#messaging/webhooks/deliveries/advance-delivery.ts";
import {
  insertAttempt,
  nextAttemptNumber,
} from "#messaging/webhooks/deliveries/attempt-queries.ts";
import { releaseClaim } from "#messaging/webhooks/deliveries/claims.ts";
import type { AttemptTrigger } from "#messaging/webhooks/deliveries/delivery-life.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  type EndedAttempt,
  type EndedClaim,
  excerptToSave,
  isGone,
  isSuccess,
  waitAfter,
  waitsMs,
} from "#messaging/webhooks/deliveries/delivery.ts";
import { deliveryRows, findLostClaims } from "#messaging/webhooks/deliveries/queries.ts";
import { advanceEndpoint } from "#messaging/webhooks/endpoints/advance-endpoint.ts";
import { endpointRows, lockHealth, putHealth } from "#messaging/webhooks/endpoints/queries.ts";
import { FAILING_MS_MAX, healthAfter } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/database.ts";
import { findEvent, findEvents, type LoggedEvent } from "#platform/event-log/event-log.ts";

const BATCH_SIZE = 200;
/** After a start receivers have so long to start too, milliseconds: nothing was sent while the program was off. */
const STARTING_MS = HOUR_MS;

type EndpointId = Id<"webhook">;

/** The results of a batch of attempts for one endpoint. */
interface EndpointResults {
  /** For each attempt in order, whether it succeeded. */
  readonly successes: boolean[];
  isGone: boolean;
}

export interface RecordingTerms {
  /** The jitter of a retry, from 0 to 1. */
  readonly share: () => number;
  /** When the program started, on the shop's clock. */
  readonly startedAt: number;
}

/** The state of one commit. */
interface Recording extends Pick<RecordingTerms, "share"> {
  readonly results: Map<EndpointId, EndpointResults>;
  /** The current events of the attempts that have a response. */
  readonly events: ReadonlyMap<string, LoggedEvent>;
}

/**
 * Saves the results of claims: inserts the attempts, moves the deliveries, updates the health of
 * their endpoints, and disables endpoints that are gone or have failed for five days.
 */
export async function recordOutcomes(
  tx: Tx,
  claims: readonly EndedClaim[],
  { share, startedAt }: RecordingTerms,
): Promise<void> {
  const results = new Map<EndpointId, EndpointResults>();
  const events = await findEvents(tx, claims.filter(hasExcerpt).map(eventIdOf));
  for (const one of claims) await record(tx, one, { results, events, share });
  // By id: concurrent writers lock the same endpoints, and one order prevents deadlocks.
  const byId = [...results].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const isStarting = tx.now - startedAt < STARTING_MS;
  for (const [id, result] of byId) await updateHealth(tx, id, { ...result, isStarting });
}

async function updateHealth(
  tx: Tx,
  id: EndpointId,
  results: EndpointResults & { readonly isStarting: boolean },
): Promise<void> {
  if ((await endpointRows.find(tx, id))?.status !== "enabled") return;
  let health = await lockHealth(tx, id);
  for (const succeeded of results.successes) health = healthAfter(health, succeeded, tx.now);
  await putHealth(tx, id, health);
  const failedForMs = tx.now - (health.failingSince ?? tx.now);
  const hasFailedLong = failedForMs >= FAILING_MS_MAX && !results.isStarting;
  if (!results.isGone && !hasFailedLong) return;
  const reason = results.isGone ? "gone" : "failing";
  // Read again: the lock may have waited for another writer.
  await advanceEndpoint(tx, await endpointRows.get(tx, id), { action: "disable", reason });
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
  { ended, results, events, share }: Recording & { readonly ended: EndedAttempt },
): Promise<void> {
  const { outcome, startedAt } = ended;
  const nextAt = await move(tx, delivery, { outcome, share });
  // The shop was reset meanwhile: the delivery is gone.
  if (nextAt === undefined && (await deliveryRows.findLocked(tx, delivery.id)) === undefined)
    return;
  const { skewMs: _, retryAfterMs: __, ...saved } = outcome;
  await insertAttempt(tx, {
    deliveryId: delivery.id,
    number: await nextAttemptNumber(tx, delivery.id),
    trigger: "schedule",
    outcome: isSuccess(outcome) ? "succeeded" : "failed",
    startedAt,
    ...saved,
    excerpt: excerptToSave(ended, events.get(delivery.eventId)?.data),
    nextAt: nextAt ?? null,
  });
  const result = results.get(delivery.endpointId) ?? { successes: [], isGone: false };
  results.set(delivery.endpointId, result);
  result.successes.push(isSuccess(outcome));
  result.isGone ||= isGone(outcome);
}

/** The time of the next attempt; null if there is none, undefined if the claim was lost. */
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

/** Saves an attempt outside the schedule. Does nothing if the delivery is gone. */
export async function recordManual(
  tx: Tx,
  id: Id<"delivery">,
  manual: EndedAttempt & { readonly trigger: AttemptTrigger },
): Promise<void> {
  const delivery = await deliveryRows.findLocked(tx, id);
  if (delivery === undefined) return;
  const { outcome, trigger, startedAt } = manual;
  const { skewMs: _, retryAfterMs: __, ...saved } = outcome;
  await insertAttempt(tx, {
    deliveryId: id,
    number: await nextAttemptNumber(tx, id),
    trigger,
    outcome: isSuccess(outcome) ? "succeeded" : "failed",
    startedAt,
    ...saved,
    excerpt: excerptToSave(manual, (await findEvent(tx, delivery.eventId))?.data),
    nextAt: delivery.nextAt,
  });
  if (!isSuccess(outcome)) return;
  await advanceDelivery(tx, delivery, { action: "confirm" });
  const endpoint = await endpointRows.find(tx, delivery.endpointId);
  if (endpoint === undefined) return;
  await putHealth(tx, endpoint.id, healthAfter(await lockHealth(tx, endpoint.id), true, tx.now));
}

/** Saves an attempt with unknown outcome and retries after the wait; null exhausts the delivery. */
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
 * Makes deliveries under any other claim due again, as many as fit one commit. Their attempts count,
 * so a delivery without attempts left is exhausted. Returns whether there may be more.
 */
export async function recoverClaims(tx: Tx, claim: string): Promise<boolean> {
  const lost = await findLostClaims(tx, claim, BATCH_SIZE);
  for (const delivery of lost) {
    await recordUnknown(tx, delivery, delivery.attempts >= waitsMs.length ? null : 0);
  }
  return lost.length === BATCH_SIZE;
}

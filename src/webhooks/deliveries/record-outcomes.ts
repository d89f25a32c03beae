// Story: what came of attempts is written down. Invariant: a delivery moves only while it is claimed
// as its sender knew it; an attempt whose claim was lost is on record and moves nothing.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/store/store.ts";
import { disableWebhook } from "#webhooks/disable-webhook.ts";
import { findEndpointRow, findHealth, putHealth } from "#webhooks/queries.ts";
import { type EndpointHealth, FAILING_MS_MAX, healthAfter } from "#webhooks/webhook.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { insertAttempt, nextAttemptNumber } from "./attempt-queries.ts";
import {
  type Delivery,
  type EndedClaim,
  isSuccess,
  type Outcome,
  saysGone,
  waitAfter,
} from "./delivery.ts";
import { findDeliveryRow } from "./queries.ts";
import { releaseClaim } from "./release-claim.ts";

type EndpointId = Id<"webhook">;

/** What a batch of attempts tells of one endpoint. */
interface Told {
  health: EndpointHealth;
  isGone: boolean;
}

/**
 * Afterwards each attempt is on record, its delivery has succeeded, waits for its next attempt or
 * has none left, and endpoints that are gone, or failed for five days, are disabled. `share` from 0
 * to 1 spreads the waits.
 */
export async function recordOutcomes(
  tx: Tx,
  ended: readonly EndedClaim[],
  share: () => number,
): Promise<void> {
  const told = new Map<EndpointId, Told>();
  for (const one of ended) await record(tx, one, { told, share });
  for (const [id, { health, isGone }] of told) {
    if ((await findEndpointRow(tx, id))?.status !== "enabled") continue;
    await putHealth(tx, id, health);
    const failedForMs = tx.now - (health.failingSince ?? tx.now);
    if (isGone) await disableWebhook(tx, id, "gone");
    else if (failedForMs >= FAILING_MS_MAX) await disableWebhook(tx, id, "failing");
  }
}

async function record(
  tx: Tx,
  { delivery, startedAt, outcome }: EndedClaim,
  { told, share }: { readonly told: Map<EndpointId, Told>; readonly share: () => number },
): Promise<void> {
  if (outcome === "dropped") {
    await advanceDelivery(tx, delivery, { action: "cancel" });
    return;
  }
  if (outcome === "released") return releaseClaim(tx, delivery);
  const nextAt = await move(tx, delivery, { outcome, share });
  // A shop that was emptied meanwhile remembers nothing of it.
  if (nextAt === undefined && (await findDeliveryRow(tx, delivery.id)) === undefined) return;
  const { skewMs: _, retryAfterMs: __, ...kept } = outcome;
  await insertAttempt(tx, {
    deliveryId: delivery.id,
    number: await nextAttemptNumber(tx, delivery.id),
    trigger: "schedule",
    outcome: isSuccess(outcome) ? "succeeded" : "failed",
    startedAt,
    ...kept,
    nextAt: nextAt ?? null,
  });
  const before = told.get(delivery.endpointId) ?? {
    health: await findHealth(tx, delivery.endpointId),
    isGone: false,
  };
  told.set(delivery.endpointId, {
    health: healthAfter(before.health, isSuccess(outcome), tx.now),
    isGone: before.isGone || saysGone(outcome),
  });
}

/** When the next attempt is; null where there is none, undefined where the claim was lost. */
async function move(
  tx: Tx,
  delivery: Delivery,
  { outcome, share }: { readonly outcome: Outcome; readonly share: () => number },
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

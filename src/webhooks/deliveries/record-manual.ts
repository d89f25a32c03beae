// Story: an attempt that somebody asked for is written down. A success ends the delivery and forgives
// the endpoint; a failure changes nothing.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/store/store.ts";
import { findEndpointRow, findHealth, putHealth } from "#webhooks/queries.ts";
import { healthAfter } from "#webhooks/webhook.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { insertAttempt, nextAttemptNumber } from "./attempt-queries.ts";
import { type AttemptTrigger, isSuccess, type Outcome } from "./delivery.ts";
import { findDeliveryRow } from "./queries.ts";

/** Afterwards the attempt is on record; nothing where the delivery is gone. */
export async function recordManual(
  tx: Tx,
  id: Id<"delivery">,
  manual: {
    readonly trigger: AttemptTrigger;
    readonly startedAt: number;
    readonly outcome: Outcome;
  },
): Promise<void> {
  const delivery = await findDeliveryRow(tx, id);
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
    nextAt: delivery.nextAt,
  });
  if (!isSuccess(outcome)) return;
  await advanceDelivery(tx, delivery, { action: "confirm" });
  const endpoint = await findEndpointRow(tx, delivery.endpointId);
  if (endpoint === undefined) return;
  await putHealth(tx, endpoint.id, healthAfter(await findHealth(tx, endpoint.id), true, tx.now));
}

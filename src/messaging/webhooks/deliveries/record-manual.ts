// Story: an attempt that somebody asked for is written down. A success ends the delivery and forgives
// the endpoint; a failure changes nothing.

import type { Id } from "#kernel/id.ts";
import { findEndpointRow, holdHealth, putHealth } from "#messaging/webhooks/endpoints/queries.ts";
import { healthAfter } from "#messaging/webhooks/endpoints/webhook.ts";
import type { Tx } from "#platform/database/store.ts";
import { findEvent } from "#platform/event-log/event-log.ts";

import { advanceDelivery } from "./advance-delivery.ts";
import { insertAttempt, nextAttemptNumber } from "./attempt-queries.ts";
import { type AttemptTrigger, type EndedAttempt, isSuccess, keptExcerpt } from "./delivery.ts";
import { holdDeliveryRow } from "./queries.ts";

/** Afterwards the attempt is on record; nothing where the delivery is gone. */
export async function recordManual(
  tx: Tx,
  id: Id<"delivery">,
  manual: EndedAttempt & { readonly trigger: AttemptTrigger },
): Promise<void> {
  const delivery = await holdDeliveryRow(tx, id);
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
  await putHealth(tx, endpoint.id, healthAfter(await holdHealth(tx, endpoint.id), true, tx.now));
}

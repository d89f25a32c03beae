// Story: append an act to the audit log.

import { newId } from "#kernel/id.ts";
import { type Clock, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Act, Shown } from "#platform/event-log/act.ts";

import { insertEntry } from "./queries.ts";

/**
 * Afterwards the log has an entry of the act by the transaction's actor. Its time is the machine's, also in
 * test mode, whose clock may be moved by those who are recorded.
 */
export async function recordAct(tx: Tx, act: Act, clock: Clock = realClock): Promise<void> {
  const now = clock.now();
  const { actorName, action, subject, difference, requestId = null, clientNetwork = null } = act;
  await insertEntry(tx, {
    id: newId("audit", now),
    actor: tx.actor.id ?? tx.actor.type,
    actorName,
    action,
    subject,
    changedFields: difference?.fields ?? [],
    before: textOrNull(difference?.before),
    after: textOrNull(difference?.after),
    requestId,
    clientNetwork,
    createdAt: now,
  });
}

function textOrNull(shown: Shown | null | undefined): string | null {
  return shown === null || shown === undefined ? null : JSON.stringify(shown);
}

// Story: append an act to the audit log.

import { isObject } from "#kernel/assume.ts";
import { firstIdAt, newId } from "#kernel/id.ts";
import { type Clock, MINUTE_MS, realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Act, Shown } from "#platform/event-log/event-log.ts";

import { insertEntry, listEntryRows, setAfter } from "./queries.ts";
import type { AuditEntry } from "./tables.ts";

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
  // It is no event, and who follows the log of acts is to look.
  tx.wake();
}

function textOrNull(shown: Shown | null | undefined): string | null {
  return shown === null || shown === undefined ? null : JSON.stringify(shown);
}

// Story: record an attempt that failed. Strangers fail as often as they like, so that attempts are summed.

/** Failures of this long are one entry, from the first on. */
const SUMMED_MS = 15 * MINUTE_MS;
/** Beyond so many entries of an action in that time, those of all networks are one for each subject. */
const ENTRIES_MAX = 100;
/** More rows than there are then: one for each person, and one for names that are none. */
const ROWS_MAX = 2_000;

type Failure = Pick<Act, "actorName" | "action" | "subject" | "clientNetwork">;

/**
 * Afterwards an entry of the last quarter of an hour with the same subject and network counts the failure, as
 * `failures` among its values. The caller has locked what tells transactions with the same subject and network apart.
 */
export async function recordFailure(
  tx: Tx,
  failure: Failure,
  clock: Clock = realClock,
): Promise<void> {
  const { action, subject, clientNetwork = null } = failure;
  const from = firstIdAt("audit", clock.now() - SUMMED_MS);
  const rows = await listEntryRows(tx, { action, from }, { after: null, limit: ROWS_MAX });
  const find = (network: string | null) =>
    rows.find((row) => row.subject === subject && row.clientNetwork === network);
  const network = (find(clientNetwork) ?? rows.length < ENTRIES_MAX) ? clientNetwork : null;
  const entry = find(network);
  if (entry !== undefined) {
    await setAfter(tx, { id: entry.id, after: countText(failuresOf(entry) + 1) });
    return;
  }
  const difference = { fields: ["failures"], before: null, after: { failures: 1 } };
  await recordAct(tx, { ...failure, clientNetwork: network, difference }, clock);
}

/** One for an entry that was not summed. */
export function failuresOf({ after }: AuditEntry): number {
  const values: unknown = after === null ? null : JSON.parse(after);
  const failures = isObject(values) ? values["failures"] : null;
  return typeof failures === "number" ? failures : 1;
}

function countText(failures: number): string {
  return JSON.stringify({ failures });
}

// The acts of those who guess: anyone can type a name or a password, so that their entries are not kept for good.

export const FAILED_SIGN_IN = "failSignIn";
export const FAILED_CONFIRMATION = "failConfirmation";

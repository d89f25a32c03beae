// Story: the next events of the log are counted. Invariant: sums and cursor move in one commit, so
// that each event counts once, whatever ends the program in between; and the cursor moves first, so that
// of several programs that count, one does while the others wait.

import { CONSUMER } from "#analytics/figures.ts";
import type { Tx } from "#platform/database/database.ts";
import { eventsAfter, lastSequence } from "#platform/event-log/event-log.ts";
import { lockLogCursor, moveLogCursor } from "#platform/event-log/log-cursors.ts";

import { readFact } from "./fact.ts";
import { recallMemory } from "./recall-memory.ts";
import { saveTally } from "./save-tally.ts";
import { Tally } from "./tally.ts";

/** Events of one commit: about 3 ms, so that no order waits longer behind it. */
const EVENTS_AT_ONCE = 250;

/** Afterwards the next events are counted. Answers whether there may be more. */
export async function projectEvents(tx: Tx): Promise<boolean> {
  const from = await lockLogCursor(tx, CONSUMER);
  // Asked before: what comes while we look is not passed over where nothing was found.
  const last = await lastSequence(tx);
  const found = await eventsAfter(tx, { after: from, limit: EVENTS_AT_ONCE });
  // A log that was emptied goes on with its numbers.
  const to = found.at(-1)?.sequence ?? last;
  if (to === from) return false;
  await moveLogCursor(tx, CONSUMER, { from, to });
  const facts = found.map(readFact).filter((fact) => fact !== null);
  const tally = new Tally(await recallMemory(tx, facts));
  for (const fact of facts) tally.add(fact);
  await saveTally(tx, tally);
  return found.length === EVENTS_AT_ONCE;
}

// Story: the next events of the log are counted. Invariant: sums and cursor move in one commit, so
// that each event counts once, whatever ends the program in between.

import { CONSUMER } from "#analytics/figures.ts";
import { eventsAfter, lastSequence } from "#platform/store/event-log.ts";
import { findLogCursor, moveLogCursor } from "#platform/store/log-cursors.ts";
import type { Tx } from "#platform/store/store.ts";

import { readFact } from "./fact.ts";
import { keepTally } from "./keep-tally.ts";
import { recallMemory } from "./recall-memory.ts";
import { Tally } from "./tally.ts";

/** Events of one commit: about 3 ms, so that no order waits longer behind it. */
const EVENTS_AT_ONCE = 250;

/** Afterwards the next events are counted. Answers whether there may be more. */
export async function projectEvents(tx: Tx): Promise<boolean> {
  const from = await findLogCursor(tx, CONSUMER);
  const found = await eventsAfter(tx, { after: from, limit: EVENTS_AT_ONCE });
  // A log that was emptied goes on with its numbers.
  const to = found.at(-1)?.sequence ?? (await lastSequence(tx));
  if (to === from) return false;
  const facts = found.map(readFact).filter((fact) => fact !== null);
  const tally = new Tally(await recallMemory(tx, facts));
  for (const fact of facts) tally.add(fact);
  await keepTally(tx, tally);
  await moveLogCursor(tx, CONSUMER, { from, to });
  return found.length === EVENTS_AT_ONCE;
}

// Workflow: everything that was committed before it began is counted, as far as time allows.

import { type Backlog, findBacklog } from "#analytics/summary/find-backlog.ts";
import { Refusal } from "#kernel/refusal.ts";
import { monotonicMs } from "#kernel/time.ts";
import type { Database, Reader } from "#platform/database/database.ts";

import { projectEvents } from "./project-events.ts";

export interface CaughtUp extends Backlog {
  /** Whether waiting helps: false while the store takes no writes. */
  readonly isUnderWay: boolean;
}

/**
 * Afterwards nothing is behind that was committed before, unless `withinMs` were over first, or the
 * store takes no writes just now.
 */
export async function catchUp(database: Database, withinMs: number): Promise<CaughtUp> {
  const endsAtMs = monotonicMs() + withinMs;
  const start = await findBacklog(database.read);
  const target = start.sequence + start.behind;
  let { sequence } = start;
  let isUnderWay = true;
  while (isUnderWay && sequence < target && monotonicMs() < endsAtMs) {
    isUnderWay = await projectOnce(database);
    sequence = (await findBacklog(database.read)).sequence;
  }
  return { sequence, behind: Math.max(0, target - sequence), isUnderWay };
}

/** What is being counted, by the reader of the store: everybody who waits for it waits for the same. */
const running = new WeakMap<Reader, Promise<boolean>>();

/** Counts on, together with whoever does so already: one connection to the store is enough for all. */
function projectOnce(database: Database): Promise<boolean> {
  const known = running.get(database.read);
  if (known !== undefined) return known;
  const begun = projectNext(database).finally(() => running.delete(database.read));
  running.set(database.read, begun);
  return begun;
}

/** False where the disk is full or writing has ended. */
async function projectNext(database: Database): Promise<boolean> {
  try {
    await database.write(projectEvents);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.definition.kind === "unavailable") return false;
    throw error;
  }
}

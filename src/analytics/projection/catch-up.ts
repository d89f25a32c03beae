// Workflow: everything that was committed before it began is counted, as far as time allows.

import { type Backlog, findBacklog } from "#analytics/summary/find-backlog.ts";
import { Refusal } from "#kernel/refusal.ts";
import { monotonicMs } from "#kernel/time.ts";
import type { Reader, Store } from "#platform/database/store.ts";

import { projectEvents } from "./project-events.ts";

export interface CaughtUp extends Backlog {
  /** Whether waiting helps: false while the store takes no writes. */
  readonly isUnderWay: boolean;
}

/**
 * Afterwards nothing is behind that was committed before, unless `withinMs` were over first, or the
 * store takes no writes just now.
 */
export async function catchUp(store: Store, withinMs: number): Promise<CaughtUp> {
  const endsAtMs = monotonicMs() + withinMs;
  const start = await findBacklog(store.read);
  const target = start.sequence + start.behind;
  let { sequence } = start;
  let isUnderWay = true;
  while (isUnderWay && sequence < target && monotonicMs() < endsAtMs) {
    isUnderWay = await projectOnce(store);
    sequence = (await findBacklog(store.read)).sequence;
  }
  return { sequence, behind: Math.max(0, target - sequence), isUnderWay };
}

/** What is being counted, by the reader of the store: everybody who waits for it waits for the same. */
const running = new WeakMap<Reader, Promise<boolean>>();

/** Counts on, together with whoever does so already: one connection to the store is enough for all. */
function projectOnce(store: Store): Promise<boolean> {
  const known = running.get(store.read);
  if (known !== undefined) return known;
  const begun = projectNext(store).finally(() => running.delete(store.read));
  running.set(store.read, begun);
  return begun;
}

/** False where the disk is full or writing has ended. */
async function projectNext(store: Store): Promise<boolean> {
  try {
    await store.write(projectEvents);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.definition.kind === "unavailable") return false;
    throw error;
  }
}

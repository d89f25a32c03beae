// How long a group of stories works: the longer, the more of them share a commit. Reads need not wait for it, since
// they see what is committed on a connection of their own.

import { monotonicMs } from "#kernel/time.ts";

/** Milliseconds of work per commit; the story that exceeds it is the group's last. */
const GROUP_MS_MAX = 20;
/** Milliseconds of work before the event loop gets a turn, in which reads are answered. */
const TURN_MS = 2;

export class GroupTime {
  readonly beganAtMs = monotonicMs();
  readonly #endMs: number;
  #turnEndMs = this.beganAtMs + TURN_MS;

  constructor(groupMsMax = GROUP_MS_MAX) {
    this.#endMs = this.beganAtMs + groupMsMax;
  }

  /**
   * Returns whether the group may work on, after the event loop had its turn where it is due: reads are answered in it,
   * and where no story waits, the requests that have come meanwhile bring more, which would need a commit of their own.
   */
  async goesOn(isAnyWaiting: boolean): Promise<boolean> {
    const now = monotonicMs();
    if (isAnyWaiting && now < this.#turnEndMs) return true;
    if (now >= this.#endMs) return false;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#turnEndMs = monotonicMs() + TURN_MS;
    return true;
  }
}

// Processor time per answer in short windows, so that windows in which something else disturbed can be left
// out. It runs in the load, because only the load knows when an answer arrived.

import { cpuNanosecondsOfThreads } from "./usage.ts";

/** Long enough for several groups of a slow program, milliseconds. */
const WINDOW_MS = 100;

export class CpuWindows {
  readonly #pids: readonly number[];
  readonly #microseconds: number[] = [];
  #threads: Map<string, number>;
  #endsAt = performance.now() + WINDOW_MS;
  #answers = 0;

  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#threads = this.#read();
  }

  /** Microseconds per answer of each window that has ended. */
  get microseconds(): readonly number[] {
    return this.#microseconds;
  }

  /**
   * Counts an answer. A window ends with the first answer after its time and not by a clock: a program
   * answers in groups, and a clock would count the answers of a group and leave out its cost.
   */
  count(now: number): void {
    this.#answers += 1;
    if (now < this.#endsAt) return;
    const before = this.#threads;
    this.#threads = this.#read();
    let nanoseconds = 0;
    for (const [thread, spent] of this.#threads) nanoseconds += spent - (before.get(thread) ?? 0);
    this.#microseconds.push(nanoseconds / 1000 / this.#answers);
    this.#answers = 0;
    this.#endsAt = now + WINDOW_MS;
  }

  #read(): Map<string, number> {
    return new Map(this.#pids.flatMap((pid) => [...cpuNanosecondsOfThreads(pid)]));
  }
}

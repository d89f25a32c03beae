// Gives memory back in the pause after a load. Left alone, the collector keeps for many seconds what a load needed, and
// often for good, while a machine is shared with other programs.

const TICK_MS = 1_000;
/** Processor time in a tick below which the program rests: a fiftieth of it. */
const REST_MICROS = 20_000;
/** Growth since the last collection that is worth another one. */
const GROWTH_BYTES = 25_000_000;

/** What a program has used until now. */
export interface Usage {
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** Collects once in each pause after a load, for as long as the program runs. No request is answered meanwhile: 30 ms. */
export function collectInPauses(): void {
  const watch = new PauseWatch(usageNow());
  const tick = () => {
    if (!watch.isPauseAfterLoad(usageNow())) return;
    Bun.gc(true);
    watch.noteCollected(usageNow());
  };
  setInterval(tick, TICK_MS).unref();
}

function usageNow(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() };
}

/** Tells a pause by the processor time since the last look, whatever the work was. */
export class PauseWatch {
  #last: Usage;
  /** What stayed after the last collection. */
  #kept: number;

  constructor(now: Usage) {
    this.#last = now;
    this.#kept = now.residentBytes;
  }

  /** To be asked once in each tick. */
  isPauseAfterLoad(now: Usage): boolean {
    const usedMicros = now.cpuMicros - this.#last.cpuMicros;
    this.#last = now;
    return usedMicros < REST_MICROS && now.residentBytes - this.#kept > GROWTH_BYTES;
  }

  noteCollected(now: Usage): void {
    this.#last = now;
    this.#kept = now.residentBytes;
  }
}

// Tells the pause after a load by the processor time since the last look, whatever the work was. Looked at once a second.

/** Processor time between two looks below which the program rests: a fiftieth of it. */
const REST_MICROS = 20_000;
/** Growth since the last collection that is worth another one. */
const GROWTH_BYTES = 25_000_000;

/** What a program has used until now. */
export interface Usage {
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

export class PauseWatch {
  #last: Usage;
  /** What stayed after the last collection. */
  #kept: number;

  constructor(now: Usage) {
    this.#last = now;
    this.#kept = now.residentBytes;
  }

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

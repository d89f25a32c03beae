// Tells the pause after a load by the processor time since the last look, whatever the work was. Looked at once a second.

/** Processor time between two looks below which the program rests: a fiftieth of it. */
const REST_MICROS = 20_000;
/** Growth since the last collection that is worth another one. */
const GROWTH_BYTES = 25_000_000;
/** Looks of a long pause, in which the program rests on the whole: a job may run meanwhile. */
const LONG_PAUSE_LOOKS = 20;

/** The resources that a program has used until now. */
export interface Usage {
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** The things that a load left behind: objects that nothing refers to, and compiled code. */
export type Leftover = "garbage" | "code";

export class PauseWatch {
  #last: Usage;
  /** The size that stayed after the last collection. */
  #kept: number;
  /** Since the load, or since work that made the pause begin anew; null where no code is left to give back. */
  #pause: { looks: number; readonly fromMicros: number } | null = null;

  constructor(now: Usage) {
    this.#last = now;
    this.#kept = now.residentBytes;
  }

  /**
   * The things that the program can do without now: garbage in each pause after a load, its code once the pause is a
   * long one.
   */
  leftover(now: Usage): Leftover | null {
    const isAtRest = now.cpuMicros - this.#last.cpuMicros < REST_MICROS;
    this.#last = now;
    if (isAtRest && now.residentBytes - this.#kept > GROWTH_BYTES) {
      this.#pause = pauseFrom(now);
      return "garbage";
    }
    if (this.#pause === null || (this.#pause.looks += 1) < LONG_PAUSE_LOOKS) return null;
    const usedMicros = now.cpuMicros - this.#pause.fromMicros;
    const isLong = usedMicros < LONG_PAUSE_LOOKS * REST_MICROS;
    this.#pause = isLong ? null : pauseFrom(now);
    return isLong ? "code" : null;
  }

  /** The leftover was given back, and this is what is used since. */
  noteGivenBack(now: Usage): void {
    this.#last = now;
    this.#kept = now.residentBytes;
  }
}

function pauseFrom({ cpuMicros }: Usage) {
  return { looks: 0, fromMicros: cpuMicros };
}

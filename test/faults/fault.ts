// What every fault shares: its extent, its seed and its report. A fault is something that goes wrong around
// a shop; its report shows in figures what the shop lost.

/** The extent of a fault: the limit that is reached first ends it. */
export interface Extent {
  /** The unit depends on the fault: kills, cuts, requests. */
  readonly rounds: number;
  readonly minutes: number;
}

export interface FaultOptions extends Extent {
  /** Determines every random choice, so that a run can be repeated. */
  readonly seed: number;
  /** Shows progress: a line on the terminal, nothing in a test. */
  readonly progress: (line: string) => void;
}

export interface FaultReport {
  /** In the order of printing. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Each broken promise as a sentence; empty is success. */
  readonly broken: readonly string[];
}

export interface Fault {
  /** Its name on the command line. */
  readonly name: string;
  /** What the fault does, in one line. */
  readonly what: string;
  /** The extent in CI. */
  readonly short: Extent;
  /** The extent of `--long`. */
  readonly long: Extent;
  run(options: FaultOptions): Promise<FaultReport>;
}

/** The short form for a test: the same choices in every run, and no output. */
export function briefly(fault: Fault, given: Partial<FaultOptions> = {}): FaultOptions {
  return { ...fault.short, seed: 1, progress: () => {}, ...given };
}

/** Whether the extent is used up. */
export function openExtent({ rounds, minutes }: Extent): { isUsedUp(done: number): boolean } {
  const end = performance.now() + minutes * 60_000;
  return { isUsedUp: (done) => done >= rounds || performance.now() >= end };
}

/** Random numbers that repeat for the same seed (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  /** True with this probability. */
  happens(probability: number): boolean {
    return this.share() < probability;
  }

  one<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new Error("There is nothing to choose from.");
    return chosen;
  }
}

/** A report as text: the counts, then each broken promise. */
export function written({ name }: Fault, report: FaultReport, seconds: number): string {
  const width = Math.max(0, ...Object.keys(report.figures).map((figure) => figure.length));
  const figures = Object.entries(report.figures).map(
    ([figure, value]) => `  ${figure.padEnd(width)}  ${value}`,
  );
  const verdict = report.broken.length === 0 ? "held" : `BROKEN (${report.broken.length})`;
  const broken = report.broken.slice(0, BROKEN_SHOWN_MAX).map((sentence) => `  - ${sentence}`);
  return [`${name}: ${verdict} in ${seconds.toFixed(1)} s`, ...figures, ...broken, ""].join("\n");
}

/** One cause breaks many promises: only the first ones are shown. */
const BROKEN_SHOWN_MAX = 50;

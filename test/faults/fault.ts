// What every fault has in common: how much of it there is, its seed, its report. A fault is a way in
// which the world treats a shop badly; its report says with figures what the shop made of it.

/** How much of a fault: whichever of the two is reached first ends it. */
export interface Extent {
  /** What is counted is the fault's own: kills, cuts, requests. */
  readonly rounds: number;
  readonly minutes: number;
}

export interface FaultOptions extends Extent {
  /** Decides every choice that is left to chance, so that a run can be repeated. */
  readonly seed: number;
  /** Shows how far it is. Nothing in a test, a line on the terminal else. */
  readonly progress: (line: string) => void;
}

export interface FaultReport {
  /** In the order in which they are printed. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** Each promise that was broken, in a sentence. None is what is hoped for. */
  readonly broken: readonly string[];
}

export interface Fault {
  /** As it is asked for on the command line. */
  readonly name: string;
  /** What is done to the shop, in a line. */
  readonly what: string;
  /** What CI does. */
  readonly short: Extent;
  /** What somebody does by hand who wants to be sure. */
  readonly long: Extent;
  run(options: FaultOptions): Promise<FaultReport>;
}

/** The short form, for a test: the same choices on every run, and not a word. */
export function briefly(fault: Fault, given: Partial<FaultOptions> = {}): FaultOptions {
  return { ...fault.short, seed: 1, progress: () => {}, ...given };
}

/** Says whether the extent is used up. */
export function openExtent({ rounds, minutes }: Extent): { isUsedUp(done: number): boolean } {
  const end = performance.now() + minutes * 60_000;
  return { isUsedUp: (done) => done >= rounds || performance.now() >= end };
}

/** Chance that repeats itself for the same seed (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, and not including, 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, and not including, the limit. */
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

/** A report as it is printed: what was counted, then each broken promise. */
export function written({ name }: Fault, report: FaultReport, seconds: number): string {
  const width = Math.max(0, ...Object.keys(report.figures).map((figure) => figure.length));
  const figures = Object.entries(report.figures).map(
    ([figure, value]) => `  ${figure.padEnd(width)}  ${value}`,
  );
  const verdict = report.broken.length === 0 ? "held" : `BROKEN (${report.broken.length})`;
  const broken = report.broken.slice(0, BROKEN_SHOWN_MAX).map((sentence) => `  - ${sentence}`);
  return [`${name}: ${verdict} in ${seconds.toFixed(1)} s`, ...figures, ...broken, ""].join("\n");
}

/** One cause breaks many promises; more of them help nobody. */
const BROKEN_SHOWN_MAX = 50;

// A line of progress on a terminal's stderr, redrawn in place; stdout stays free for results.

import { monotonicMs } from "#kernel/time.ts";

const BAR_CELLS = 24;
/** Often enough to look continuous. */
const REDRAW_MS = 100;
const CLEAR_LINE = "\r\u001B[K";

/** Disposing it clears the line. */
interface ProgressLine extends Disposable {
  /** Redraws the line for a new step, else at most every 100 ms. `render` makes what follows the step. */
  readonly draw: (step: string, render: () => string) => void;
}

/** A line on stderr, which must be a terminal. */
export function progressLine(): ProgressLine {
  let drawnAtMs = -REDRAW_MS;
  let drawnStep = "";
  return {
    draw: (step, render) => {
      const nowMs = monotonicMs();
      if (step === drawnStep && nowMs - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = nowMs;
      drawnStep = step;
      process.stderr.write(`${CLEAR_LINE}${step} ${render()}`);
    },
    [Symbol.dispose]: () => process.stderr.write(CLEAR_LINE),
  };
}

/** `[######..................] 25 % of 40 rows`, where `total` is above 0. */
export function progressBar(done: number, total: number, totalText: string): string {
  const share = Math.min(done / total, 1);
  const cells = "#".repeat(Math.round(share * BAR_CELLS)).padEnd(BAR_CELLS, ".");
  return `[${cells}] ${Math.floor(share * 100)} % of ${totalText}`;
}

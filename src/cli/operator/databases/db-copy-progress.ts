// How far a copy is: a bar on a terminal, nothing elsewhere. It goes to stderr, and is gone at the end.

import { monotonicMs } from "#kernel/time.ts";
import type { CopyProgress } from "#platform/transfer/copy-shop.ts";

const BAR_CELLS = 24;
/** Often enough to be seen moving. */
const REDRAW_MS = 100;
const CLEAR_LINE = "\r\u001B[K";

/** Disposing it ends its line. */
export function copyProgress(): Disposable & {
  readonly onProgress: (progress: CopyProgress) => void;
} {
  if (!process.stderr.isTTY) return { onProgress: () => {}, [Symbol.dispose]: () => {} };
  let drawnAtMs = -REDRAW_MS;
  let drawnStep = "";
  return {
    onProgress: (progress) => {
      const step = `${progress.step} ${progress.mode}`;
      const nowMs = monotonicMs();
      if (step === drawnStep && nowMs - drawnAtMs < REDRAW_MS) return;
      drawnAtMs = nowMs;
      drawnStep = step;
      process.stderr.write(`${CLEAR_LINE}${step} ${bar(progress)}`);
    },
    [Symbol.dispose]: () => process.stderr.write(CLEAR_LINE),
  };
}

/** The words of an index are not counted beforehand. */
function bar({ doneRows, ofRows }: CopyProgress): string {
  if (ofRows === 0) return String(doneRows);
  const share = Math.min(doneRows / ofRows, 1);
  const cells = "#".repeat(Math.round(share * BAR_CELLS)).padEnd(BAR_CELLS, ".");
  return `[${cells}] ${Math.floor(share * 100)} % of ${ofRows} rows`;
}

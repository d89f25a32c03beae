// How far something long is: a bar on a terminal, else a line now and then.

const BAR_CELLS = 24;
/** Often enough to be seen moving, milliseconds. */
const REDRAW_MS = 100;
/** Seldom enough for a log, milliseconds. */
const LINE_MS = 15_000;
const CLEAR_LINE = "\r\u001B[K";

/** Tells on stderr; disposing it ends its line. */
export class Progress implements Disposable {
  readonly #isTerminal = process.stderr.isTTY;
  #step = "";
  #toldAt = performance.now();

  tell(step: string, done: number, total: number): void {
    const now = performance.now();
    const pause = this.#isTerminal ? REDRAW_MS : LINE_MS;
    if (step === this.#step && now - this.#toldAt < pause) return;
    this.#step = step;
    this.#toldAt = now;
    const share = Math.min(done / total, 1);
    const figures = `${step}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
    if (!this.#isTerminal) console.error(`${figures} (${(share * 100).toFixed(0)} %)`);
    else process.stderr.write(`${CLEAR_LINE}[${bar(share)}] ${figures}`);
  }

  [Symbol.dispose](): void {
    if (this.#isTerminal) process.stderr.write(CLEAR_LINE);
  }
}

function bar(share: number): string {
  return "#".repeat(Math.round(share * BAR_CELLS)).padEnd(BAR_CELLS, "-");
}

// Text for a terminal: tables with aligned columns, and values without control characters.

import { styleText } from "node:util";

import { monotonicMs } from "#kernel/time.ts";

const GAP = "  ";
const CONTROL = /\p{Cc}/gu;
/** The columns of the screen that a table may take. */
const WIDTH_MAX = 100;

/** The text with control characters replaced: a stored value could move the cursor otherwise. */
export function printable(text: string): string {
  return text.replace(CONTROL, "�");
}

/**
 * A table with a line of headings, printable, each column as wide as its widest cell. Where that is wider
 * than `widthMax`, the cells of the widest columns continue on the next line; no word is cut.
 */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  widthMax = WIDTH_MAX,
): string {
  const lines = [headings, ...rows].map((row) => row.map(printable));
  const columns = headings.map((_, column) => lines.map((line) => line[column] ?? ""));
  const widths = narrowed(
    columns.map((cells) => widest(cells)),
    columns.map((cells) => widest(cells.flatMap((cell) => cell.split(" ")))),
    widthMax - GAP.length * (headings.length - 1),
  );
  const [top = "", ...rest] = lines.flatMap((line) => renderRow(line, widths));
  return [styleText("bold", top, { stream: process.stdout }), ...rest].join("\n");
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => Bun.stringWidth(text)));
}

/** The widths with the widest taken from, down to the least of each, until their sum fits. */
function narrowed(widths: readonly number[], least: readonly number[], sumMax: number): number[] {
  const result = [...widths];
  for (let sum = result.reduce((one, other) => one + other, 0); sum > sumMax; sum -= 1) {
    const spare = result.map((width, column) => (width > (least[column] ?? 0) ? width : 0));
    const most = Math.max(...spare);
    if (most === 0) break;
    result[spare.indexOf(most)] = most - 1;
  }
  return result;
}

function renderRow(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, column) => wrap(cell, widths[column] ?? 0));
  const height = Math.max(...columns.map((column) => column.length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, at) => {
        const text = column[line] ?? "";
        return text + " ".repeat(Math.max((widths[at] ?? 0) - Bun.stringWidth(text), 0));
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** Lines of at most this width, broken at spaces. */
function wrap(text: string, width: number): string[] {
  return Bun.wrapAnsi(text, width).split("\n");
}

// A line of progress on a terminal's stderr, redrawn in place; stdout stays free for results.

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

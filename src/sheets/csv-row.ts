// A row of comma-separated values (RFC 4180) for a spreadsheet, and what a spreadsheet gives back.

export type Cell = string | number | null;

/** The mark tells Excel that the text is UTF-8. */
export const TEXT_MARK = "\u{feff}";

/**
 * A text that a spreadsheet would take for a formula (OWASP, CSV injection), also in full width and behind apostrophes.
 */
const FORMULA = /^(?:'*[=+@\t\r＝＋－＠]|'+-|-(?![\d.]+$))/;
/** A text behind an apostrophe that was added; WooCommerce adds one to negative numbers, too. */
const KEPT_FROM_FORMULA = /^'*[=+@\t\r＝＋－＠-]/;

/** The row with its end. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

/** A cell in quotes where it needs them. A text that would be a formula begins with an apostrophe. */
function quoted(cell: Cell): string {
  const text = String(cell ?? "");
  const safe = typeof cell === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell without the apostrophe that keeps it from being a formula. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && KEPT_FROM_FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

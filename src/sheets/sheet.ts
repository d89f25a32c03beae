// A file for spreadsheets from pages of rows, of which one at a time is in memory.

import { nextTurn } from "#kernel/time.ts";

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

/** The cells of a row by their columns; a missing one is blank. */
export type CellsByColumn = Readonly<Record<string, string>>;

/** Some rows, as they were at one moment. */
export interface SheetPage {
  readonly rows: readonly CellsByColumn[];
  /** The place after which the next page comes; null where there is none. */
  readonly after: string | null;
}

/** Reads the first page, or the one after another. */
export type ReadPage<Page extends SheetPage = SheetPage> = (after: string | null) => Promise<Page>;

/** All pages, one after the other; requests are answered between them. */
export async function* pagesOf<Page extends SheetPage>(read: ReadPage<Page>): AsyncGenerator<Page> {
  let after: string | null = null;
  do {
    const page: Page = await read(after);
    yield page;
    ({ after } = page);
    await nextTurn();
  } while (after !== null);
}

/** The text of the file in parts of whole rows, the names of the columns first. */
export async function* sheetOf(columns: readonly string[], read: ReadPage): AsyncGenerator<string> {
  yield TEXT_MARK + csvRow(columns);
  for await (const { rows } of pagesOf(read)) {
    const text = rows.map((row) => csvRow(columns.map((column) => row[column] ?? null))).join("");
    if (text !== "") yield text;
  }
}

// Several values in one cell, separated by a character that people type: `red | dark blue`.

/** The values in one cell. A bar and a backslash in a value stand behind a backslash, and a blank that begins one. */
export function joinList(values: readonly string[]): string {
  return values
    .map((value) => value.replaceAll(/[\\|]/g, String.raw`\$&`).replace(/^(?=\s)/, "\\"))
    .join(" | ");
}

/** The values of a cell; what stands behind a backslash separates nothing, and begins a value even if it is a blank. */
export function splitList(text: string, separator: string): string[] {
  const values: string[] = [];
  let value = "";
  for (const [token] of text.matchAll(/\\[\\|,>]|[\s\S]/gu)) {
    if (token === separator) {
      values.push(value);
      value = "";
    } else value += token;
  }
  return [...values, value].map(unescaped);
}

function unescaped(value: string): string {
  return value
    .trim()
    .replace(/^\\(?=\s)/, "")
    .replaceAll(/\\([\\|,>])/g, "$1");
}

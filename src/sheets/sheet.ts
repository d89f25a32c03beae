// A file for spreadsheets from pages of rows, of which one at a time is in memory.

import { nextTurn } from "#kernel/time.ts";

import { csvRow, TEXT_MARK } from "./csv-row.ts";

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

// A file of comma-separated values as rows. Invariant: a row has the number that a spreadsheet shows.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { withoutApostrophe } from "#sheets/sheet.ts";

import { decoded, encodingOf, type FileEncoding, lineIn } from "./encoding.ts";
import { type FileWarning, UnreadableFile } from "./file-fault.ts";
import { decoderOf } from "./likely-encodings.ts";

/** The text with `"00123"` for `="00123"`, by which a spreadsheet is told that digits are a text. */
async function* withoutFormulas(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const text = rest + piece;
    // A formula has no line end, so each line has its own whole.
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    yield text.slice(0, end).replaceAll(TEXT_FORMULA, '$1"$2"');
  }
  yield rest.replaceAll(TEXT_FORMULA, '$1"$2"');
}

const TEXT_FORMULA = /(^|[,;\t])="([^"\r\n]*)"(?=[,;\t\r\n]|$)/gm;
/** The same in a cell that the file has in quotes: those of the formula stand twice there, and are read by now. */
const FORMULA_OF_CELL = /^="([^"]*)"$/;
/** The line by which Excel is told the delimiter. */
const SEPARATOR_LINE = /^\ufeff?"?sep=([,;\t])"?[,;\t]*(?:\r\n|\n|\r)/i;

function textOfCell(cell: string): string {
  return FORMULA_OF_CELL.exec(cell)?.[1] ?? withoutApostrophe(cell);
}

export interface TableRow {
  readonly number: number;
  /** In the order of the columns. */
  readonly cells: readonly string[];
}

export interface Table {
  /** The names of the columns, without blanks around them, and the number of their row. */
  readonly header: readonly string[];
  readonly headerNumber: number;
  readonly rows: readonly TableRow[];
  readonly encoding: FileEncoding;
  /** The sentence of a fault at a cell in which `ODD` stands for bytes that are no text; null where it is a character. */
  readonly oddDetail: string | null;
  readonly warnings: readonly FileWarning[];
}

const delimiters = [",", ";", "\t"] as const;
/** The names of columns of any shop are in it. */
const HEAD_BYTES = 65_536;
/** How the files of Excel and LibreOffice begin, and those of old Excel. */
const workbooks = ["PK\u{3}\u{4}", "ÐÏ\u{11}à"] as const;

/** How large a table is at most: work on one row, or on the names of the columns, holds up the whole program. */
export interface TableBounds {
  /** Beside the names of the columns. */
  readonly rows: number;
  readonly columns: number;
  /** The cells of all rows together. */
  readonly cells: number;
}

const unbounded: TableBounds = { rows: Infinity, columns: Infinity, cells: Infinity };
/** Characters of a row: far more than a product or a customer may have. */
const ROW_LENGTH_MAX = 1_048_576;

/** A file, and how much of it is taken; by default there is no bound. */
export interface TableFile {
  readonly content: Blob;
  readonly bounds?: TableBounds;
  /** The encoding that a person gave, as `TextDecoder` names it. */
  readonly encoding?: string | null;
  /** The words by which one is given, such as `add --encoding`. */
  readonly encodingHint: string;
}

/** The character in place of bytes that are no text in the encoding. */
export const ODD = "\u{fffd}";

/** Reads the file. Throws UnreadableFile for one that is no table, or is larger. */
export async function readTable({
  content: file,
  bounds = unbounded,
  encoding: given = null,
  encodingHint: hint,
}: TableFile): Promise<Table> {
  const found = await encodingOf(file, { given, hint });
  const head = decoderOf(found.encoding).decode(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (workbooks.some((mark) => head.startsWith(mark))) {
    throw new UnreadableFile("The file is a workbook: save its sheet as CSV, and import that.");
  }
  const { parse } = await import("csv-parse");
  const dialect = dialectOf(head);
  const parser = parse({
    ...dialect,
    // Rows of a spreadsheet may lack their last cells.
    relax_column_count: true,
    bom: true,
    max_record_size: bounds === unbounded ? 0 : ROW_LENGTH_MAX,
  });
  const records: TableRow[] = [];
  try {
    await pipeline(
      Readable.from(withoutFormulas(decoded(file, found.encoding))),
      parser,
      async (rows: AsyncIterable<string[]>) => {
        let [number, cellCount] = [dialect.from_line - 1, 0];
        for await (const row of rows) {
          number += 1;
          const cells = row.map(textOfCell);
          if (cells.some((cell) => cell.trim() !== "")) records.push({ number, cells });
          cellCount += cells.length;
          const isTooLarge = cells.length > bounds.columns || cellCount > bounds.cells;
          if (isTooLarge || records.length > bounds.rows + 1) throw tooLarge(bounds);
        }
      },
    );
  } catch (error) {
    throw unreadable(error);
  }
  const [first, ...others] = records;
  if (first === undefined) throw new UnreadableFile("The file is empty.");
  const header = first.cells.map((name) => name.trim());
  // Files that were joined have the names of the columns again.
  const rows = others.filter(
    ({ cells }) => !header.every((name, at) => name === (cells[at] ?? "").trim()),
  );
  return {
    header,
    headerNumber: first.number,
    rows,
    encoding: found,
    oddDetail: found.hasOddBytes
      ? `Bytes of this cell are no text in ${found.encoding}. Mend the cell, or, if the file has another encoding, ${hint}.`
      : null,
    warnings: found.isGuess ? [guessed(found, hint)] : [],
  };
}

function tooLarge({ rows, columns, cells }: TableBounds): UnreadableFile {
  return new UnreadableFile(
    `The file has more than ${rows} rows, ${columns} columns or ${cells} cells: divide it, or ask the person who runs the server for \`duka import\`.`,
  );
}

function guessed({ encoding, firstOdd }: FileEncoding, hint: string): FileWarning {
  const line =
    firstOdd === null
      ? ""
      : ` Its line ${firstOdd.number} is “${lineIn(firstOdd.bytes, encoding)}”:`;
  const detail = `The file is not UTF-8 and was read as Windows-1252.${line} if that is wrong, ${hint}.`;
  return { row: null, detail };
}

/** How the file parts its rows and cells, by its beginning, and the line that has the names of the columns. */
function dialectOf(head: string) {
  const separator = SEPARATOR_LINE.exec(head)?.[1];
  const bare = head.replaceAll(/"[^"]*"/g, "");
  return {
    delimiter: separator ?? delimiterOf(bare),
    from_line: separator === undefined ? 1 : 2,
    // Programs that add rows may end them in another way than the one that wrote the first.
    record_delimiter: bare.includes("\n") ? ["\r\n", "\n"] : "\r",
  };
}

/** The delimiter that stands most often in the first line, that is not blank, of a text without its quoted cells. */
function delimiterOf(text: string): string {
  const [line = ""] = text.trimStart().split(/[\r\n]/, 1);
  const countOf = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote that opens a cell is never closed",
  CSV_INVALID_CLOSING_QUOTE: "a cell goes on behind its closing quote",
  CSV_MAX_RECORD_SIZE:
    "a row has more than a million characters, perhaps for a quote that is never closed",
  // Read as it stands, a quote that was lost somewhere would swallow rows.
  INVALID_OPENING_QUOTE: "a quote stands in a cell",
};

function unreadable(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !("records" in error)) return error;
  const reason = reasons[String(error.code)];
  if (reason === undefined) return error;
  return new UnreadableFile(
    `The file is no CSV: ${reason} (row ${Number(error.records) + 1}). A cell with a quote in it stands between quotes, and has that quote twice.`,
  );
}

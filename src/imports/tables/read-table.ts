// A file of comma-separated values as rows. Invariant: a row has the number that a spreadsheet shows.

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";

import { withoutApostrophe } from "#sheets/sheet.ts";

import { type FileWarning, UnreadableFile } from "./file-fault.ts";

// The text of a file that a spreadsheet or a shop wrote, in whichever encoding.

const PIECE_BYTES = 65_536;

/** An encoding, and whether it was guessed: any bytes are a text in Windows-1252. */
interface Encoding {
  readonly label: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  readonly isGuess: boolean;
}

/** The encoding of the bytes: what their mark says, else UTF-8 if they are, else that of old Excel. */
async function encodingOf(file: Blob): Promise<Encoding> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const [first, second, , fourth] = head;
  if (first === 0xff && second === 0xfe) return { label: "utf-16le", isGuess: false };
  if (first === 0xfe && second === 0xff) return { label: "utf-16be", isGuess: false };
  // The names of columns begin with letters of ASCII.
  if (second === 0 && fourth === 0) return { label: "utf-16le", isGuess: false };
  return (await isUtf8(file))
    ? { label: "utf-8", isGuess: false }
    : { label: "windows-1252", isGuess: true };
}

async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const piece of piecesOf(file)) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The text, piece by piece, without a mark at its beginning. */
async function* decoded(file: Blob, label: Encoding["label"]): AsyncGenerator<string> {
  const decoder = new TextDecoder(label);
  for await (const piece of piecesOf(file)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

async function* piecesOf(file: Blob): AsyncGenerator<ArrayBuffer> {
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    yield await file.slice(from, from + PIECE_BYTES).arrayBuffer();
    // Bytes in memory are there at once: other work of the program takes its turn between pieces.
    await setImmediate();
  }
}

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

/** Inside of quotes the quotes of a formula stand twice. */
const TEXT_FORMULA = /(^|[,;\t])="([^"\r\n]*)"(?=[,;\t\r\n]|$)/gm;
/** The line by which Excel is told the delimiter. */
const SEPARATOR_LINE = /^\ufeff?sep=([,;\t])\r?\n/i;

export interface TableRow {
  readonly number: number;
  /** In the order of the columns. */
  readonly cells: readonly string[];
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
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
}

/** Reads the file. Throws UnreadableFile for one that is no table, or is larger. */
export async function readTable({ content: file, bounds = unbounded }: TableFile): Promise<Table> {
  const { label, isGuess } = await encodingOf(file);
  const head = new TextDecoder(label).decode(await file.slice(0, HEAD_BYTES).arrayBuffer());
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
      Readable.from(withoutFormulas(decoded(file, label))),
      parser,
      async (rows: AsyncIterable<string[]>) => {
        let [number, cellCount] = [dialect.from_line - 1, 0];
        for await (const row of rows) {
          number += 1;
          const cells = row.map(withoutApostrophe);
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
  const [header, ...rows] = records;
  if (header === undefined) throw new UnreadableFile("The file is empty.");
  return {
    header: header.cells.map((name) => name.trim()),
    rows,
    warnings: isGuess ? [guessed] : [],
  };
}

function tooLarge({ rows, columns, cells }: TableBounds): UnreadableFile {
  return new UnreadableFile(
    `The file has more than ${rows} rows, ${columns} columns or ${cells} cells: divide it, or ask the person who runs the server for \`duka import\`.`,
  );
}

const guessed: FileWarning = {
  row: null,
  detail:
    "The file is not UTF-8 and was read as Windows-1252. Look at letters with accents, or save it as CSV UTF-8.",
};

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

/** The delimiter that stands most often in the first line of a text without its quoted cells. */
function delimiterOf(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? "";
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

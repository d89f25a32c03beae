// A file of one kind of nouns, whichever shop wrote it.

import { setImmediate } from "node:timers/promises";

import { type Columns, columnsOf, type Layout } from "./columns.ts";
import type { Draft } from "./draft.ts";
import type { FileEncoding } from "./encoding.ts";
import { type FileFault, type FileWarning, UnreadableFile } from "./file-fault.ts";
import { readTable, type Table, type TableFile } from "./read-table.ts";
import { unreadShop } from "./unread-shops.ts";

/** The shops whose files are read. */
export const sources = ["shopify", "woocommerce", "duka"] as const;
export type SourceName = (typeof sources)[number];

/** How the file of a shop is told and read. */
export interface FileSource<Read> {
  readonly layout: Layout;
  /** Columns that every file of the shop has, and that no other shop's has; of a list any one. */
  readonly marks: readonly Mark[];
  /** One after the other, so that other work of the program takes its turn between them. */
  readonly read: (columns: Columns) => Iterable<Read>;
  /** Mends what only the rules of this shop tell, in the files of other shops. */
  readonly mend?: (draft: Read) => Promise<void>;
}

type Mark = string | readonly string[];

export type FileSources<Read> = Readonly<Record<SourceName, FileSource<Read>>>;

/** How the files of a noun are read. */
interface FileTerms<Read> {
  readonly bySource: FileSources<Read>;
  /** A sentence about the columns of the smallest file, for a merchant whose file is not read. */
  readonly enough: string;
}

/** More than a product with a hundred variants and all their fields has. */
const DRAFT_BYTES_MAX = 900_000;
/** So many are read within milliseconds. */
const DRAFTS_AT_ONCE = 50;

/** A file, and which shop wrote it; without it that is told by the columns. */
export interface GivenFile extends TableFile {
  readonly from?: SourceName | undefined;
}

export interface ReadFile<Read> {
  readonly source: SourceName;
  /** Without the names of the columns. */
  readonly rows: number;
  /** The names of the columns, as the file has them. */
  readonly header: readonly string[];
  readonly encoding: FileEncoding;
  /** Those that are left out have a fault. */
  readonly drafts: readonly Read[];
  /** Those of the drafts, and those that no draft has by itself. */
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileWarning[];
}

/** Reads the file. Throws UnreadableFile where it is no table, or that of none of the shops. */
export async function readFile<Read extends Draft>(
  file: GivenFile,
  terms: FileTerms<Read>,
): Promise<ReadFile<Read>> {
  const { bySource } = terms;
  const table = await readTable(file);
  const source = file.from ?? sourceOf(table, terms);
  const { layout, marks, read, mend } = bySource[source];
  const columns = columnsOf(table, layout);
  const missing = marks.filter((mark) => !hasMark(columns, mark));
  if (missing.length > 0) {
    const nameOf = (column: string) => layout.columns[column]?.[0] ?? column;
    const names = missing.map((mark) => [mark].flat().map(nameOf).join(" or ")).join(", ");
    throw new UnreadableFile(`The file has no column ${names}, which a file of ${source} has.`);
  }
  const drafts: Read[] = [];
  for (const draft of read(columns)) {
    if (!draft.isLeftOut) await mend?.(draft);
    leaveOutIfTooLarge(draft);
    drafts.push(draft);
    if (drafts.length % DRAFTS_AT_ONCE === 0) await setImmediate();
  }
  const { dropped, unknown } = columns;
  return {
    source,
    rows: table.rows.length,
    header: table.header,
    encoding: table.encoding,
    drafts: drafts.filter(({ isLeftOut, faults }) => !isLeftOut || faults.length > 0),
    faults: [...columns.faults, ...drafts.flatMap(({ faults }) => faults)],
    warnings: [
      ...table.warnings,
      ...columnWarning("Columns that are not known, and not taken over", unknown),
      ...columnWarning("Columns that are not taken over", dropped),
      ...drafts.flatMap(({ warnings }) => warnings),
    ],
  };
}

/** The socket to the server would not take it. */
function leaveOutIfTooLarge(draft: Draft): void {
  if (Buffer.byteLength(JSON.stringify(draft.body)) <= DRAFT_BYTES_MAX) return;
  const detail = "This has more text than a shop can hold.";
  draft.faults.push({ ...draft.placeOf(""), code: "too_large", detail });
  draft.isLeftOut = true;
}

function sourceOf<Read>(
  table: Table,
  { bySource, enough }: Pick<FileTerms<Read>, "bySource" | "enough">,
): SourceName {
  const found = sources.find((source) => {
    const { layout, marks } = bySource[source];
    const columns = columnsOf(table, layout);
    return marks.every((mark) => hasMark(columns, mark));
  });
  const shop = unreadShop(table.header);
  // Any file with an email has the marks of Duka's own.
  if (found !== undefined && (found !== "duka" || shop === null)) return found;
  const shown = table.header
    .slice(0, 5)
    .join(", ")
    .replaceAll(/\p{Cc}/gu, "�");
  const reason =
    shop === null
      ? `The columns are those of no shop that is known (${sources.join(", ")}). The first are: ${shown}. The names of the columns must stand in the first row.`
      : `This is a file of ${shop}, which is not read.`;
  throw new UnreadableFile(`${reason} ${enough}`);
}

function hasMark(columns: Columns, mark: Mark): boolean {
  return [mark].flat().some((column) => columns.has(column));
}

function columnWarning(what: string, columns: readonly string[]): FileWarning[] {
  return columns.length === 0 ? [] : [{ row: null, detail: `${what}: ${columns.join(", ")}.` }];
}

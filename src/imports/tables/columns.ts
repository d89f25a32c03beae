// The columns of a file under one name each, since shops renamed theirs over the years.

import type { FileFault } from "./file-fault.ts";
import { ODD, type Table, type TableRow } from "./read-table.ts";

/** The columns that a file of a shop has. Names of columns are compared without regard to case. */
export interface Layout {
  /** The names that a column has had. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Columns that are read under their own names, in lower case. */
  readonly numbered?: RegExp;
  /** Columns that are known and have no place in this shop. */
  readonly dropped: RegExp;
}

/** A row, whose cells are asked for by the name of their column. */
export interface Row {
  readonly number: number;
  /** The cell without spaces around it; empty where the file has no such column. */
  get(name: string): string;
  /** The cell as it is. */
  raw(name: string): string;
  /** The column as the file calls it. */
  columnOf(name: string): string | null;
  /** All cells in the order of the file. */
  readonly cells: readonly string[];
}

/** The columns of a report about rows, which stand behind those of the file. An import of the report leaves them out. */
export const reportColumns = [
  "fault_row",
  "fault_column",
  "fault_code",
  "fault",
  "mended",
] as const;

export interface Columns {
  readonly rows: readonly Row[];
  /** The names of all columns that are read, in their order. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Columns that are known and not taken over, and those that are not known. */
  readonly dropped: readonly string[];
  readonly unknown: readonly string[];
  /** Rows with more cells than the file has columns, and cells with bytes that are no text. */
  readonly faults: readonly FileFault[];
}

const ofReports: ReadonlySet<string> = new Set(reportColumns);

/** Returns true for a column that a report has added to a file. */
export function isReportColumn(name: string): boolean {
  return ofReports.has(name);
}

/** Reads a table by the columns of a shop. */
export function columnsOf(table: Table, layout: Layout): Columns {
  const { header, rows } = table;
  const nameByAlias = new Map(
    Object.entries(layout.columns).flatMap(([name, aliases]) =>
      aliases.map((alias) => [alias.toLowerCase(), name]),
    ),
  );
  const nameOf = (column: string) => {
    const folded = column.toLowerCase();
    return nameByAlias.get(folded) ?? (layout.numbered?.test(folded) === true ? folded : undefined);
  };
  const indexes = new Map<string, number>();
  const others: string[] = [];
  for (const [index, column] of header.entries()) {
    const name = nameOf(column);
    if (name !== undefined && !indexes.has(name)) indexes.set(name, index);
    else if (column !== "" && !isReportColumn(column)) others.push(column);
  }
  const columnOf = (name: string) => header[indexes.get(name) ?? -1] ?? null;
  const rowOf = ({ number, cells }: TableRow): Row => {
    const raw = (name: string) => cells[indexes.get(name) ?? -1] ?? "";
    return { number, raw, columnOf, get: (name) => raw(name).trim(), cells };
  };
  return {
    rows: rows.map(rowOf),
    names: [...indexes.keys()],
    has: (name) => indexes.has(name),
    dropped: others.filter((column) => layout.dropped.test(column)),
    unknown: others.filter((column) => !layout.dropped.test(column)),
    faults: [
      ...rows.flatMap((row) => overflowOf(row, header)),
      ...oddCells(table, new Set(indexes.values())),
    ],
  };
}

/** The cells of columns that are read, and the names of columns, in which bytes are no text. */
function oddCells(
  { header, headerNumber, rows, oddDetail: detail }: Table,
  read: ReadonlySet<number>,
): FileFault[] {
  if (detail === null) return [];
  const names: TableRow = { number: headerNumber, cells: header };
  return [names, ...rows].flatMap(({ number: row, cells }) =>
    cells.flatMap((value, index) =>
      value.includes(ODD) && (read.has(index) || row === headerNumber)
        ? [{ row, column: header[index] ?? null, value, code: "invalid_format", detail }]
        : [],
    ),
  );
}

/** A comma without quotes around its cell moves the cells behind it: a price would be another number. */
function overflowOf({ number, cells }: TableRow, header: readonly string[]): FileFault[] {
  const width = header.findLastIndex((name) => name !== "") + 1;
  const value = cells.slice(width).find((cell) => cell.trim() !== "");
  if (value === undefined) return [];
  const detail =
    "The row has more cells than there are columns: a cell with a comma in it needs quotes around it.";
  return [{ row: number, column: null, value, code: "unknown_field", detail }];
}

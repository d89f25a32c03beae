// The rows of a file that were not taken, as a file of the same columns: mended, it is imported alone. Behind the columns
// of the file are those that say where the faults are, in which words, and what would be taken over otherwise.

import { isReportColumn, reportColumns, type Row } from "#imports/tables/columns.ts";
import type { Draft } from "#imports/tables/draft.ts";
import type { FileFault, FileWarning } from "#imports/tables/file-fault.ts";
import { type Cell, csvRow, TEXT_MARK } from "#sheets/sheet.ts";

interface Refused {
  /** The names of the columns of the file. */
  readonly header: readonly string[];
  /** The drafts with faults. */
  readonly refused: readonly Draft[];
  readonly faults: readonly FileFault[];
}

/** The text of the file. */
export function refusedRows({ header, refused, faults }: Refused): string {
  const width = header.findLastIndex((name) => name !== "") + 1;
  const columns = [...header.slice(0, width).entries()].filter(([, name]) => !isReportColumn(name));
  const added = addedColumns(refused, header);
  const faultsByRow = Map.groupBy(faults, ({ row }) => row);
  const lines = refused.flatMap((draft) =>
    draft.rows.map((row): readonly [number, Cell[]] => {
      const own = draft.cellsOfReport.get(row.number);
      const more = row.cells.slice(width);
      return [
        row.number,
        [
          ...columns.map(([index, name]) => own?.get(name) ?? row.cells[index] ?? ""),
          ...added.map((name) => own?.get(name) ?? ""),
          ...saidOf(row, faultsByRow.get(row.number) ?? [], draft.warnings),
          // A row with more cells than columns keeps them, and so its fault.
          ...(more.some((cell) => cell !== "") ? more : []),
        ],
      ];
    }),
  );
  const names = [...columns.map(([, name]) => name), ...added, ...reportColumns];
  const sorted = lines.toSorted(([one], [other]) => one - other);
  return [TEXT_MARK, csvRow(names), ...sorted.map(([, cells]) => csvRow(cells))].join("");
}

/** The columns that a report has and the file lacks. */
function addedColumns(refused: readonly Draft[], header: readonly string[]): string[] {
  const named = refused.flatMap(({ cellsOfReport }) =>
    [...cellsOfReport.values()].flatMap((cells) => [...cells.keys()]),
  );
  return [...new Set(named)].filter((name) => !header.includes(name));
}

/** The cells of the columns of a report. */
function saidOf({ number }: Row, found: readonly FileFault[], warnings: readonly FileWarning[]) {
  const notes = warnings.filter(({ row, isMended }) => row === number && isMended);
  const said: Readonly<Record<(typeof reportColumns)[number], Cell>> = {
    fault_row: number,
    fault_column: joined(found.map(({ column }) => column ?? "")),
    fault_code: joined(found.map(({ code }) => code)),
    fault: joined(found.map(({ detail }) => detail)),
    mended: joined(notes.map(({ detail }) => detail)),
  };
  return reportColumns.map((name) => said[name]);
}

function joined(texts: readonly string[]): string {
  return texts.join(" | ");
}

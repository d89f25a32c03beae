// Reports what an import did or would do, at a terminal and as a file.

import { printable, renderTable } from "#cli/operator/table.ts";
import type { FileFault, FileWarning } from "#imports/tables/file-fault.ts";
import type { SourceName } from "#imports/tables/read-file.ts";
import type { Outcomes } from "#imports/taking/run-import.ts";
import type { Mode } from "#platform/database/shop.ts";
import { print } from "#platform/process/output.ts";

/** The members of every report. */
export interface FileReport {
  readonly path: string;
  readonly mode: Mode;
  readonly source: SourceName;
  readonly rows: number;
  readonly applied: boolean;
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileWarning[];
}

/** The noun that a report is about. */
export interface ReportedNoun {
  readonly name: "product" | "customer";
  readonly outcomes: Outcomes;
  /** A further line about the file as a whole; may be empty. */
  readonly about: string;
}

interface ReportOptions {
  readonly report?: string;
  readonly apply?: true;
}

/** The terminal shows the first; --report has all. */
const FAULTS_SHOWN = 20;
const ROWS_SHOWN = 5;
const VALUE_LENGTH = 30;
/** A shop may have hundreds of columns that are not taken over. */
const DETAIL_LENGTH = 400;

const names: Readonly<Record<SourceName, string>> = {
  shopify: "Shopify",
  woocommerce: "WooCommerce",
  duka: "Duka",
};

/** Prints the report, and writes all of it to the file of --report. */
export async function printReport(
  report: FileReport,
  noun: ReportedNoun,
  options: ReportOptions,
): Promise<void> {
  const { path, mode, source, rows, faults, applied } = report;
  const total = Object.values(noun.outcomes).reduce((sum, count) => sum + count, 0);
  const parts = [
    `${path}: ${counted(total, noun.name)} of ${names[source]} in ${counted(rows, "row")}, for the ${mode} shop.${noun.about}`,
    countsOf(noun.outcomes, applied),
    ...warningsOf(report.warnings),
    ...(faults.length === 0 ? [] : [faultTable(faults)]),
    conclusion(report, noun, options),
  ];
  print(parts.join("\n\n"));
  if (options.report === undefined) return;
  await Bun.write(options.report, `${JSON.stringify(report, null, 2)}\n`);
  print(`The whole report is in ${options.report}.`);
}

function countsOf(outcomes: Outcomes, applied: boolean): string {
  const lines: [string, number][] = [
    [applied ? "created" : "to create", outcomes.create],
    [applied ? "updated" : "to update", outcomes.update],
    ["unchanged", outcomes.unchanged],
    ["skipped, since the shop has them", outcomes.skip],
    ["refused", outcomes.refuse],
  ];
  const shown = lines.filter(([name, count]) => count > 0 || !name.startsWith("skipped"));
  const width = Math.max(...shown.map(([, count]) => String(count).length));
  return shown.map(([name, count]) => `  ${String(count).padStart(width)} ${name}`).join("\n");
}

/** Each warning once, with the rows that it is about. */
function warningsOf(warnings: readonly FileWarning[]): string[] {
  const byDetail = Map.groupBy(warnings, ({ detail }) => detail);
  const lines = [...byDetail].map(
    ([detail, same]) => `  - ${shortened(printable(detail), DETAIL_LENGTH)}${rowsOf(same)}`,
  );
  return lines.length === 0 ? [] : [`Note:\n${lines.join("\n")}`];
}

function rowsOf(warnings: readonly FileWarning[]): string {
  const rows = warnings.flatMap(({ row }) => (row === null ? [] : [row]));
  if (rows.length === 0) return "";
  const more = rows.length > ROWS_SHOWN ? ` and ${rows.length - ROWS_SHOWN} more` : "";
  return ` (row${rows.length === 1 ? "" : "s"} ${rows.slice(0, ROWS_SHOWN).join(", ")}${more})`;
}

function faultTable(faults: readonly FileFault[]): string {
  const rows = faults
    .slice(0, FAULTS_SHOWN)
    .map(({ row, column, value, code, detail }) => [
      String(row),
      column ?? "-",
      shortened(value ?? "", VALUE_LENGTH),
      code,
      detail,
    ]);
  const table = renderTable(["ROW", "COLUMN", "VALUE", "CODE", "WHAT IS WRONG"], rows);
  const more = faults.length - FAULTS_SHOWN;
  return more > 0 ? `${table}\n… and ${more} more, which --report <file> lists.` : table;
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function conclusion(
  { applied, faults }: FileReport,
  { name, outcomes }: ReportedNoun,
  { apply }: ReportOptions,
): string {
  if (applied) {
    return faults.length === 0
      ? `The shop has these ${name}s now.`
      : "The shop changed meanwhile: what is refused was not imported. Run the command again.";
  }
  if (faults.length > 0) {
    return `Nothing was imported: while one cell has a fault, no ${name} is taken. Mend ${faults.length === 1 ? "it" : "them"} and run the command again.`;
  }
  if (outcomes.create + outcomes.update === 0) return "There is nothing to do.";
  return apply === true ? "" : `Nothing was changed yet. Add --apply to import these ${name}s.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

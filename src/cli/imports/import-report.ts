// Reports what an import did or would do, at a terminal and as a file.

import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { UsageFault } from "#cli/operator/settings.ts";
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
  /** True if those without a fault were to be imported, whatever the others have. */
  readonly partial: boolean;
  /** The number of those of which a value is taken over otherwise than the file has it. */
  readonly mended: number;
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileWarning[];
  /** The rows with faults, as a file that can be mended and imported. */
  readonly refusedRows: string;
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
  const { path, mode, source, rows, faults } = report;
  const total = Object.values(noun.outcomes).reduce((sum, count) => sum + count, 0);
  const parts = [
    `${path}: ${counted(total, noun.name)} of ${names[source]} in ${counted(rows, "row")}, for the ${mode} shop.${noun.about}`,
    countsOf(noun.outcomes, report),
    ...warningsOf(report.warnings),
    ...(faults.length === 0 ? [] : [faultTable(faults)]),
    conclusion(report, noun, options),
  ];
  print(parts.join("\n\n"));
  if (options.report !== undefined) await writeReport(report, options.report);
}

/** A report never replaces a file: it might be the one that is imported. */
export function requireNewReport({ report }: ReportOptions): void {
  if (report !== undefined && existsSync(report)) throw reportExists(report);
}

function reportExists(path: string): UsageFault {
  return new UsageFault(`--report must name a new file: there is a ${path} already.`);
}

async function writeReport({ refusedRows, ...report }: FileReport, path: string): Promise<void> {
  const isSheet = path.toLowerCase().endsWith(".csv");
  const text = isSheet ? refusedRows : `${JSON.stringify(report, null, 2)}\n`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw reportExists(path);
    throw error;
  }
  print(
    isSheet
      ? `The rows with faults are in ${path}: mend them there, and import it.`
      : `The whole report is in ${path}.`,
  );
}

function countsOf(outcomes: Outcomes, { applied, mended }: FileReport): string {
  const lines: [string, number][] = [
    [applied ? "created" : "to create", outcomes.create],
    [applied ? "updated" : "to update", outcomes.update],
    ["unchanged", outcomes.unchanged],
    ["skipped, since the shop has them", outcomes.skip],
    ["refused", outcomes.refuse],
    ["mended, see the notes", mended],
  ];
  const shown = lines.filter(([name, count]) => count > 0 || !/^(?:skipped|mended)/.test(name));
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

function conclusion(report: FileReport, noun: ReportedNoun, options: ReportOptions): string {
  const { name, outcomes } = noun;
  if (report.faults.length > 0) return faultyConclusion(report, noun, options);
  if (report.applied) return `The shop has these ${name}s now.`;
  if (outcomes.create + outcomes.update === 0) return "There is nothing to do.";
  return options.apply === true
    ? ""
    : `Nothing was changed yet. Add --apply to import these ${name}s.`;
}

function faultyConclusion(
  { applied, partial, faults }: FileReport,
  { name, outcomes }: ReportedNoun,
  { report }: ReportOptions,
): string {
  if (applied && !partial) {
    return "The shop changed meanwhile: what is refused was not imported. Run the command again.";
  }
  const right = outcomes.create + outcomes.update;
  const those = right === 1 ? "the one that is right" : `the ${right} that are right`;
  if (partial && (applied || right > 0)) {
    const begins = applied
      ? `The shop has the ${name}s without faults now.`
      : `Nothing was changed yet. Add --apply to import ${those}.`;
    return `${begins} ${leftOutOf(outcomes, name, report)}`;
  }
  const others = right > 0 ? ` Add --partial to import ${those}.` : "";
  return `Nothing was imported: while one cell has a fault, no ${name} is taken. Mend ${faults.length === 1 ? "it" : "them"} and run the command again.${others}`;
}

function leftOutOf({ refuse }: Outcomes, name: string, report: string | undefined): string {
  const saves = report === undefined ? " Add --report rows.csv to save their rows." : "";
  return `${counted(refuse, name)} with faults ${refuse === 1 ? "is" : "are"} left out.${saves}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

// How a file that a person brought is read, and what was found in it.

import type { Comma } from "#imports/product-files/written-number.ts";
import type { EncodingChoice } from "#imports/tables/encoding.ts";
import type { FileFault, FileWarning } from "#imports/tables/file-fault.ts";
import type { SourceName } from "#imports/tables/read-file.ts";
import type { Policy } from "#imports/taking/import-draft.ts";
import type { Outcomes } from "#imports/taking/run-import.ts";

/** The nouns of which there are files. */
export type NounName = "products" | "customers";

/** How a file is read and taken. */
export interface KeptTerms {
  /** Null to tell by the columns. */
  readonly from: SourceName | null;
  /** The encoding of the file; null to tell by its bytes. */
  readonly encoding: string | null;
  /** The currency of prices without one; null for that of the shop. */
  readonly currency: string | null;
  /** The meaning of a comma in a number; null where the person has not said it. */
  readonly comma: Comma | null;
  readonly existing: Exclude<Policy, "refuse">;
  /** True if those without a fault are imported, whatever the others have. */
  readonly isPartial: boolean;
}

/** How a file is read until the person says otherwise. */
export const firstTerms: KeptTerms = {
  from: null,
  encoding: null,
  currency: null,
  comma: null,
  existing: "update",
  isPartial: false,
};

/** Equal warnings as one, with the first rows that they are about. */
export interface GroupedWarning {
  readonly detail: string;
  readonly rows: readonly number[];
  readonly count: number;
}

/** The findings and acts of a run. */
export interface KeptReport {
  /** Why the file is no table of this noun; null if it was read. */
  readonly unreadable: string | null;
  readonly source: SourceName | null;
  readonly rows: number;
  /** Encodings that the file may have, with lines as they would be read; empty where its bytes tell it. */
  readonly encodings: readonly EncodingChoice[];
  /** The currency of prices that the file gives without one; null for customers. */
  readonly currency: string | null;
  readonly outcomes: Outcomes;
  /** The number of those of which a value is taken over otherwise than the file has it. */
  readonly mended: number;
  readonly applied: boolean;
  /** The first ones, and how many there are in all. */
  readonly faults: readonly FileFault[];
  readonly faultCount: number;
  readonly warnings: readonly GroupedWarning[];
  /** The rows with faults, as a file that can be mended and imported: packed, in base64. Null without faults. */
  readonly refusedRows: string | null;
}

/** A report has no more: a file with so many faults has the same one in each row. */
const FAULTS_MAX = 2_000;
const WARNINGS_MAX = 50;
const WARNED_ROWS_MAX = 5;
const VALUE_LENGTH = 200;
const DETAIL_LENGTH = 500;

/** The faults of a report, and how many there are. */
export function keptFaults(
  faults: readonly FileFault[],
): Pick<KeptReport, "faults" | "faultCount"> {
  const kept = faults.slice(0, FAULTS_MAX).map((fault) => ({
    ...fault,
    column: fault.column && shortened(fault.column, VALUE_LENGTH),
    value: fault.value && shortened(fault.value, VALUE_LENGTH),
  }));
  return { faults: kept, faultCount: faults.length };
}

/** Each warning once. */
export function groupedWarnings(warnings: readonly FileWarning[]): GroupedWarning[] {
  const byDetail = Map.groupBy(warnings, ({ detail }) => detail);
  return [...byDetail].slice(0, WARNINGS_MAX).map(([detail, same]) => {
    const rows = same.flatMap(({ row }) => (row === null ? [] : [row]));
    return {
      detail: shortened(detail, DETAIL_LENGTH),
      rows: rows.slice(0, WARNED_ROWS_MAX),
      count: rows.length,
    };
  });
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

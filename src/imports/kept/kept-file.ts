// A file that a person brought: how large it may be, how long it is kept, and whether a run is at work on it.

import type { TableBounds } from "#imports/tables/read-table.ts";
import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";
import type { RowOf } from "#platform/database/record.ts";

import type { importFiles } from "./tables.ts";

/** A file without its content. */
export type KeptFile = RowOf<typeof importFiles>;

/** Bytes of a file: it is held in memory while it is read. */
export const FILE_BYTES_MAX = 10 * 1_048_576;
/** Bytes of the rows with faults: those of the file, and what is said of them. */
export const REPORT_BYTES_MAX = 16 * FILE_BYTES_MAX;
/** So much is read in a moment. Files of shops with many fields of plugins have some hundred columns. */
export const FILE_BOUNDS: TableBounds = { rows: 10_000, columns: 1_000, cells: 1_500_000 };
/** How long a file is kept, milliseconds: its report is read at leisure. */
export const KEPT_MS = DAY_MS;
/** After such a silence the program that ran it is gone, milliseconds: a batch takes seconds at most. */
const SILENCE_MS = MINUTE_MS;

/** Returns true if a run is at work on the file. */
export function isAtWork({ report, seenAt }: KeptFile, now: number): boolean {
  return report === null && seenAt > silentBefore(now);
}

/** A run that was not heard of since is not at work any more. */
export function silentBefore(now: number): number {
  return now - SILENCE_MS;
}

// The faults of a file, and their places.

import { UnreadablePath } from "#platform/process/given-file.ts";

/** The file cannot be read as a table; nothing of it was imported. */
export class UnreadableFile extends UnreadablePath {
  constructor(detail: string) {
    super(detail);
    this.name = "UnreadableFile";
  }
}

/** A cell, or a row where the column is null. */
export interface Place {
  /** As a spreadsheet counts them: the names of the columns are row 1. */
  readonly row: number;
  readonly column: string | null;
  readonly value: string | null;
}

/** One thing that is wrong, with a code of the API. */
export interface FileFault extends Place {
  readonly code: string;
  readonly detail: string;
}

/** A value that is not taken over, or not as the file has it. */
export interface FileWarning {
  /** Null for the file as a whole. */
  readonly row: number | null;
  readonly detail: string;
  /** The value is taken over otherwise than the file has it. */
  readonly isMended?: true;
}

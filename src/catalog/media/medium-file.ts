// The type of a file in the row of its medium.

/** One width of a medium. */
export interface MediumFile {
  readonly width: number;
  readonly bytes: number;
  /** By which backups and `duka check` prove it, in hexadecimal. */
  readonly sha256: string;
}

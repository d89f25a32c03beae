// The manifest of an archive: what it has, of which moment. It is written last, so that an archive with one is whole.

import type { Mode } from "#platform/database/shop.ts";

export const MANIFEST = "manifest.json";
/** The version of the layout of an archive. */
export const FORMAT = 1;
/** The folder of the files of media. */
export const MEDIA_FOLDER = "media";
/** The list of the files of media, each with its hash. */
export const MEDIA_FILES = "media_files";

/** The size and the hash of a file. */
export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file of lines. */
export interface ListedFile extends FileSum {
  readonly resource: string;
  readonly path: string;
  /** Its lines. */
  readonly count: number;
}

export interface ArchiveManifest {
  readonly format: typeof FORMAT;
  readonly duka_version: string;
  readonly mode: Mode;
  readonly store_id: string;
  /** When the snapshot was taken, by the clock of the machine. */
  readonly taken_at: string;
  readonly masked: boolean;
  readonly files: readonly ListedFile[];
  /** Files of media that were not on the disk. */
  readonly missing_media_files: number;
  /** Resources that a masked archive does not have. */
  readonly left_out: readonly string[];
}

/** A line of the list of media files. */
export interface MediaFileLine extends FileSum {
  readonly media_id: string;
  readonly path: string;
}

/** The path of the file of a resource. */
export function pathOf(resource: string): string {
  return `${resource}.jsonl`;
}

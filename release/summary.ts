// What a release came to: the files with their sums, and a page for whom publishes it, which says what was run.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { sha256 } from "./command.ts";
import type { Source } from "./source.ts";
import type { ReleaseFile } from "./tar.ts";

interface MadeFile {
  readonly path: string;
  readonly bytes: number;
  readonly hash: string;
}

const MEGABYTE = 1_000_000;

/** The files that were written so far, below one folder. */
export class Made {
  readonly #out: string;
  readonly #files: MadeFile[] = [];

  constructor(out: string) {
    this.#out = out;
  }

  /** Writes a file. */
  add({ path, bytes }: ReleaseFile): void {
    this.#write(path, bytes);
    this.#files.push({ path, bytes: Buffer.byteLength(bytes), hash: sha256(bytes) });
  }

  /** Writes what `sha256sum -c` reads; returns the file. */
  writeSums(): string {
    const lines = this.#files.map(({ path, hash }) => `${hash}  ${path}\n`);
    return this.#write("SHA256SUMS", lines.join(""));
  }

  /** Writes the page, with what was proved of each program. */
  writeSummary(source: Source, proofs: readonly (readonly string[])[]): void {
    this.#write("summary.md", summaryOf(source, this.#files, proofs));
  }

  #write(path: string, bytes: string | Uint8Array): string {
    const file = join(this.#out, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return file;
  }
}

function summaryOf(
  { version, changes }: Source,
  files: readonly MadeFile[],
  proofs: readonly (readonly string[])[],
): string {
  const sizes = files.map(({ path, bytes }) => [path, `${(bytes / MEGABYTE).toFixed(1)} MB`]);
  return [
    `# Duka ${version}`,
    changes,
    `## Files\n\n${table(["file", "size"], sizes)}`,
    `## What was run\n\n${table(["program", "proof"], proofs)}\n`,
  ].join("\n\n");
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

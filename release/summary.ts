// What a release came to: its files, the signed sums of them, and a page for whom publishes it.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { root, run, sha256 } from "./command.ts";
import type { Source } from "./source.ts";
import type { ReleaseFile } from "./tar.ts";

const MEGABYTE = 1_000_000;
/** Names what is signed, so that a signature made for something else is none of a release. */
const NAMESPACE = "duka-release";
/** The name of the signer in `allowed_signers`. */
const SIGNER = "duka";

/** The files that were written so far, below one folder. */
export class Made {
  readonly #out: string;
  readonly #files: { readonly path: string; readonly size: number; readonly hash: string }[] = [];

  constructor(out: string) {
    this.#out = out;
  }

  /** Writes a file. */
  add({ path, bytes }: ReleaseFile): void {
    this.#write(path, bytes);
    this.#files.push({ path, size: Buffer.byteLength(bytes), hash: sha256(bytes) });
  }

  /** Writes what `sha256sum -c` reads; returns the file. */
  writeSums(): string {
    const lines = this.#files.map(({ path, hash }) => `${hash}  ${path}\n`);
    return this.#write("SHA256SUMS", lines.join(""));
  }

  /** Writes the page, with what was proved of each program. */
  writeSummary({ version, changes }: Source, proofs: readonly (readonly string[])[]): void {
    const sizes = this.#files.map(({ path, size }) => [path, (size / MEGABYTE).toFixed(1)]);
    const files = `## Files\n\n${table(["file", "MB"], sizes)}`;
    const proved = `## What was run\n\n${table(["program", "proof"], proofs)}\n`;
    this.#write("summary.md", [`# Duka ${version}`, changes, files, proved].join("\n\n"));
  }

  #write(path: string, bytes: string | Uint8Array): string {
    const file = join(this.#out, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return file;
  }
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Writes the signature of a file beside it, with `.sig`, and checks it as those who download do. */
export function sign(file: string, key: string): void {
  const signature = `${file}.sig`;
  // ssh-keygen asks before it writes over one.
  rmSync(signature, { force: true });
  const signers = join(root, "release/allowed_signers");
  run(["ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", key, file], {
    fault: "The key of DUKA_RELEASE_KEY cannot sign",
  });
  const known = ["-f", signers, "-I", SIGNER, "-s", signature];
  run(["ssh-keygen", "-Y", "verify", "-n", NAMESPACE, ...known], {
    input: file,
    fault: "The key of DUKA_RELEASE_KEY is not in release/allowed_signers",
  });
}

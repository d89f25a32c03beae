// The only writer of stdout. Invariant: what a command prints is written before it goes on, or the command says on stderr
// why not and ends with 1. A reader that has gone, as `head` does, is no fault: what follows is for no reader.

import { readFileSync, writeSync } from "node:fs";

import { lazy } from "./lazy.ts";

const STDOUT = 1;
/** A pipe that does not block may be full: it is tried again this soon. */
const PAUSE_MS = 2;
/** A descriptor with this flag was opened by this program: none that it inherited has it. */
const CLOSE_ON_EXEC = 0o2_000_000;

/** The reasons that people meet, in words. */
const reasons: Readonly<Record<string, string>> = {
  EBADF: "it is closed",
  EDQUOT: "the quota of this user is used up",
  EIO: "its device failed",
  ENOSPC: "no space is left on its device",
};

/** The first failure; nothing is written after it. */
let failure: { readonly code: string } | null = null;

/** Prints the text and ends its line. Returns false if it could not be written, now or before. */
export function print(text: string): boolean {
  if (failure !== null) return false;
  try {
    if (isClosed()) throw Object.assign(new Error("closed"), { code: "EBADF" });
    writeWhole(Buffer.from(`${text}\n`));
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    failure = { code: String(error.code) };
    return false;
  }
}

/** A sentence why something that was printed is lost; null if nothing is, or the reader has gone. */
export function outputFault(): string | null {
  if (failure === null || failure.code === "EPIPE") return null;
  const { code } = failure;
  return `stdout cannot be written: ${reasons[code] ?? "it failed"} (${code}).`;
}

/** Says on stderr that something that was printed is lost. Returns false if nothing is. */
export function reportLost(): boolean {
  const fault = outputFault();
  if (fault !== null) process.stderr.write(`${fault}\n`);
  return fault !== null;
}

function writeWhole(bytes: Uint8Array): void {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(STDOUT, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Bun.sleepSync(PAUSE_MS);
    }
  }
}

/** True if this program was started without a stdout: Bun has put /dev/null in its place then. */
const isClosed = lazy((): boolean => {
  try {
    const [, flags = "0"] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${STDOUT}`, "utf8")) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    // A system without /proc does not tell.
    return false;
  }
});

// The file that `--out` names.

import { closeSync, constants, openSync } from "node:fs";

import { UsageFault } from "./operator/settings.ts";

const { O_CREAT, O_NONBLOCK, O_WRONLY } = constants;

/**
 * Opens the file of `--out` to be written anew, and returns its descriptor. Throws UsageFault for a folder, a path that
 * cannot be written, and a FIFO without a reader: to open that would wait for ever.
 */
export function openOut(path: string): number {
  try {
    // Held until the other is open: a reader of the FIFO sees no end between them.
    const first = openSync(path, O_WRONLY | O_CREAT | O_NONBLOCK, 0o666);
    try {
      return openSync(path, "w");
    } finally {
      closeSync(first);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const reason = error.code === "ENXIO" ? "this FIFO has no reader" : String(error.code);
    throw new UsageFault(`--out: ${path} cannot be written (${reason})`);
  }
}

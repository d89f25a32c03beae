// What a crash must not undo: files and names that are on the disk before the next step relies on
// them.

import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";

import type { Mode } from "#platform/database/shop.ts";

/** Both databases of a data directory: a backup holds both, a restore replaces both. */
export const backedUpModes: readonly Mode[] = ["live", "test"];

/** They hold customers and the hashes of keys: nobody but their owner looks inside. */
export const OWNER_ONLY_FOLDER = 0o700;
export const OWNER_ONLY_FILE = 0o600;

/** The file of a mode's database. */
export function databaseFile(mode: Mode): string {
  return `${mode}.sqlite`;
}

/** The part of a folder's name that tells when it was made, such as 2026-11-21T120000.000Z. */
export function stampOf(epochMs: number): string {
  return new Date(epochMs).toISOString().replaceAll(":", "");
}

/** Makes the folder and what is above it, for its owner alone. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/** Afterwards the file holds the text, also after a power cut. */
export function writeDurably(path: string, text: string): void {
  writeFileSync(path, text, { mode: OWNER_ONLY_FILE, flush: true });
}

/** Afterwards the names in the folder are on the disk. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

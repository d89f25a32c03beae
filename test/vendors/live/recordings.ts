// The folder of recordings: `<vendor>/<day>/<case>.json`. They are made by the recorder and never edited by hand.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { DAY_MS } from "#kernel/time.ts";

import type { Recording } from "./recording.ts";
import type { CaseResult } from "./run-live.ts";

/** After so long a vendor may have changed what it answers. */
const FRESH_MS = 180 * DAY_MS;

export function writeRecordings(folder: string, results: readonly CaseResult[]): void {
  for (const { recording } of results) {
    if (recording === null) continue;
    const day = join(folder, recording.vendor, recording.recorded_on);
    mkdirSync(day, { recursive: true });
    writeFileSync(join(day, `${recording.case}.json`), `${JSON.stringify(recording, null, 2)}\n`);
  }
}

/** The recordings of the vendor's last day; empty if there are none. */
export function readRecordings(folder: string, vendor: string): Recording[] {
  const own = join(folder, vendor);
  if (!existsSync(own)) return [];
  const day = join(own, readdirSync(own).toSorted().at(-1) ?? "");
  return readdirSync(day).map((name): Recording =>
    JSON.parse(readFileSync(join(day, name), "utf8")),
  );
}

/** Why recordings should be made anew, in a sentence; null if there are none, or they are fresh. */
export function ageOf(recordings: readonly Recording[], now: number): string | null {
  const [first] = recordings;
  if (first === undefined || now - Date.parse(first.recorded_on) < FRESH_MS) return null;
  return `The recordings of ${first.vendor} are of ${first.recorded_on}: make them anew.`;
}

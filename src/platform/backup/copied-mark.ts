// Remembers in the data directory which backup was copied last, so that no health check asks the bucket.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { bucketLabel } from "#platform/files/s3-call.ts";

import type { CopyPlace } from "./copies.ts";
import { writeDurably } from "./files.ts";
import type { BackupManifest } from "./manifest.ts";

const COPIED_FILE = "duka.copied";

/** Remembers that the bucket has this backup. */
export function noteCopied(
  directory: string,
  place: CopyPlace,
  { createdAt }: BackupManifest,
): void {
  writeDurably(join(directory, COPIED_FILE), `${createdAt}\n${placeName(place)}\n`);
}

/** When the newest backup was made that the bucket has; null if none was copied there. */
export function findCopied(directory: string, place: CopyPlace): number | null {
  const file = join(directory, COPIED_FILE);
  if (!existsSync(file)) return null;
  const [createdAt = "", named] = readFileSync(file, "utf8").split("\n");
  const at = Date.parse(createdAt);
  return named !== placeName(place) || Number.isNaN(at) ? null : at;
}

function placeName({ bucket, prefix }: CopyPlace): string {
  return `${bucketLabel(bucket)}, ${prefix}`;
}

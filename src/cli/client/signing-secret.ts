// The secret that `duka listen` signs with. It stays the same between runs, so that a receiver is set up
// once.

import { createHmac } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isSecret, newSecret, secretOf } from "#messaging/webhooks/endpoints/signature.ts";

const FILE = "listen.secret";
const OWNER_ONLY = 0o600;

/** The secret in the data directory, which is made if there is none. */
export function keptSecret(directory: string): string {
  const path = join(directory, FILE);
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (isSecret(kept)) return kept;
  const secret = newSecret();
  writeFileSync(path, `${secret}\n`, { mode: OWNER_ONLY });
  return secret;
}

/** The secret of an API key, for a shop whose data directory is elsewhere. */
export function secretFrom(key: string): string {
  return secretOf(createHmac("sha256", key).update("duka listen").digest());
}

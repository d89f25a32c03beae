// A vault for a database that only one process reads.

import { randomBytes } from "node:crypto";

import { openVault, type Vault } from "#platform/vault/vault.ts";

const KEY_BYTES = 32;

/** A vault whose key is lost with the process, so that its secrets cannot be decrypted later. */
export function passingVault(): Vault {
  return openVault("", randomBytes(KEY_BYTES).toString("base64"));
}

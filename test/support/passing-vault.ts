// A vault for a database that no other program reads.

import { randomBytes } from "node:crypto";

import { openVault, type Vault } from "#platform/vault/vault.ts";

const KEY_BYTES = 32;

/** A vault whose key ends with the program: what it seals is of no use afterwards. */
export function passingVault(): Vault {
  return openVault("", randomBytes(KEY_BYTES).toString("base64"));
}

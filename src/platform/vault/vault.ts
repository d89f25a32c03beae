// Encrypts secrets that must stay readable, such as webhook signing secrets. The key is never in
// the database, so a copy of the database alone reveals no secret.

import { createCipheriv, createDecipheriv } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

import { randomBytes } from "#kernel/random.ts";

const KEY_FILE = "secret.key";
const KEY_BYTES = 32;
/** Nonce and tag lengths of AES-GCM (NIST SP 800-38D). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";
const VERSION = "v1.";

/** Seals and unseals texts with one key. */
export interface Vault {
  seal(text: string): string;
  /** Throws SealBroken if the text was sealed with another key or was changed. */
  unseal(sealed: string): string;
}

/** A sealed text cannot be read with this key. */
export class SealBroken extends Error {
  constructor(cause?: unknown) {
    super(`A secret cannot be decrypted with the key in ${KEY_FILE}.`, { cause });
    this.name = "SealBroken";
  }
}

/**
 * The vault of a data directory. Reads the key file on first use, and creates it (mode 0600) if it
 * is missing. A given key, 32 bytes in base64, replaces the file.
 */
export function openVault(directory: string, given: string | null): Vault {
  let opened: Vault | null = null;
  const key = given === null ? null : parseVaultKey(given);
  const vault = () => (opened ??= vaultWith(key ?? readKey(directory) ?? makeKey(directory)));
  return {
    seal: (text) => vault().seal(text),
    unseal: (sealed) => vault().unseal(sealed),
  };
}

/** Decodes a key of 32 bytes from base64; null if the text is anything else. */
export function parseVaultKey(text: string): Uint8Array | null {
  const bytes = Buffer.from(text.trim(), "base64");
  return bytes.length === KEY_BYTES && bytes.toString("base64") === text.trim() ? bytes : null;
}

function vaultWith(key: Uint8Array): Vault {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return VERSION + Buffer.concat(parts).toString("base64url");
    },
    unseal(sealed) {
      if (!sealed.startsWith(VERSION)) throw new SealBroken();
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken();
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch (error) {
        throw new SealBroken(error);
      }
    },
  };
}

function readKey(directory: string): Uint8Array | null {
  const path = join(directory, KEY_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  const key = parseVaultKey(text);
  if (key === null) throw new Error(`${path} must contain a key of 32 bytes in base64.`);
  return key;
}

/**
 * Links the file into place once it is complete and synced: a key cut short by a crash would make
 * everything sealed with it unreadable.
 */
function makeKey(directory: string): Uint8Array {
  const key = randomBytes(KEY_BYTES);
  const path = join(directory, KEY_FILE);
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx", 0o600);
  writeSync(file, `${Buffer.from(key).toString("base64")}\n`);
  fsyncSync(file);
  closeSync(file);
  linkSync(draft, path);
  rmSync(draft);
  const folder = openSync(directory, "r");
  fsyncSync(folder);
  closeSync(folder);
  return key;
}

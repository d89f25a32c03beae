// Encrypts secrets that must stay readable, such as webhook signing secrets, and signs what this
// shop wrote. The key is never in the database, so a copy of the database alone reveals no secret.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from "node:crypto";
import { join } from "node:path";

import { randomBytes } from "#kernel/random.ts";

import { KEY_FILE, type Keys, keysOf, parseKeys, readKeyFile, retiredKeys } from "./keys.ts";

/** Nonce and tag lengths of AES-GCM (NIST SP 800-38D). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";
const VERSION = "v1.";
/** Opened texts that are remembered: the secret of links is read with every order. */
const OPENED_MAX = 64;
/** Derived keys are used for one purpose (RFC 5869). */
const SIGNING_PURPOSE = "duka signature";
const SIGNING_KEY_BYTES = 32;

/** Seals and unseals texts with one key, and opens those of former keys until a rotation has finished. */
export interface Vault {
  /** A text that is sealed for a place unseals there alone, so that a copied row means nothing elsewhere. */
  seal(text: string, place?: string): string;
  /** Throws SealBroken if the text was sealed with another key or for another place, or was changed. */
  unseal(sealed: string, place?: string): string;
  /** A signature of the text, in base64url. */
  sign(text: string): string;
  /** True if the signature was made with a key of this vault, present or retired. */
  isSigned(text: string, signature: string): boolean;
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
 * is missing when something is sealed or signed. Given keys, in the form of `parseKeys`, replace the file.
 */
export function openVault(directory: string, given: string | null): Vault {
  let opened: Vault | null = null;
  const keys = given === null ? null : parseKeys(given);
  const vault = () => (opened ??= vaultWith(keys ?? keysOf(directory), retiredKeys(directory)));
  return {
    seal: (text, place) => vault().seal(text, place),
    unseal(sealed, place) {
      // A key that is made now opens nothing, and would stand in the place of the shop's own.
      const isMissing =
        opened === null && keys === null && readKeyFile(join(directory, KEY_FILE)) === null;
      if (isMissing) throw new SealBroken();
      return vault().unseal(sealed, place);
    },
    sign: (text) => vault().sign(text),
    isSigned: (text, signature) => vault().isSigned(text, signature),
  };
}

/** A vault without a key: it opens nothing, and seals nothing. */
export const closedVault: Vault = {
  seal: () => {
    throw new SealBroken();
  },
  unseal: () => {
    throw new SealBroken();
  },
  sign: () => {
    throw new SealBroken();
  },
  isSigned: () => false,
};

/** Returns true if the text was made by `seal`, with whatever key. */
export function isSealed(text: string): boolean {
  return text.startsWith(VERSION);
}

/** The key that signs for a sealing key. */
export function signingKey(key: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, "", SIGNING_PURPOSE, SIGNING_KEY_BYTES));
}

/** The vault of these keys, and of signing keys that only verify. */
export function vaultWith(keys: Keys, retired: readonly Uint8Array[]): Vault {
  const [key] = keys;
  const ownSigning = signingKey(key);
  const opened = new Map<string, string>();
  const verifying = [ownSigning, ...keys.slice(1).map(signingKey), ...retired];
  const remember = (sealed: string, text: string) => {
    if (opened.size >= OPENED_MAX) opened.clear();
    opened.set(sealed, text);
    return text;
  };
  return {
    seal: (text, place = "") => sealWith(key, text, place),
    unseal(sealed, place = "") {
      const known = opened.get(`${sealed} ${place}`);
      if (known !== undefined) return known;
      let broken = new SealBroken();
      for (const one of keys) {
        const text = unsealWith(one, sealed, place);
        if (!(text instanceof SealBroken)) return remember(`${sealed} ${place}`, text);
        broken = text;
      }
      throw broken;
    },
    sign: (text) => signWith(ownSigning, text).toString("base64url"),
    isSigned(text, signature) {
      const given = Buffer.from(signature, "base64url");
      return verifying.some((one) => {
        const expected = signWith(one, text);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}

function sealWith(key: Uint8Array, text: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return VERSION + Buffer.concat(parts).toString("base64url");
}

function unsealWith(key: Uint8Array, sealed: string, place: string): string | SealBroken {
  if (!isSealed(sealed)) return new SealBroken();
  const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return new SealBroken();
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch (error) {
    return new SealBroken(error);
  }
}

/** HMAC-SHA256 (RFC 2104). */
function signWith(key: Uint8Array, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** The shop's secrets are sealed with another key than this program's. */
export class OtherKey extends Error {
  constructor(cause: unknown) {
    super(
      "The secrets of this shop are sealed with another key than this program's. Give it the key of the shop: in " +
        "DUKA_SECRET_KEY, the same for every program of the shop, or as secret.key of its data directory. If that " +
        'key is lost, "duka secrets reset" takes the present one, and says what is lost by it.',
      { cause },
    );
    this.name = "OtherKey";
  }
}

/** Seals texts again with the present key of a vault, and counts them. */
export class Resealing {
  readonly #vault: Vault;
  #resealed = 0;
  #unreadable = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** How many texts were sealed again. */
  get resealed(): number {
    return this.#resealed;
  }

  /** How many texts no key of the vault opens. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The text under the present key, for the place it was sealed for; the same text if no key opens it there. */
  reseal(sealed: string, place?: string): string {
    try {
      const again = this.#vault.seal(this.#vault.unseal(sealed, place), place);
      this.#resealed += 1;
      return again;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      this.#unreadable += 1;
      return sealed;
    }
  }
}

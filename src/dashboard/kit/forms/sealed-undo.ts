// Seals what undoes an edit, on its way through the browser. No one keeps it, so that it stands in the address that
// follows the edit and in the form that is offered there, sealed: only the session that edited can open it, no one can
// make another one, and an address tells nothing of what stood there.

import { createCipheriv, createDecipheriv } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import { readCookie } from "#dashboard/kit/session-cookie.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { assume, isObject } from "#kernel/assume.ts";
import { randomBytes } from "#kernel/random.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

export interface Undo {
  /** The address of the form that made the edit, which undoes it as well. */
  readonly form: string;
  /** The version that the edit made; null for what has none. */
  readonly version: string | null;
  readonly body: JsonObject;
  /** The marks of what was there after the edit. */
  readonly marks: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Characters: proxies take addresses of 8 kB. A longer text is not offered back. */
const LENGTH_MAX = 6_000;
/** More than a text of that length was before it was packed. */
const BYTES_MAX = 262_144;

/** The text for the address; null where it is too long for one. */
export function sealUndo(visit: Visit, undo: Undo): string | null {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(visit), nonce);
  const packed = cipher.update(deflateRawSync(JSON.stringify(undo)));
  const sealed = Buffer.concat([nonce, packed, cipher.final(), cipher.getAuthTag()]);
  const text = sealed.toString("base64url");
  return text.length > LENGTH_MAX ? null : text;
}

/** Opens what was sealed in this session; null for any other text. */
export function openUndo(visit: Visit, text: string): Undo | null {
  if (text.length > LENGTH_MAX) return null;
  const sealed = Buffer.from(text, "base64url");
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, keyOf(visit), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const packed = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    const plain = inflateRawSync(Buffer.concat([packed, decipher.final()]), {
      maxOutputLength: BYTES_MAX,
    });
    const undo: unknown = JSON.parse(plain.toString());
    // The cast holds: only `sealUndo` makes what opens.
    return isObject(undo) ? assume<Undo>(undo) : null;
  } catch {
    return null;
  }
}

/** Only the browser and the server know the token of the session. */
function keyOf({ request, dashboardUrl }: Visit): Buffer {
  const token = readCookie(request, dashboardUrl, "session");
  return Buffer.from(new Bun.CryptoHasher("sha256", token).update("undo").digest());
}

// Signatures of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, in the headers
// webhook-id, webhook-timestamp and webhook-signature.

import { createHmac, timingSafeEqual } from "node:crypto";

import { randomBytes } from "#kernel/random.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;
/** The lengths that the standard allows, for secrets made elsewhere. */
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;
/** Signatures older or newer than this many seconds are invalid. */
const TOLERANCE_SECONDS = 300;

export interface SignedMessage {
  /** The event's id, equal on every attempt, so receivers can discard duplicates. */
  readonly id: string;
  /** Whole seconds of real time: receivers reject messages older than five minutes. */
  readonly timestamp: number;
  readonly body: string;
}

/** A new secret: `whsec_` and 32 random bytes in standard base64. */
export function newSecret(): string {
  return secretOf(randomBytes(SECRET_BYTES));
}

/** The bytes as a secret. */
export function secretOf(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString("base64");
}

/** Returns true if the text is a valid secret: `whsec_` and 24 to 64 bytes in base64. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, "base64");
  const isExact = bytes.toString("base64") === encoded;
  return isExact && bytes.length >= SECRET_BYTES_MIN && bytes.length <= SECRET_BYTES_MAX;
}

/** The three headers, with one signature per secret. */
export function signatureHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestamp),
    "webhook-signature": secrets.map((secret) => `v1,${sign(message, secret)}`).join(" "),
  };
}

/** Returns true if one of the signatures was made with this secret and its timestamp is within tolerance. */
export function isSignedWith(
  secret: string,
  received: { readonly headers: Headers; readonly body: string; readonly nowSeconds: number },
): boolean {
  const id = received.headers.get("webhook-id");
  const timestamp = received.headers.get("webhook-timestamp") ?? "";
  const signatures = received.headers.get("webhook-signature")?.split(" ") ?? [];
  if (id === null || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) - received.nowSeconds) > TOLERANCE_SECONDS) return false;
  const message = { id, timestamp: Number(timestamp), body: received.body };
  const expected = Buffer.from(`v1,${sign(message, secret)}`);
  return signatures.some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function sign({ id, timestamp, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`, "utf8").digest("base64");
}

// Encrypts a message for a browser that subscribed to push messages (RFC 8291), as one record of `aes128gcm` (RFC 8188):
// the push service that carries it cannot read it. Pure, but for the random salt and key of each message.

import { createCipheriv, createECDH, createPublicKey, hkdfSync } from "node:crypto";

import { randomBytes } from "#kernel/random.ts";

/** The keys that a browser gives a shop to encrypt by, in base64url. */
export interface SubscriptionKeys {
  /** The public key, a point of P-256 in its uncompressed form. */
  readonly p256dh: string;
  /** The secret that the push service does not learn. */
  readonly auth: string;
}

interface PointKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
}

/** Chosen anew for each message. */
interface MessageKeys {
  readonly salt: Uint8Array;
  /** The private key of the sender for this message. */
  readonly privateKey: Uint8Array;
}

export const CURVE = "prime256v1";
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;
/** The most that push services must take (RFC 8030, section 7.2), which the record never reaches. */
const RECORD_BYTES = 4_096;
/** The mark behind the text of the last record. */
const LAST_RECORD = 2;
/** Texts are filled up to steps of this many bytes: the length of what is sent tells little of what it says. */
const STEP_BYTES = 512;

/** Returns true if the keys are a point of the curve and a secret of the right length. */
export function areUsableKeys({ p256dh, auth }: SubscriptionKeys): boolean {
  const point = Buffer.from(p256dh, "base64url");
  if (point.length !== POINT_BYTES || point[0] !== 4) return false;
  if (Buffer.from(auth, "base64url").length !== AUTH_BYTES) return false;
  try {
    createPublicKey({ key: pointKey(point), format: "jwk" });
    return true;
  } catch {
    return false;
  }
}

/** An uncompressed point as a JSON Web Key. */
export function pointKey(point: Uint8Array): PointKey {
  const half = (POINT_BYTES - 1) / 2;
  const part = (from: number) =>
    Buffer.from(point.subarray(from, from + half)).toString("base64url");
  return { kty: "EC", crv: "P-256", x: part(1), y: part(1 + half) };
}

/** The body of the request to the push service. */
export function encryptPush(keys: SubscriptionKeys, text: string): Uint8Array {
  const sender = createECDH(CURVE);
  sender.generateKeys();
  const message = { privateKey: sender.getPrivateKey(), salt: randomBytes(SALT_BYTES) };
  return sealRecord(keys, padded(Buffer.from(text)), message);
}

/** The text, the mark of the last record, and zeros up to the next step, less the bytes of the tag. */
function padded(text: Buffer): Buffer {
  const length = Math.ceil((text.length + 1 + TAG_BYTES) / STEP_BYTES) * STEP_BYTES - TAG_BYTES;
  return Buffer.concat([text, Buffer.of(LAST_RECORD)], length);
}

/**
 * Encrypts a text that has its mark and its filling already.
 * @internal Exported for the example of the RFC, whose keys are given.
 */
export function sealRecord(
  { p256dh, auth }: SubscriptionKeys,
  record: Uint8Array,
  { salt, privateKey }: MessageKeys,
): Uint8Array {
  const sender = createECDH(CURVE);
  sender.setPrivateKey(privateKey);
  const receiverKey = Buffer.from(p256dh, "base64url");
  const senderKey = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiverKey, senderKey]);
  const shared = {
    from: sender.computeSecret(receiverKey),
    salt: Buffer.from(auth, "base64url"),
  };
  const secret = { from: derive(shared, info, SECRET_BYTES), salt };
  const key = derive(secret, "Content-Encoding: aes128gcm\0", KEY_BYTES);
  const nonce = derive(secret, "Content-Encoding: nonce\0", NONCE_BYTES);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const sealed = [cipher.update(record), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([headerOf(salt, senderKey), ...sealed]);
}

/** HKDF with SHA-256 (RFC 5869). */
function derive(
  { from, salt }: { readonly from: Uint8Array; readonly salt: Uint8Array },
  info: string | Uint8Array,
  bytes: number,
): Buffer {
  return Buffer.from(hkdfSync("sha256", from, salt, info, bytes));
}

/** Salt, length of the record, and the sender's key, by which the browser derives the same keys. */
function headerOf(salt: Uint8Array, senderKey: Uint8Array): Buffer {
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES);
  sizes.writeUInt8(senderKey.length, 4);
  return Buffer.concat([salt, sizes, senderKey]);
}

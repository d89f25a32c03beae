// Tells a push service who sends a message (RFC 8292): a token for its origin, signed with the private key of the shop.
// The browser subscribed with the public key, and the service refuses messages that another key signed.

import { createECDH, createPrivateKey, sign } from "node:crypto";

import { HOUR_MS, SECOND_MS } from "#kernel/time.ts";

import { CURVE, pointKey } from "./encrypt.ts";

/** The key pair of a shop, in base64url. */
export interface PushKeys {
  /** An uncompressed point of P-256, with which browsers subscribe. */
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Claims {
  /** The address to which the message goes. */
  readonly endpoint: string;
  /** A `mailto:` or `https:` address at which the service reaches the sender. */
  readonly contact: string;
  readonly now: number;
}

/** Services take at most a day. */
const TOKEN_MS = 12 * HOUR_MS;
const HEADER = { typ: "JWT", alg: "ES256" };

/** A new key pair. */
export function newPushKeys(): PushKeys {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys("base64url");
  return { publicKey, privateKey: pair.getPrivateKey("base64url") };
}

/** The pair of a private key. */
export function pushKeysOf(privateKey: string): PushKeys {
  const pair = createECDH(CURVE);
  pair.setPrivateKey(privateKey, "base64url");
  return { publicKey: pair.getPublicKey("base64url"), privateKey };
}

/** The `Authorization` header of a message. */
export function vapidHeader(
  { publicKey, privateKey }: PushKeys,
  { endpoint, contact, now }: Claims,
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor((now + TOKEN_MS) / SECOND_MS),
    sub: contact,
  };
  const signed = `${encoded(HEADER)}.${encoded(claims)}`;
  const key = createPrivateKey({
    key: { ...pointKey(Buffer.from(publicKey, "base64url")), d: privateKey },
    format: "jwk",
  });
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${publicKey}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

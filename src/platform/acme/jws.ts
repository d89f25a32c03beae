// Signs requests to a certificate authority (RFC 7515, with ES256): the account of the shop there is its key.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";

/** A new private key on P-256. */
export function newKey(): KeyObject {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
}

/** The private key as PEM (PKCS #8). */
export function keyText(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" });
}

/** Reads what `keyText` wrote. */
export function readKey(text: string): KeyObject {
  return createPrivateKey(text);
}

/** The public part, with its members in the order of RFC 7638. */
function publicJwk(key: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: "jwk" });
  return { crv, kty, x, y };
}

/** The answer to a challenge: its token, and a digest of the account's key (RFC 8555, 8.1). */
export function keyAuthorization(token: string, key: KeyObject): string {
  const digest = createHash("sha256").update(JSON.stringify(publicJwk(key)));
  return `${token}.${digest.digest("base64url")}`;
}

export interface Signing {
  readonly key: KeyObject;
  /** The URL of the account; null before there is one. */
  readonly account: string | null;
  readonly nonce: string;
  readonly url: string;
}

/** The body of a request with this payload; null asks for what is at the URL. */
export function signedBody({ key, account, nonce, url }: Signing, payload: object | null): string {
  const from = account === null ? { jwk: publicJwk(key) } : { kid: account };
  const header = encoded(JSON.stringify({ alg: "ES256", ...from, nonce, url }));
  const body = payload === null ? "" : encoded(JSON.stringify(payload));
  const text = Buffer.from(`${header}.${body}`);
  const signature = sign("sha256", text, { key, dsaEncoding: "ieee-p1363" });
  return JSON.stringify({
    protected: header,
    payload: body,
    signature: signature.toString("base64url"),
  });
}

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url");
}

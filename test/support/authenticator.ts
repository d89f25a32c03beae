// An authenticator for tests: it makes passkeys and signs challenges in the wire format of WebAuthn, and says what no
// honest one does where a test asks for it.

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What an honest authenticator, in an honest browser, says otherwise. */
interface Lies {
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** True if it did not verify its person. */
  readonly isUnverified?: boolean;
  /** True if it signs something else. */
  readonly isForged?: boolean;
  readonly userHandle?: string;
  readonly signCount?: number;
}

interface CreationLies extends Lies {
  readonly id?: string;
  /** The format of the attestation, with its statement. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<Cbor, Cbor> };
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

type Cbor = number | string | Uint8Array | readonly Cbor[] | Map<Cbor, Cbor>;

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

export class Authenticator {
  readonly id: string;
  readonly #host: string;
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #publicKey: Uint8Array;
  #userHandle = "";
  /** The uses so far; null for one that counts none, as those whose passkeys are on several devices. */
  signCount: number | null = 0;

  constructor(origin: string, algorithm: "ES256" | "RS256" | "EdDSA" = "ES256") {
    this.id = randomBytes(20).toString("base64url");
    this.#origin = origin;
    this.#host = new URL(origin).hostname;
    const { privateKey, publicKey } = keysOf(algorithm);
    this.#key = privateKey;
    this.#publicKey = coseOf(publicKey, algorithm);
  }

  /** The text of the credential that a browser hands to the page. */
  create({ challenge, user }: CreationOptions, lies: CreationLies = {}): string {
    this.#userHandle = user.id;
    const id = lies.id ?? this.id;
    const rawId = Buffer.from(id, "base64url");
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([rawId.length >> 8, rawId.length & 255]),
      rawId,
      this.#publicKey,
    ]);
    const { fmt, attStmt } = lies.attestation ?? { fmt: "none", attStmt: new Map() };
    const authData = Buffer.concat([this.#head(HAS_CREDENTIAL, lies), credential]);
    const attestation = new Map<Cbor, Cbor>([
      ["fmt", fmt],
      ["attStmt", attStmt],
      ["authData", authData],
    ]);
    const clientDataJSON = this.#clientData("webauthn.create", challenge, lies);
    return JSON.stringify({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject: encoded(cbor(attestation)) },
    });
  }

  /** The text of the assertion that a browser hands to the page. */
  sign({ challenge }: { readonly challenge: string }, lies: Lies = {}): string {
    if (this.signCount !== null) this.signCount += 1;
    const authenticatorData = this.#head(0, lies);
    const clientDataJSON = this.#clientData("webauthn.get", challenge, lies);
    const clientHash = new Bun.CryptoHasher("sha256")
      .update(Buffer.from(clientDataJSON, "base64url"))
      .digest();
    const signed = Buffer.concat([
      authenticatorData,
      lies.isForged === true ? Buffer.alloc(32) : clientHash,
    ]);
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON,
        authenticatorData: encoded(authenticatorData),
        signature: encoded(sign("sha256", signed, this.#key)),
        userHandle: lies.userHandle ?? this.#userHandle,
      },
    });
  }

  #head(flags: number, { host, isUnverified, signCount }: Lies): Buffer {
    const verified = isUnverified === true ? 0 : USER_VERIFIED;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount ?? this.signCount ?? 0);
    return Buffer.concat([
      new Bun.CryptoHasher("sha256").update(host ?? this.#host).digest(),
      Buffer.from([flags | USER_PRESENT | verified]),
      count,
    ]);
  }

  #clientData(type: string, challenge: string, lies: Lies): string {
    const data = {
      type: lies.type ?? type,
      challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin: lies.crossOrigin ?? false,
    };
    return encoded(Buffer.from(JSON.stringify(data)));
  }
}

function keysOf(algorithm: "ES256" | "RS256" | "EdDSA") {
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  if (algorithm === "EdDSA") return generateKeyPairSync("ed25519");
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

/** The public key as COSE writes it (RFC 9053, RFC 8230). */
function coseOf(key: KeyObject, algorithm: "ES256" | "RS256" | "EdDSA"): Uint8Array {
  const { x = "", y = "", n = "", e = "" } = key.export({ format: "jwk" });
  const bytes = (text: string) => Buffer.from(text, "base64url");
  if (algorithm === "RS256") {
    return cbor(
      new Map<Cbor, Cbor>([
        [1, 3],
        [3, -257],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]),
    );
  }
  const isEc = algorithm === "ES256";
  return cbor(
    new Map<Cbor, Cbor>([
      [1, isEc ? 2 : 1],
      [3, isEc ? -7 : -8],
      [-1, isEc ? 1 : 6],
      [-2, bytes(x)],
      ...(isEc ? [[-3, bytes(y)] as const] : []),
    ]),
  );
}

/** The few forms of CBOR that WebAuthn needs (RFC 8949). */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
  }
  return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

function encoded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

// The DER of a certificate request (RFC 2986) and of a self-signed certificate (RFC 5280), for keys on P-256 and names
// of hosts. They are written and never read: certificates are read by node:crypto.

import { createPublicKey, type KeyObject, sign } from "node:crypto";

import { randomBytes } from "#kernel/random.ts";
import { DAY_MS } from "#kernel/time.ts";

const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  /** [2] of GeneralName. */
  dnsName: 0x82,
  /** The attributes of a request, and the version of a certificate. */
  context0: 0xa0,
  /** The extensions of a certificate. */
  context3: 0xa3,
} as const;

/** Object identifiers as DER. */
const oids = {
  commonName: Buffer.from("0603550403", "hex"),
  subjectAltName: Buffer.from("0603551d11", "hex"),
  extensionRequest: Buffer.from("06092a864886f70d01090e", "hex"),
  ecdsaWithSha256: Buffer.from("06082a8648ce3d040302", "hex"),
};

const SERIAL_BYTES = 16;
const SHORT_LENGTH_MAX = 127;

function tagged(tag: keyof typeof tags, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tags[tag], ...lengthOf(body.length)]), body]);
}

function lengthOf(length: number): number[] {
  if (length <= SHORT_LENGTH_MAX) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

/** The extension that names the hosts. */
function altNames(names: readonly string[]): Buffer {
  const list = names.map((name) => tagged("dnsName", Buffer.from(name, "ascii")));
  const value = tagged("octetString", tagged("sequence", ...list));
  return tagged("sequence", tagged("sequence", oids.subjectAltName, value));
}

function signed(body: Buffer, key: KeyObject): Buffer {
  const algorithm = tagged("sequence", oids.ecdsaWithSha256);
  const signature = tagged("bitString", Buffer.of(0), sign("sha256", body, key));
  return tagged("sequence", body, algorithm, signature);
}

function publicPart(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

/** The certificate request for these names, as DER. Its subject is empty: authorities read the names of the extension. */
export function certificateRequest(names: readonly string[], key: KeyObject): Buffer {
  const attribute = tagged("sequence", oids.extensionRequest, tagged("set", altNames(names)));
  const version = tagged("integer", Buffer.of(0));
  const body = [version, tagged("sequence"), publicPart(key), tagged("context0", attribute)];
  return signed(tagged("sequence", ...body), key);
}

/** A certificate for these names that no browser trusts, valid from `now` for a day, as PEM. */
export function selfSigned(names: readonly string[], key: KeyObject, now: number): string {
  const serial = randomBytes(SERIAL_BYTES);
  // A number above zero.
  serial[0] = 0x40 + ((serial[0] ?? 0) & 0x3f);
  const title = tagged("utf8", Buffer.from("Duka, before its certificate"));
  const name = tagged("sequence", tagged("set", tagged("sequence", oids.commonName, title)));
  const body = tagged(
    "sequence",
    tagged("context0", tagged("integer", Buffer.of(2))),
    tagged("integer", serial),
    tagged("sequence", oids.ecdsaWithSha256),
    name,
    tagged("sequence", utcTime(now), utcTime(now + DAY_MS)),
    name,
    publicPart(key),
    tagged("context3", altNames(names)),
  );
  return pem("CERTIFICATE", signed(body, key));
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms)
    .toISOString()
    .replaceAll(/[-:T]|\..*/g, "")
    .slice(2);
  return tagged("utcTime", Buffer.from(`${digits}Z`));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

// References of vendors that want a UUID: always the same of the same name.

const VERSION = "4";
const VARIANT = "a";

/** A UUID in the form of version 4, made of the SHA-256 of the name. */
export function namedUuid(name: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(name).digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    VERSION + hash.slice(13, 16),
    VARIANT + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}

// The part of the library http_ece that tests use: it has no types of its own.

declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Decrypts a body of `aes128gcm`. */
  export function decrypt(
    body: Buffer,
    terms: {
      readonly version: "aes128gcm";
      readonly privateKey: ECDH;
      readonly authSecret: string;
    },
  ): Buffer;
}

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

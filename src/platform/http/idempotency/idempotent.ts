// Identifies a request and its retries.

import { defineRefusal } from "#kernel/refusal.ts";

/** An idempotency key with the request it belongs to. */
export interface IdempotentRequest {
  readonly key: string;
  /** SHA-256 of method, path, sorted query and canonical body (RFC 8785). */
  readonly fingerprint: string;
}

export const idempotencyKeyReused = defineRefusal("idempotency_key_reused", "invalid", {
  title: "The idempotency key was used for another request.",
  cause: "The `Idempotency-Key` was sent before with another method, path, query or body.",
  remedy: "Use a new key for each operation, and the same key only to repeat the same request.",
});

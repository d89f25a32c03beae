// Identifies a request and its retries.

import { defineRefusal } from "#kernel/refusal.ts";

/** An idempotency key with the request it belongs to. */
export interface IdempotentRequest {
  readonly key: string;
  /** SHA-256 of method, path, sorted query and canonical body (RFC 8785). */
  readonly fingerprint: string;
}

export const idempotencyKeyReused = defineRefusal(
  "idempotency_key_reused",
  "invalid",
  "The idempotency key was used for another request.",
);

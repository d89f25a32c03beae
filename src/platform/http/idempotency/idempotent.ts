// Doing something once, however often it is asked for: what names one request and its repetitions.

import { defineRefusal } from "#kernel/refusal.ts";

/** A key with what it may answer for. */
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

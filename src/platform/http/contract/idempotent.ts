// Identifies a request and its retries. Invariant: an idempotency key belongs to the lineage of the API
// key that sent it; a key of another lineage neither sees nor takes what was done under it.

import { defineRefusal } from "#kernel/refusal.ts";

/** The lineage of rows that belong to no API key, or were written before there were lineages. */
export const NO_LINEAGE = "";

/** An idempotency key, and where earlier work under it is looked for. */
export interface KeyOfRequest {
  readonly key: string;
  /** The lineage of the API key. */
  readonly lineage: string;
  /** The place at which earlier work may also be found: `NO_LINEAGE` for a key with `full`, else the lineage again. */
  readonly elsewhere: string;
}

/** An idempotency key with the request it belongs to. */
export interface IdempotentRequest extends KeyOfRequest {
  /** SHA-256 of method, path, sorted query and canonical body (RFC 8785). */
  readonly fingerprint: string;
}

export const idempotencyKeyReused = defineRefusal("idempotency_key_reused", "invalid", {
  title: "The idempotency key was used for another request.",
  cause: "The `Idempotency-Key` was sent before with another method, path, query or body.",
  remedy: "Use a new key for each operation, and the same key only to repeat the same request.",
});

/** The part of its request that earlier work keeps. */
interface Earlier {
  readonly lineage: string;
  readonly fingerprint: string | null;
}

/**
 * Finds those of the rows with the request's key that the request made before. Refuses with
 * `idempotency_key_reused` if its lineage used the key for another request. A row without a lineage
 * belongs to whichever request it matches.
 */
export function madeBefore<Row extends Earlier>(
  rows: readonly Row[],
  { lineage, fingerprint }: IdempotentRequest,
): readonly Row[] {
  const isSame = (row: Row) => row.fingerprint === fingerprint;
  const own = rows.filter((row) => row.lineage === lineage);
  if (!own.every(isSame)) throw idempotencyKeyReused();
  return own.length > 0 ? own : rows.filter((row) => row.lineage === NO_LINEAGE && isSame(row));
}

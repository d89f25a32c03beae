// Idempotency keys: the fingerprint that tells a retry from a reuse, and the replay of what was
// answered. Scope is a shop and mode, not an API key, so that rotating a key breaks no retry.

import type { Clock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Answer } from "#platform/http/answer.ts";
import { idempotencyKeyInvalid } from "#platform/http/contract/refusals.ts";
import { canonicalJson } from "#platform/http/json/canonical-json.ts";
import type { JsonValue } from "#platform/http/json/strict-json.ts";

import { idempotencyKeyReused, type IdempotentRequest } from "./idempotent.ts";
import { findAnswer, saveAnswer, type StoredAnswer } from "./stored-answers.ts";

export interface RequestParts {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly body: JsonValue;
}

/** Begins no JSON text. */
const SEALED = "sealed:";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Reads the header, bare or quoted (draft-ietf-httpapi-idempotency-key-header-07). */
export function idempotentRequest(
  header: string | null,
  parts: RequestParts,
): IdempotentRequest | null {
  if (header === null) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!KEY.test(key)) throw idempotencyKeyInvalid();
  const text = [parts.method, parts.path, sorted(parts.search), canonicalJson(parts.body)];
  return {
    key,
    fingerprint: new Bun.CryptoHasher("sha256").update(text.join("\n")).digest("base64url"),
  };
}

function sorted(search: string): string {
  if (search === "") return "";
  const query = new URLSearchParams(search);
  query.sort();
  return query.toString();
}

/** What the key was answered before, or null where it is new. Refuses `idempotency_key_reused`. */
export async function replayed(tx: Tx, request: IdempotentRequest): Promise<Answer | null> {
  const stored = await findAnswer(tx, request.key);
  if (stored === undefined) return null;
  if (stored.fingerprint !== request.fingerprint) throw idempotencyKeyReused();
  return asReplay(tx, stored);
}

function asReplay(tx: Tx, stored: StoredAnswer): Answer {
  return {
    status: stored.status,
    headers: { ...stored.headers, "Idempotent-Replayed": "true" },
    text: opened(tx, stored.body),
  };
}

function opened(tx: Tx, body: string): string {
  return body.startsWith(SEALED) ? tx.vault.unseal(body.slice(SEALED.length)) : body;
}

/** What is kept of an answer, and by which clock. */
export interface StoredAnswerText {
  readonly answer: Answer;
  readonly clock: Clock;
  readonly isSecret: boolean;
}

/**
 * Keeps the answer in the transaction of the work. A secret is kept sealed. Retention counts on the
 * real clock.
 */
export async function remember(
  tx: Tx,
  request: IdempotentRequest,
  kept: StoredAnswerText,
): Promise<void> {
  const { text } = kept.answer;
  await saveAnswer(tx, {
    key: request.key,
    fingerprint: request.fingerprint,
    status: kept.answer.status,
    headers: kept.answer.headers,
    body: kept.isSecret ? SEALED + tx.vault.seal(text) : text,
    createdAt: kept.clock.now(),
  });
}

/**
 * The same for work that took a while: where the key was answered meanwhile, that stays, and it is the
 * answer of the same request.
 */
export async function rememberFirst(
  tx: Tx,
  request: IdempotentRequest,
  kept: StoredAnswerText,
): Promise<Answer> {
  const stored = await findAnswer(tx, request.key);
  if (stored === undefined) await remember(tx, request, kept);
  else if (stored.fingerprint === request.fingerprint) return asReplay(tx, stored);
  return kept.answer;
}

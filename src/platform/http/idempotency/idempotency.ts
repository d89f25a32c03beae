// Idempotency keys: the fingerprint that tells a retry from a reuse, and the replay of stored
// answers. Keys belong to the lineage of the API key, which rotating keeps, so it breaks no retry.

import type { Clock } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { SEALED } from "#platform/event-log/redaction.ts";
import type { Answer } from "#platform/http/answer.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { idempotencyKeyInvalid } from "#platform/http/contract/refusals.ts";
import { canonicalJson } from "#platform/http/json/canonical-json.ts";
import type { JsonValue } from "#platform/http/json/strict-json.ts";
import type { Resealing } from "#platform/vault/vault.ts";

import { type IdempotentRequest, madeBefore, NO_LINEAGE } from "./idempotent.ts";
import {
  dropBodies,
  findAnswers,
  listBodies,
  saveAnswer,
  saveBody,
  type StoredAnswer,
} from "./stored-answers.ts";

export interface RequestParts {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly body: JsonValue;
  readonly caller: Pick<Caller, "lineage" | "hasPresetFull">;
  /** Which customer asks; null for none. */
  readonly customerToken?: string | null;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Reads the header, bare or quoted (draft-ietf-httpapi-idempotency-key-header-07). */
export function idempotentRequest(
  header: string | null,
  parts: RequestParts,
): IdempotentRequest | null {
  if (header === null) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!KEY.test(key)) throw idempotencyKeyInvalid();
  const { customerToken = null } = parts;
  const text = [
    parts.method,
    parts.path,
    sorted(parts.search),
    canonicalJson(parts.body),
    // All visitors of a shop may share an API key: what one customer was answered is not another's.
    ...(customerToken === null ? [] : [customerToken]),
  ];
  const { lineage, hasPresetFull } = parts.caller;
  return {
    key,
    lineage,
    elsewhere: hasPresetFull ? NO_LINEAGE : lineage,
    fingerprint: new Bun.CryptoHasher("sha256").update(text.join("\n")).digest("base64url"),
  };
}

function sorted(search: string): string {
  if (search === "") return "";
  const query = new URLSearchParams(search);
  query.sort();
  return query.toString();
}

/** The stored answer of the key; null if the key is new. Refuses with `idempotency_key_reused`. */
export async function replayed(db: Reader, request: IdempotentRequest): Promise<Answer | null> {
  const stored = madeBefore(await findAnswers(db, request), request)[0];
  return stored === undefined ? null : asReplay(db, stored);
}

function asReplay(db: Reader, stored: StoredAnswer): Answer {
  return {
    status: stored.status,
    headers: { ...stored.headers, "Idempotent-Replayed": "true" },
    text: opened(db, stored.body),
  };
}

function opened(db: Reader, body: string): string {
  return body.startsWith(SEALED) ? db.vault.unseal(body.slice(SEALED.length)) : body;
}

/** An answer to store, and the clock of its retention. */
export interface StoredAnswerText {
  readonly answer: Answer;
  readonly clock: Clock;
  readonly isSecret: boolean;
  /** True if a publishable key asked. */
  readonly isPublic: boolean;
}

/**
 * Stores the answer in the transaction of the work. Secrets are sealed. Retention uses the
 * machine's clock.
 */
export async function remember(
  tx: Tx,
  request: IdempotentRequest,
  kept: StoredAnswerText,
): Promise<void> {
  const { text } = kept.answer;
  await saveAnswer(tx, {
    key: request.key,
    lineage: request.lineage,
    fingerprint: request.fingerprint,
    status: kept.answer.status,
    headers: kept.answer.headers,
    body: kept.isSecret ? SEALED + tx.vault.seal(text) : text,
    about: kept.answer.about ?? null,
    isPublic: kept.isPublic,
    createdAt: kept.clock.now(),
  });
}

/**
 * The same after a workflow. If another run of the same request has stored an answer meanwhile,
 * returns that one.
 */
export async function rememberFirst(
  tx: Tx,
  request: IdempotentRequest,
  kept: StoredAnswerText,
): Promise<Answer> {
  const found = await findAnswers(tx, request);
  const stored = found.find(({ lineage }) => lineage === request.lineage);
  if (stored === undefined) await remember(tx, request, kept);
  else if (stored.fingerprint === request.fingerprint) return asReplay(tx, stored);
  return kept.answer;
}

/** Seals every secret answer with the vault's present key. Leaves those that no key opens. */
export async function resealAnswers(tx: Tx, resealing: Resealing): Promise<void> {
  for (const body of await listBodies(tx, SEALED)) {
    await saveBody(tx, body, SEALED + resealing.reseal(body.slice(SEALED.length)));
  }
}

/** Deletes every secret answer; a repeated request is then a new one. */
export async function dropSecretAnswers(tx: Tx): Promise<void> {
  await dropBodies(tx, SEALED);
}

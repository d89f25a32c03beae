// Idempotency keys: the fingerprint that tells a retry from a reuse, and the replay of stored
// answers. Keys belong to the lineage of the API key, which rotating keeps, so it breaks no retry.

import type { Clock } from "#kernel/time.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import {
  findLease,
  type LeaseHolder,
  newHolder,
  releaseLease,
  takeLease,
} from "#platform/database/leases.ts";
import { SEALED } from "#platform/event-log/redaction.ts";
import { canonicalJson } from "#platform/http/canonical-json.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import {
  idempotencyKeyReused,
  type IdempotentRequest,
  madeBefore,
  NO_LINEAGE,
} from "#platform/http/contract/idempotent.ts";
import { idempotencyInProgress, idempotencyKeyInvalid } from "#platform/http/contract/refusals.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";
import type { Resealing } from "#platform/vault/vault.ts";

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

// Idempotency keys of running workflows: in this program by name, and on a shared database also by
// lease. Invariant: the key of a program that died is free within a minute, or when the program
// starts again.

/** Longer than a workflow runs. Longer ones are protected by guards on their own rows. */
const LEASE_MS = 60_000;
const RETRY_SECONDS = "1";

/** The name of a running request: the idempotency key, within its lineage. */
type NamedRequest = Pick<IdempotentRequest, "key" | "lineage">;

/** A claimed key, until it is released. */
export interface RunningKey extends Disposable {
  /**
   * Takes the lease, in the transaction that looks for a stored answer. Refuses with
   * `idempotency_in_progress`.
   */
  claim(tx: Tx): Promise<void>;
  /**
   * Frees the lease, in the transaction that stores the answer, so that the next request finds
   * either.
   */
  release(tx: Tx): Promise<void>;
  /** Frees the key without an answer, if the database can be reached. */
  giveUp(): Promise<void>;
}

/**
 * Claims the key within this program. Refuses with `idempotency_in_progress`, and with
 * `idempotency_key_reused` if a write has the key, because that is another request.
 */
export function runWithKey(database: Database, request: NamedRequest, clock: Clock): RunningKey {
  const { inProgress, isShared } = database;
  const lease: LeaseHolder = { name: leaseOf(request), holder: newHolder(database) };
  if (inProgress.has(lease.name)) throw refusal();
  if (inProgress.has(writeOf(request))) throw idempotencyKeyReused();
  const begun = begin(database, lease.name);
  const release = async (tx: Tx) => {
    if (isShared) await releaseLease(tx, lease);
  };
  return {
    ...begun,
    claim: async (tx) => {
      const now = clock.now();
      const claim = { ...lease, now, until: now + LEASE_MS };
      if (isShared && !(await takeLease(tx, claim))) throw refusal();
    },
    release,
    giveUp: async () => {
      // The lease expires anyway, and the caller gets the first error.
      if (isShared) await database.write(release).catch(() => undefined);
    },
  };
}

/**
 * Notes the key as that of a write, until its answer is committed and this disposed of. Refuses with
 * `idempotency_key_reused` if a workflow of this program has the key, because that is another request.
 */
export function writeWithKey(database: Database, request: NamedRequest): Disposable {
  if (database.inProgress.has(leaseOf(request))) throw idempotencyKeyReused();
  return begin(database, writeOf(request));
}

/** Names work in progress, until it is disposed of. */
function begin({ inProgress }: Database, name: string): Disposable {
  inProgress.set(name, (inProgress.get(name) ?? 0) + 1);
  return {
    [Symbol.dispose]: () => {
      const others = (inProgress.get(name) ?? 1) - 1;
      if (others > 0) inProgress.set(name, others);
      else inProgress.delete(name);
    },
  };
}

/** Returns true if a workflow has the key, in any of the programs that share the database. */
export async function isRunning(tx: Tx, request: NamedRequest, clock: Clock): Promise<boolean> {
  const lease = await findLease(tx, leaseOf(request));
  return lease !== undefined && lease.until > clock.now();
}

/** A lineage has no slash, so that no two names are the same text. */
function leaseOf({ lineage, key }: NamedRequest): string {
  return `key:${lineage}/${key}`;
}

/** Writes with one key are in progress beside each other: they are done in turn. */
function writeOf({ lineage, key }: NamedRequest): string {
  return `write:${lineage}/${key}`;
}

function refusal() {
  return idempotencyInProgress({ headers: { "Retry-After": RETRY_SECONDS } });
}

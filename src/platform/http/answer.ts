// Answers: a status, headers and the exact text. What is stored for an idempotency key is an answer
// of this form, so that a replay is the same to the byte.

import { Refusal, type RefusalKind } from "#kernel/refusal.ts";
import { internalError } from "#platform/http/contract/refusals.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One table from a kind of refusal to its status; a code keeps both for ever. */
export const statusOfKind: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported: 415,
  invalid: 422,
  limited: 429,
  internal: 500,
  unavailable: 503,
};

/** Where the same request, unchanged, may succeed later. */
const retryableKinds: ReadonlySet<RefusalKind> = new Set(["limited", "internal", "unavailable"]);
const retryableCodes: ReadonlySet<string> = new Set(["idempotency_in_progress"]);

export interface ProblemTerms {
  readonly requestId: string;
  /** Where the documentation of the codes is, such as `http://127.0.0.1:4000/docs/errors`. */
  readonly errorsUrl: string;
}

/** A refusal as RFC 9457 has it. The values a caller sent are never repeated. */
export function problem(refusal: Refusal, terms: ProblemTerms): Answer {
  const { code, kind, title } = refusal.definition;
  const { detail, faults, members, headers } = refusal.details;
  const status = statusOfKind[kind];
  const body = {
    type: `${terms.errorsUrl}#${code}`,
    title,
    status,
    detail: detail ?? title,
    code,
    request_id: terms.requestId,
    retryable: retryableKinds.has(kind) || retryableCodes.has(code),
    errors: (faults ?? []).map((fault) =>
      fault.pointer === undefined ? fault : { ...fault, pointer: fragment(fault.pointer) },
    ),
    ...members,
  };
  return { status, headers: { ...headers }, text: JSON.stringify(body) };
}

/** What an exception becomes for the caller: a refusal speaks, a bug shows only the request id. */
export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : internalError();
}

/** Code units of a pointer that are repeated; a name of the caller's own may be as long as a body. */
const POINTER_LENGTH_MAX = 1_000;

/** A JSON Pointer in its fragment form (RFC 6901, section 6); a longer one ends at a parent. */
function fragment(pointer: string): string {
  let whole = pointer;
  while (whole.length > POINTER_LENGTH_MAX) whole = whole.slice(0, whole.lastIndexOf("/"));
  return `#${encodeURI(whole).replaceAll("#", "%23")}`;
}

const quotedVersion = /^"(\d+)\./;

/** The tag of a representation: its version, and a hash of what is shown, which may change alone. */
export function entityTag(version: number, text: string): string {
  return `"${version}.${Bun.hash(text).toString(36)}"`;
}

/** Whether a conditional GET already has what would be answered (RFC 9110, If-None-Match). */
export function isUnchanged(condition: string | null, tag: string | undefined): boolean {
  if (condition === null || tag === undefined) return false;
  if (condition.trim() === "*") return true;
  return condition.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
}

/** The version in an entity tag of ours, bare or with its hash; null for anything else. */
export function versionOfTag(tag: string): number | null {
  const match = quotedVersion.exec(tag) ?? /^"(\d+)"$/.exec(tag);
  return match?.[1] === undefined ? null : Number(match[1]);
}

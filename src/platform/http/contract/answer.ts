// HTTP responses as plain data: status, headers and text. Idempotency keys store this form, so a
// replay is identical byte for byte.

import type { AbuseKind } from "#kernel/abuse.ts";
import { problemMembers, Refusal, type RefusalKind } from "#kernel/refusal.ts";
import { type PublicView, publicView } from "#platform/http/audience/public-view.ts";
import { codedTag, type Coding } from "#platform/http/content-coding.ts";

import { internalError } from "./refusals.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The ids of what it is about that the caller is not told, by which an erasure finds it. */
  readonly about?: string;
  /** The limit that refused, as the merchant is told of it. It is not stored: a replay refuses nothing. */
  readonly abuse?: AbuseKind;
  /** True if caches may keep it for every request with the same key: it tells nothing of this one. */
  readonly isShared?: boolean;
  /** The text in codings, of an answer that is kept: it is compressed once for each. */
  readonly coded?: Map<Coding, Uint8Array>;
}

/** The status of each kind of refusal; a code keeps both forever. */
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
  misdirected: 421,
  invalid: 422,
  limited: 429,
  internal: 500,
  unavailable: 503,
};

/** Refusals after which the unchanged request may succeed. */
const retryableKinds: ReadonlySet<RefusalKind> = new Set(["limited", "internal", "unavailable"]);
const retryableCodes: ReadonlySet<string> = new Set(["idempotency_in_progress"]);

export interface ProblemTerms {
  readonly requestId: string;
  /** True if a stranger is refused, who is told less. */
  readonly isPublic: boolean;
  /** The URL of the error reference, such as `http://127.0.0.1:4000/docs/errors`. */
  readonly errorsUrl: string;
}

/** A refusal as a problem document (RFC 9457). Values that the caller sent are never repeated. */
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
    ...(terms.isPublic ? publicMembers(members ?? {}) : members),
  };
  const { abuse } = refusal;
  const limited = abuse === undefined ? {} : { abuse };
  return { status, headers: { ...headers }, text: JSON.stringify(body), ...limited };
}

/** The view of the members that were defined when it was made. */
let made: { readonly properties: object; readonly view: PublicView } | undefined;

/** The members that strangers may know. */
function publicMembers(members: object): object {
  const properties = problemMembers();
  if (made?.properties !== properties) made = { properties, view: publicView({ properties }) };
  return Object(made.view(members));
}

/**
 * The refusal for an exception: a Refusal itself, or `internal_error` for a bug, whose details are
 * only logged.
 */
export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : internalError();
}

/**
 * UTF-16 code units of a pointer that are repeated: the caller chooses its names, which may be as
 * long as the body.
 */
const POINTER_LENGTH_MAX = 1_000;

/** A JSON Pointer as a URL fragment (RFC 6901, section 6); a long one is cut to an ancestor. */
function fragment(pointer: string): string {
  let whole = pointer;
  while (whole.length > POINTER_LENGTH_MAX) whole = whole.slice(0, whole.lastIndexOf("/"));
  return `#${encodeURI(whole).replaceAll("#", "%23")}`;
}

const quotedVersion = /^"(\d+)\./;

/**
 * The entity tag of a representation: its version, and a hash of the text, because computed fields
 * can change without the version.
 */
export function entityTag(version: number, text: string): string {
  return `"${version}.${Bun.hash(text).toString(36)}"`;
}

/** Returns true if the caller already has the representation (RFC 9110, If-None-Match, which compares weakly). */
export function isUnchanged(condition: string | null, tag: string | undefined): boolean {
  if (condition === null || tag === undefined) return false;
  if (condition.trim() === "*") return true;
  const opaque = opaqueOf(tag);
  return condition.split(",").some((one) => opaqueOf(one.trim()) === opaque);
}

/**
 * The tag under which the caller has the representation: in the coding that it would be sent in, or without one, since the
 * response to a write may have been too small to compress. Undefined if the caller does not have it.
 */
export function knownTag(request: Request, tag: string, coding: Coding | null): string | undefined {
  const condition = request.headers.get("if-none-match");
  const tags = [coding === null ? tag : codedTag(tag, coding), tag];
  return tags.find((one) => isUnchanged(condition, one));
}

function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** The version in an entity tag, with or without its hash; null for other tags. */
export function versionOfTag(tag: string): number | null {
  const match = quotedVersion.exec(tag) ?? /^"(\d+)"$/.exec(tag);
  return match?.[1] === undefined ? null : Number(match[1]);
}

// Reads a request before its body.

import { newRequestId } from "#kernel/id.ts";

/** Unknown methods share one label, to bound the number of metrics. */
export function knownMethod(method: string): string {
  return ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"].includes(method) ? method : "other";
}

/** Accepts the caller's request id if it is safe in a header and a log. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : newRequestId();
}

/** The query with its question mark; empty if there is none. */
export function searchOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start);
}

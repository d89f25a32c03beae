// Tells whether a request comes from the operator, who may see what the shop sells and how the server is.
// Invariant: a request that may have crossed a proxy needs the token, since its sender may be anybody. A proxy with its
// defaults adds no header and names this machine, so that its requests look like the operator's own.

import { createHash, timingSafeEqual } from "node:crypto";

import { isLoopback } from "#platform/net/addresses.ts";
import { isLoopbackName, plainHost } from "#platform/net/target-url.ts";

/** A request with one of these headers was forwarded, so its client may be on another machine. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

export interface OperatorTerms {
  /** Null if there is no token. */
  readonly token: string | null;
  /** True if strangers may arrive from this machine: the server has a public URL, or the settings name a proxy. */
  readonly isExposed: boolean;
}

/** Tells from a request and the address of its peer whether the operator sent it. */
export type OperatorCheck = (request: Request, peer: string) => boolean;

/** True of requests with the token and, as long as no stranger arrives from this machine, of those from it to itself. */
export function operatorCheck({ token, isExposed }: OperatorTerms): OperatorCheck {
  return (request, peer) => (!isExposed && isLocal(request, peer)) || bears(request, token);
}

/** A proxy without forwarding headers is recognized by the public name that it passes on. */
function isLocal(request: Request, peer: string): boolean {
  const host = plainHost(URL.parse(request.url)?.hostname ?? "");
  return (
    isLoopback(peer) &&
    (isLoopbackName(host) || isLoopback(host)) &&
    !FORWARDING.some((name) => request.headers.has(name))
  );
}

/** Compares digests, because timingSafeEqual needs equal lengths. */
function bears(request: Request, token: string | null): boolean {
  const given = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === null || given === undefined) return false;
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

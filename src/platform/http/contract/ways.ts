// The ways to a route: its method and path, and those that it had before, which will end. All lead to the same handler,
// audit entry and idempotency.

import type { Deprecation } from "./deprecation.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

interface Way {
  readonly method: Method;
  readonly path: string;
}

export interface FormerWay extends Way {
  readonly deprecated: Deprecation;
  /** False where the document cannot have it beside the others; it is served all the same. */
  readonly isDocumented: boolean;
}

interface Ways extends Way {
  /** The oldest first. */
  readonly also: readonly FormerWay[];
  readonly deprecated: Deprecation | null;
}

/** Declares the way that a route had until the first release had one vocabulary. */
export function formerly(
  method: Method,
  path: string,
  { instead, isDocumented = true }: { readonly instead: string; readonly isDocumented?: boolean },
): FormerWay {
  const deprecated = { since: "2026-12-01", sunset: "2027-12-01", instead };
  return { method, path, deprecated, isDocumented };
}

/** The routes of the former ways, in all else the route itself. */
export function formerRoutes<R extends Ways>(route: R): R[] {
  return route.also.map(({ method, path, deprecated }) => ({ ...route, method, path, deprecated }));
}

/**
 * The method and the path by which a key knows a request again, whichever way it took: those that the route had first, so
 * that a retry finds an answer that was stored before it got another way.
 */
export function firstWay({ method, path, also }: Ways): Way {
  return also[0] ?? { method, path };
}

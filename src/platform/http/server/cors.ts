// CORS for configured origins, and for pages of this server that belong to no origin. Every preflight gets the same
// response: a browser sends no key with it, so it must not reveal which paths exist.

/** The longest that Chromium caches a preflight, seconds. */
const PREFLIGHT_SECONDS = "7200";
const EXPOSED = [
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "ETag",
  "Location",
  "X-Request-Id",
  "X-Duka-Version",
  "Idempotent-Replayed",
  "Link",
  "Deprecation",
  "Sunset",
].join(", ");

/** A configured origin that stands for every port of the developer's machine, for test keys only. */
export const ANY_LOCAL_PORT = "http://localhost:*";
const localOrigin = /^http:\/\/localhost(?::\d{1,5})?$/;

/** The origin that browsers send for a page without one: one in a sandbox, or a file. */
const NO_ORIGIN = "null";

export interface CorsTerms {
  /** `DUKA_CORS_ORIGINS`. */
  readonly origins: readonly string[];
  /**
   * Resolves to true while pages of no origin may use publishable test keys. The example storefront is one, and every
   * other page in a sandbox is alike; strangers may hold these keys.
   */
  readonly allowsNoOrigin: () => Promise<boolean>;
}

/** The keys that pages of an origin may use; `none` if the browser lets them read nothing. */
export type KeysOfOrigin = "all" | "test" | "publishable test" | "none";

/** Resolves to the keys that pages of the origin may use. */
async function keysOfOrigin(
  { origins, allowsNoOrigin }: CorsTerms,
  origin: string,
): Promise<KeysOfOrigin> {
  if (origin !== ANY_LOCAL_PORT && origins.includes(origin)) return "all";
  if (origins.includes(ANY_LOCAL_PORT) && localOrigin.test(origin)) return "test";
  return origin === NO_ORIGIN && (await allowsNoOrigin()) ? "publishable test" : "none";
}

/** The page that a request comes from, and the keys that it may use. */
export interface Asking {
  /** Null for a program, which is asked for no origin. */
  readonly origin: string | null;
  readonly keys: KeysOfOrigin;
}

/** Resolves to the page that the request comes from. */
export async function askingPage(terms: CorsTerms, request: Request): Promise<Asking> {
  const origin = request.headers.get("origin");
  return { origin, keys: origin === null ? "all" : await keysOfOrigin(terms, origin) };
}

/** The CORS headers of a response before its key is known; none if no origin is configured or allowed. */
export function corsHeaders(terms: CorsTerms, { origin, keys }: Asking): Record<string, string> {
  if (origin !== null && keys !== "none") {
    return {
      Vary: "Origin",
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Expose-Headers": EXPOSED,
    };
  }
  return terms.origins.length > 0 ? { Vary: "Origin" } : {};
}

/** Returns true if the request is a CORS preflight. */
export function isPreflight(request: Request): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.has("origin") &&
    request.headers.has("access-control-request-method")
  );
}

/** The headers of a preflight's response besides `corsHeaders`. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Customer-Token, Duka-Client, Idempotency-Key, If-Match, If-None-Match, Order-Token, X-Request-Id",
  "Access-Control-Max-Age": PREFLIGHT_SECONDS,
};

/** Origins that are remembered as reported. Beyond them none is reported: any caller can invent more. */
const REPORTED_MAX = 100;
/** Characters of an origin that are reported: the longest host name, with scheme and port. */
const ORIGIN_LENGTH_MAX = 270;

/** Reports each refused origin once: its developer sees only that the browser blocked a response. */
export class RefusedOrigins {
  readonly #reported = new Set<string>();
  readonly #onRefused: (origin: string) => void;

  constructor(onRefused: (origin: string) => void) {
    this.#onRefused = onRefused;
  }

  /** Reports the origin of a request, unless the request comes from a page of this server. */
  report(request: Request): void {
    const origin = request.headers.get("origin")?.slice(0, ORIGIN_LENGTH_MAX) ?? null;
    if (origin === null || isSameHost(origin, request.headers.get("host"))) return;
    if (this.#reported.has(origin) || this.#reported.size >= REPORTED_MAX) return;
    this.#reported.add(origin);
    this.#onRefused(origin);
  }
}

function isSameHost(origin: string, host: string | null): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

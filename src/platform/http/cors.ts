// Cross-origin access, only for configured origins. The preflight is answered from a constant list:
// a browser sends no key with it, so it must not tell which paths exist.

/** Chromium keeps a preflight this long at most, seconds. */
const PREFLIGHT_SECONDS = "7200";
const EXPOSED = [
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "ETag",
  "Location",
  "X-Request-Id",
  "Idempotent-Replayed",
  "Link",
  "Deprecation",
  "Sunset",
].join(", ");

/** The headers an answer carries for the page that asked; empty where no origins are configured. */
export function corsHeaders(
  origins: readonly string[],
  origin: string | null,
): Record<string, string> {
  if (origins.length === 0) return {};
  if (origin === null || !origins.includes(origin)) return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": EXPOSED,
  };
}

/** Whether a request is a browser's question before the real one. */
export function isPreflight(request: Request): boolean {
  return (
    request.method === "OPTIONS" &&
    request.headers.has("origin") &&
    request.headers.has("access-control-request-method")
  );
}

/** What such a question is answered beside `corsHeaders`. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id",
  "Access-Control-Max-Age": PREFLIGHT_SECONDS,
};

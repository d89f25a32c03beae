// CORS for configured origins. Every preflight gets the same response: a browser sends no key with
// it, so it must not reveal which paths exist.

/** The longest that Chromium caches a preflight, seconds. */
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

/** The CORS headers of a response; none if no origins are configured. */
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

/** Whether the request is a CORS preflight. */
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
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id",
  "Access-Control-Max-Age": PREFLIGHT_SECONDS,
};

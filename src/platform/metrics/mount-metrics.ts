// Serves `/metrics`: to this machine, and to others with a token, because the figures reveal how
// much a shop sells.

import { createHash, timingSafeEqual } from "node:crypto";

import { type Router, unlisted } from "#platform/http/router.ts";
import { isLoopback } from "#platform/net/addresses.ts";

import type { Metrics } from "./metrics.ts";

/** A request with one of these headers was forwarded, so its client may be on another machine. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

export interface MetricsDoor {
  readonly metrics: Metrics;
  /** Null if there is no token. */
  readonly token: string | null;
  /** The peer address of a request. */
  readonly peerOf: (request: Request) => string;
}

/** Adds the route; without access it responds 404, like an unknown path. */
export function mountMetrics(app: Router, { metrics, token, peerOf }: MetricsDoor): void {
  app.all(
    "/metrics",
    async ({ request }) => {
      if (!isLocal(request, peerOf(request)) && !bears(request, token)) {
        return new Response(null, { status: 404 });
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        return new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
      }
      return new Response(await metrics.render(), {
        headers: { "Content-Type": metrics.contentType, "Cache-Control": "no-store" },
      });
    },
    unlisted,
  );
}

function isLocal(request: Request, peer: string): boolean {
  return isLoopback(peer) && !FORWARDING.some((name) => request.headers.has(name));
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

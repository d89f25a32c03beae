// `/metrics`, for whoever watches the server: open to this machine, to others with a token. It tells
// how much a shop sells, which is nobody else's business.

import { createHash, timingSafeEqual } from "node:crypto";

import { type Router, unlisted } from "#platform/http/router.ts";
import { isLoopback } from "#platform/net/addresses.ts";

import type { Metrics } from "./metrics.ts";

/** Whoever sends one of these speaks for somebody else, who may not be on this machine. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

export interface MetricsDoor {
  readonly metrics: Metrics;
  /** Null where no token opens it. */
  readonly token: string | null;
  /** The address a request comes from. */
  readonly peerOf: (request: Request) => string;
}

/** Adds the page; to a stranger it is as unknown as any other path. */
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

/** Compared as digests, which have one length. */
function bears(request: Request, token: string | null): boolean {
  const given = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === null || given === undefined) return false;
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

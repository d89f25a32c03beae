// Serves `/metrics` to the operator, because the figures reveal how much a shop sells.

import { type Router, unlisted } from "#platform/http/router.ts";

import type { Metrics } from "./metrics.ts";

/** Adds the route; to others than the operator it responds 404, like an unknown path. */
export function mountMetrics(
  app: Router,
  { metrics, isOperator }: { metrics: Metrics; isOperator: (request: Request) => boolean },
): void {
  app.all(
    "/metrics",
    async ({ request }) => {
      if (!isOperator(request)) return new Response(null, { status: 404 });
      if (request.method !== "GET" && request.method !== "HEAD") {
        return new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
      }
      return new Response(await metrics.render(), {
        headers: { "Content-Type": metrics.contentType },
      });
    },
    unlisted,
  );
}

// Health checks without a key, for monitoring: `/livez` and `/readyz`.

import { closedHeaders } from "#platform/html/content-policy.ts";

import { type Router, unlisted } from "./router.ts";

/** The result of the readiness check; `details` are shown unchanged. */
export interface Readiness {
  readonly ready: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

export type LiveCheck = () => Promise<Readiness>;

/** Adds `/livez` (200 while the process responds) and `/readyz` (200 or 503, with details). */
export function mountHealth(app: Router, readiness: LiveCheck): void {
  app.all("/livez", ({ request }) => guarded(request, () => json(200, { status: "ok" })), unlisted);
  app.all(
    "/readyz",
    ({ request }) =>
      guarded(request, async () => {
        const { ready, details } = await readiness();
        return json(ready ? 200 : 503, { status: ready ? "ready" : "not_ready", ...details });
      }),
    unlisted,
  );
}

function guarded(request: Request, answer: () => Response | Promise<Response>) {
  if (request.method === "GET" || request.method === "HEAD") return answer();
  const status = request.method === "OPTIONS" ? 204 : 405;
  return new Response(null, {
    status,
    headers: { ...closedHeaders, Allow: "GET, HEAD, OPTIONS" },
  });
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...closedHeaders, "Content-Type": "application/json" },
  });
}

// Whether the process lives and whether it can work; both without a key, for whoever watches it.

import { closedHeaders } from "#platform/html/content-policy.ts";

import { type Router, unlisted } from "./router.ts";

/** What is ready and what is not; `details` are shown as they are. */
export interface Readiness {
  readonly ready: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

export type LiveCheck = () => Promise<Readiness>;

/** Adds `/livez` (the process answers) and `/readyz` (200 or 503, with what is missing). */
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

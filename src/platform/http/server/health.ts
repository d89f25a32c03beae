// Health checks without a key, for monitoring: `/livez` and `/readyz`.

import { type Router, unlisted } from "#platform/http/router.ts";

/** The result of the readiness check. */
export interface Readiness {
  readonly ready: boolean;
  /** Facts that anybody may know. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Facts that only the operator may know: they tell when orders were placed. */
  readonly inside: Readonly<Record<string, unknown>>;
}

export type LiveCheck = () => Promise<Readiness>;

/**
 * Adds `/livez` (200 while the process responds) and `/readyz` (200 or 503, with details, and for the
 * operator with more of them).
 */
export function mountHealth(
  app: Router,
  readiness: LiveCheck,
  isOperator: (request: Request) => boolean,
): void {
  app.all("/livez", ({ request }) => guarded(request, () => json(200, { status: "ok" })), unlisted);
  app.all(
    "/readyz",
    ({ request }) =>
      guarded(request, async () => {
        const { ready, details, inside } = await readiness();
        const status = ready ? "ready" : "not_ready";
        return json(ready ? 200 : 503, {
          status,
          ...details,
          ...(isOperator(request) ? inside : {}),
        });
      }),
    unlisted,
  );
}

function guarded(request: Request, answer: () => Response | Promise<Response>) {
  if (request.method === "GET" || request.method === "HEAD") return answer();
  const status = request.method === "OPTIONS" ? 204 : 405;
  return new Response(null, { status, headers: { Allow: "GET, HEAD, OPTIONS" } });
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });
}

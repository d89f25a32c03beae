// Gives a browser what it needs to subscribe to messages: the worker that shows them, and the shop's key.

import { workerScript } from "#dashboard/kit/assets.ts";
import { readCookie } from "#dashboard/kit/session-cookie.ts";
import type { DashboardTerms } from "#dashboard/kit/terms.ts";
import type { RouteContext } from "#platform/http/router.ts";
import { makePushKeys } from "#shop/connections/push-keys.ts";
import { findVisitor } from "#shop/people/sessions/open-session.ts";

type Mount = (
  path: string,
  reply: (context: RouteContext) => Promise<Response> | Response,
) => unknown;

/** Adds `/dashboard/sw.js` and `/dashboard/push/key`, to which the script posts. */
export function mountPush(mount: Mount, terms: DashboardTerms): void {
  mount("/dashboard/sw.js", workerResponse);
  mount("/dashboard/push/key", ({ request }) => offerKey(terms, request));
}

/** Its scope has no final slash, as the address of the first page, which a worker may have only if the answer says so. */
function workerResponse(): Response {
  return new Response(workerScript(), {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; connect-src 'self'",
      "Service-Worker-Allowed": "/dashboard",
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}

async function offerKey({ people, url }: DashboardTerms, request: Request): Promise<Response> {
  const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  if (request.method !== "POST") return new Response(null, { status: 404, headers });
  const { database, clock } = people;
  const token = readCookie(request, url(), "session");
  const visitor = await findVisitor(database.read, token, clock.now());
  if (visitor === null) return new Response(null, { status: 401, headers });
  const actor = { type: "person", id: visitor.person.id } as const;
  const { publicKey } = await database.write(makePushKeys, { actor });
  return Response.json({ key: publicKey }, { headers });
}

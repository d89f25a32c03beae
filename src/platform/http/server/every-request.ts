// Wraps every request and response, whatever answers it. Invariant: no response leaves without
// the security headers; a page replaces those that it needs otherwise.

import { closedHeaders } from "#platform/html/content-policy.ts";

/** A year: browsers that came over HTTPS once do not come back without it. */
const STRICT_TRANSPORT = "max-age=31536000";
/** The host that a request names: a name or an address, and a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

export interface EveryTerms {
  /** True if this server terminates TLS and may therefore send HSTS. */
  readonly endsTls: boolean;
  /** Paths that are served only if the request line has them as they are, without `..` or `\`, and what answers them. */
  readonly exact: Readonly<Record<string, Responder>>;
}

export type Responder = (request: Request) => Response | Promise<Response>;

/** The handlers of Bun's server: `reply` with the checks and headers of every request. */
export function everyRequest(reply: Responder, { endsTls, exact }: EveryTerms) {
  const headers = Object.entries({
    ...closedHeaders,
    ...(endsTls ? { "Strict-Transport-Security": STRICT_TRANSPORT } : {}),
  });
  const complete = (response: Response): Response => {
    for (const [name, value] of headers) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  };
  const respond = async (request: Request, answer: Responder) =>
    complete(
      hasValidHost(request)
        ? await answer(request)
        : new Response(null, { status: 400, headers: { Connection: "close" } }),
    );
  return {
    // Bun compares routes with the path of the request line; `fetch` sees it normalized.
    routes: Object.fromEntries(
      Object.entries(exact).map(([path, answer]) => [
        path,
        (request: Request) => respond(request, answer),
      ]),
    ),
    fetch: (request: Request) =>
      Object.hasOwn(exact, pathOf(request.url))
        ? complete(new Response(null, { status: 404 }))
        : respond(request, reply),
  };
}

/** Without a valid host there is no URL: the router and pages could not read the request. */
function hasValidHost(request: Request): boolean {
  return HOST.test(request.headers.get("host") ?? "") && URL.canParse(request.url);
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return url.slice(start, end === -1 ? undefined : end);
}

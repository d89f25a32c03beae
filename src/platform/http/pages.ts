// Public pages that are made once and read with GET: documentation, guides, their assets. A page has
// an ETag, is revalidated on every use unless it says otherwise, and loads nothing by itself.

import { CLOSED_POLICY } from "#platform/html/content-policy.ts";

import { type Router, unlisted } from "./router.ts";

/** One representation, ready to be sent. Its headers replace the usual ones. */
export interface Page {
  readonly body: string | Blob;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type FindPage = (request: Request) => Promise<Page>;

const ALLOW = "GET, HEAD, OPTIONS";

/** Adds each page at its path. The same path with a slash at its end redirects to it. */
export function mountPages(app: Router, pages: Readonly<Record<string, FindPage>>): void {
  for (const [path, find] of Object.entries(pages)) {
    app.all(path, (context) => answer(context.request, path, find), unlisted);
  }
}

/** A page of text with the policy under which it is whole. */
export function textPage(body: string, type: string, policy = CLOSED_POLICY): Page {
  return {
    body,
    etag: `"${Bun.hash(body).toString(36)}"`,
    headers: { "Content-Type": type, "Content-Security-Policy": policy },
  };
}

/** Made on the first request and kept: the start of the server does not wait for it. */
export function once(make: () => Promise<Page> | Page): FindPage {
  let made: Promise<Page> | undefined;
  return () => (made ??= Promise.resolve(make()));
}

async function answer(request: Request, path: string, find: FindPage): Promise<Response> {
  if (request.method === "OPTIONS") return plain(204, { Allow: ALLOW });
  if (request.method !== "GET" && request.method !== "HEAD") return plain(405, { Allow: ALLOW });
  if (new URL(request.url).pathname !== path) return plain(308, { Location: path });
  const page = await find(request);
  const headers = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": CLOSED_POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    ETag: page.etag,
    ...page.headers,
  };
  return isKnown(request, page.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(page.body, { headers });
}

function plain(status: 204 | 308 | 405, headers: Record<string, string>): Response {
  return new Response(status === 405 ? "This address is read with GET.\n" : null, {
    status,
    headers: {
      ...headers,
      "Content-Security-Policy": CLOSED_POLICY,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function isKnown(request: Request, etag: string): boolean {
  const known = (request.headers.get("If-None-Match") ?? "").split(",");
  return known.some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

// Public pages that are made once and read with GET: documentation, guides, their assets. A page has
// an ETag, is revalidated on every use unless it says otherwise, and loads nothing by itself.

import { type Clock, DAY_MS, toIso } from "#kernel/time.ts";
import { CLOSED_POLICY } from "#platform/html/html-document.ts";
import { isUnchanged } from "#platform/http/contract/answer.ts";
import { lazy } from "#platform/process/lazy.ts";

import {
  chooseCoding,
  codedTag,
  type Coding,
  type Codings,
  codings,
  codingsOf,
} from "./content-coding.ts";
import { type Router, unlisted } from "./router.ts";

/** A page, ready to be sent. Its headers replace the usual ones. */
export interface Page {
  readonly body: () => string | Blob | Promise<Blob>;
  /** The body in the codings that it has; none if compression saves nothing. */
  readonly codings: Codings;
  /** The tag of the body without a coding. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A response in place of a page is a refusal. */
type FindPage = (request: Request) => Page | Response | Promise<Page | Response>;

const ALLOW = "GET, HEAD, OPTIONS";

/** Adds each page at its path. The same path with a slash at its end leads to it, unless it names a file. */
export function mountPages(app: Router, pages: Readonly<Record<string, FindPage>>): void {
  for (const [path, find] of Object.entries(pages)) {
    const isFile = path.includes(".");
    for (const address of isFile ? [path] : [path, `${path}/`]) {
      app.all(address, (context) => answer(context.request, path, find), unlisted);
    }
  }
}

/** A page of text with the policy under which it is whole. */
export function textPage(body: string, type: string, policy = CLOSED_POLICY): Page {
  return {
    body: () => body,
    codings: codingsOf(body),
    etag: `"${Bun.hash(body).toString(36)}"`,
    headers: { "Content-Type": type, "Content-Security-Policy": policy },
  };
}

/** The page under another policy. */
export function withPolicy(page: Page, policy: string): Page {
  return { ...page, headers: { ...page.headers, "Content-Security-Policy": policy } };
}

/** Made on the first request and kept: the start of the server does not wait for it. */
export function once(make: () => Promise<Page> | Page): () => Promise<Page> {
  return lazy(() => Promise.resolve(make()));
}

async function answer(request: Request, path: string, find: FindPage): Promise<Response> {
  if (request.method === "OPTIONS") return plain(204, { Allow: ALLOW });
  if (request.method !== "GET" && request.method !== "HEAD") return plain(405, { Allow: ALLOW });
  const { pathname, search } = new URL(request.url);
  if (pathname !== path) return plain(308, { Location: `${path}${search}` });
  const found = await find(request);
  return found instanceof Response ? found : pageResponse(request, found);
}

async function pageResponse(request: Request, page: Page): Promise<Response> {
  const coding = codingFor(request, page);
  const etag = coding === null ? page.etag : codedTag(page.etag, coding);
  const headers: Record<string, string> = {
    "Cache-Control": "no-cache",
    ETag: etag,
    ...(Object.keys(page.codings).length > 0 && { Vary: "Accept-Encoding" }),
    ...page.headers,
  };
  if (isUnchanged(request.headers.get("If-None-Match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  if (coding !== null) headers["Content-Encoding"] = coding;
  const body = coding === null ? page.body : (page.codings[coding] ?? page.body);
  return new Response(await body(), { headers });
}

function codingFor(request: Request, page: Page): Coding | null {
  const offered = codings.filter((coding) => page.codings[coding] !== undefined);
  return chooseCoding(request.headers.get("Accept-Encoding"), { offered });
}

function plain(status: 204 | 308 | 405, headers: Record<string, string>): Response {
  return new Response(status === 405 ? "This address is read with GET.\n" : null, {
    status,
    headers,
  });
}

// `/.well-known/security.txt`: where a person who found a vulnerability reports it (RFC 9116).

const PATH = "/.well-known/security.txt";
/** The file must say until when it holds; it holds as long as the server answers with it. */
const VALID_MS = 90 * DAY_MS;

interface SecurityContact {
  /** A mailto:, https: or tel: URI. */
  readonly contact: string;
  readonly clock: Clock;
}

export function mountSecurityContact(app: Router, terms: SecurityContact): void {
  mountPages(app, { [PATH]: () => textPage(securityText(terms), "text/plain; charset=utf-8") });
}

/** Expires at the end of a day, so that the file is the same for a whole day. */
function securityText({ contact, clock }: SecurityContact): string {
  const until = Math.ceil((clock.now() + VALID_MS) / DAY_MS) * DAY_MS;
  return `Contact: ${contact}\nExpires: ${toIso(until)}\n`;
}

// Serves the pages of the shop: server HTML that runs no script, the same for everybody but the cart. Invariant: a page
// shows what `/v2` tells a stranger and nothing else, and a form changes something only if a page of the shop sent it.

import { Refused } from "#dashboard/kit/asker.ts";
import { isOwnForm } from "#platform/html/own-form.ts";
import { readForm } from "#platform/html/read-form.ts";
import { type RouteContext, type Router, unlisted } from "#platform/http/router.ts";

import { cartForms } from "./cart-forms.ts";
import { cartPage } from "./cart-page.ts";
import { homePage } from "./home-page.ts";
import { allPage, collectionPage, searchPage } from "./list-page.ts";
import { notFound } from "./lone-page.ts";
import { productPage } from "./product-page.ts";
import { type ShopTerms, ShopVisit } from "./shop-visit.ts";

type Params = RouteContext["params"];
type Show = (visit: ShopVisit, params: Params) => Promise<Response>;

/** The pages by their address below that of the shop. */
const pages: Readonly<Record<string, Show>> = {
  "/": homePage,
  "/p/:slug": (visit, { slug }) => productPage(visit, slug ?? ""),
  "/c": allPage,
  "/c/:slug": (visit, { slug }) => collectionPage(visit, slug ?? ""),
  "/search": searchPage,
  "/cart": (visit) => cartPage(visit),
};

/** Adds the pages of the shop. */
export function mountShop(app: Router, terms: ShopTerms): void {
  for (const [path, show] of Object.entries(pages)) {
    const address = path === "/" ? terms.base : `${terms.base}${path}`;
    app.all(address, (context) => answer(context, terms, { read: show }), unlisted);
  }
  for (const [name, submit] of Object.entries(cartForms)) {
    const send: Show = async (visit) => submit(visit, await readForm(visit.request, terms.bodies));
    const address = `${terms.base}/cart/${name}`;
    app.all(address, (context) => answer(context, terms, { send }), unlisted);
  }
  app.all(`${terms.base}/*`, (context) => answer(context, terms, { read: lost }), unlisted);
}

interface Replies {
  readonly read?: Show;
  readonly send?: Show;
}

async function answer(
  { request, params }: RouteContext,
  terms: ShopTerms,
  replies: Replies,
): Promise<Response> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const reply = isRead ? replies.read : request.method === "POST" ? replies.send : undefined;
  if (!(await terms.isOpen())) return bare(404);
  if (reply === undefined) return refuseMethod(request, replies);
  if (!isRead && !isOwnForm(request, terms.publicUrl())) return bare(403);
  try {
    const visit = await ShopVisit.open(terms, request);
    return await reply(visit, params);
  } catch (error) {
    return explain(error, terms);
  }
}

function refuseMethod(request: Request, { read }: Replies): Response {
  const Allow = read === undefined ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
  return bare(request.method === "OPTIONS" ? 204 : 405, { Allow });
}

/** An address that leads nowhere; one with a slash at its end leads to the page without. */
function lost(visit: ShopVisit): Promise<Response> {
  const { pathname, search } = visit.url;
  if (!pathname.endsWith("/")) return notFound(visit);
  const Location = `${pathname.replace(/\/+$/, "")}${search}`;
  return Promise.resolve(bare(308, { Location }));
}

/** Also before the shop is known, so without its look. */
function explain(error: unknown, { onFault }: ShopTerms): Response {
  if (error instanceof Refused && error.status === 429) {
    const wait = new Headers(error.answer.headers).get("retry-after");
    return bare(429, wait === null ? {} : { "Retry-After": wait });
  }
  onFault(error);
  return bare(503);
}

const sentences: Readonly<Record<number, string>> = {
  403: "cross_site: forms of other sites change nothing here.",
  404: "Nothing is at this address.",
  429: "Too many requests came from here. Please try again in a minute.",
  503: "Something went wrong on our side. Please try again later.",
};

function bare(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  const sentence = sentences[status];
  return new Response(sentence === undefined ? null : `${sentence}\n`, {
    status,
    headers: { "Cache-Control": "no-store", ...headers },
  });
}

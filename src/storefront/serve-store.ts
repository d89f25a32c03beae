// Serves the example storefront at /test/store. Invariant: it belongs to no origin and is of the test shop alone, so
// what is planted into it reaches nothing but what a publishable test key may do.

import type { Shop } from "#platform/database/shop.ts";
import { ownPaths, SANDBOX } from "#platform/html/html-document.ts";
import { mountPages, once, type Page, textPage } from "#platform/http/pages.ts";
import { isCrossSite, type Router } from "#platform/http/router.ts";
import { addressForPeople } from "#shop/people/credentials/link.ts";
import { getStore } from "#shop/store/lookups.ts";

import { servedStore, storeFiles } from "./store-page.ts";
import { STORE_PATH } from "./store-path.ts";
import { storefrontKey } from "./storefront-key.ts";

const FOLDER = `${STORE_PATH}/`;

export interface StoreTerms {
  readonly shop: Shop;
  /** The address at which browsers reach this server. */
  readonly publicUrl: () => string;
  /** The address of the dashboard, without a final slash; null if it is not served. */
  readonly dashboardUrl: (() => string) | null;
  /** Resolves to true while the page is served. */
  readonly areDoorsOpen: () => Promise<boolean>;
}

/** Mounts the page and its files. Throws for a live shop. */
export function mountStore(app: Router, terms: StoreTerms): void {
  if (terms.shop.mode !== "test") throw new Error("Live mode has no example storefront.");
  const files = Object.entries(storeFiles).map(([name, text]) => [
    `${FOLDER}${name}`,
    once(() => fileOf(name, text)),
  ]);
  mountPages(app, {
    // The files are not refused: a page of no origin loads them as from another site.
    [STORE_PATH]: async (request) => {
      if (!(await terms.areDoorsOpen())) return refused(404, "Nothing is at this address.");
      return isEmbedded(request) ? refused(403, CROSS_SITE) : storePage(request, terms);
    },
    ...Object.fromEntries(files),
  });
}

const CROSS_SITE = "cross_site: pages of other sites neither load nor embed this page.";

/**
 * Returns true if a page of another site asks for the page other than by opening it. To browsers the links of the page
 * itself come from another site, too: it has no origin.
 */
function isEmbedded(request: Request): boolean {
  return isCrossSite(request) && request.headers.get("sec-fetch-dest") !== "document";
}

function refused(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { "Cache-Control": "no-store" } });
}

/** A page of no origin loads modules as from another one. */
function fileOf(name: string, text: string): Page {
  const type = name.endsWith(".css") ? "text/css" : "text/javascript";
  const page = textPage(text, `${type}; charset=utf-8`);
  return { ...page, headers: { ...page.headers, "Access-Control-Allow-Origin": "*" } };
}

async function storePage(
  request: Request,
  { shop, publicUrl, dashboardUrl }: StoreTerms,
): Promise<Page> {
  const { database } = shop;
  const { name, locale } = await getStore(database.read);
  const { host } = new URL(request.url);
  const facts = {
    name,
    // The host that the browser named: it may reach the server at another one than the public address.
    server: `${new URL(publicUrl()).protocol}//${host}`,
    key: await storefrontKey(database),
    locale: locale ?? "en",
  };
  const page = textPage(
    servedStore(facts, { folder: FOLDER, orders: ordersAt(dashboardUrl?.() ?? null) }),
    "text/html; charset=utf-8",
    policyFor(request, publicUrl()),
  );
  return { ...page, headers: { ...page.headers, "Referrer-Policy": "no-referrer" } };
}

function ordersAt(dashboardUrl: string | null): string | null {
  return dashboardUrl === null ? null : addressForPeople(dashboardUrl, "/dashboard/test/orders");
}

function policyFor(request: Request, publicUrl: string): string {
  const own = (...paths: string[]) => ownPaths(request, { publicUrl, paths });
  return [
    "default-src 'none'",
    `script-src ${own(FOLDER, "/client.js")}`,
    `style-src ${own(FOLDER)}`,
    `img-src https: ${own("/test/pictures/")} ${own("/media/test/")}`,
    `connect-src ${own("/v2/")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
    .join("; ")
    .concat(SANDBOX);
}

// The frame of the shop's pages: bar with menu, search and cart above, the shop's contact below.

import { collectionWire } from "#catalog/collections/schema.ts";
import { paperPage, paperPolicy } from "#pay-page/frame/paper-page.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { chooseCoding, codedTag, compressNow } from "#platform/http/content-coding.ts";
import { isUnchanged } from "#platform/http/contract/answer.ts";

import { icon } from "./icons.ts";
import type { Collection, ShopVisit } from "./shop-visit.ts";

/** More would not be read. */
const MENU_MAX = 12;

export interface ShopPage {
  readonly title: string;
  readonly main: Html;
  /** For search engines; a page without one says nothing. */
  readonly description?: string;
  /** The path of the entry of the menu where the page is. */
  readonly here?: string;
  readonly status?: number;
  /** True for a page of one visitor alone, and for one that says that something is not there. */
  readonly isPrivate?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The published collections that stand below no other. */
export async function menuOf({ asker }: ShopVisit): Promise<readonly Collection[]> {
  const query = { limit: "50" };
  const { data } = await asker.list(collectionWire, "GET /v2/collections", { query });
  return data.filter(({ parent_id: parent }) => parent === null).slice(0, MENU_MAX);
}

/** The answer with the page. */
export async function shopResponse(visit: ShopVisit, page: ShopPage): Promise<Response> {
  const collections = await menuOf(visit);
  const { front, terms } = visit;
  const text = paperPage({
    shop: front,
    mode: terms.shop.mode,
    title: page.title,
    head: html`<meta name="robots" content="noindex" />
      ${page.description !== undefined && html`<meta name="description" content="${page.description}" />`}`,
    header: header(visit, collections, page.here),
    main: page.main,
    footer: footer(visit, collections),
  });
  return respond(visit, text, page);
}

function respond(
  { request, front, terms }: ShopVisit,
  text: string,
  { status = 200, isPrivate = status !== 200, headers: further = {} }: ShopPage,
): Response {
  const coding = chooseCoding(request.headers.get("accept-encoding"));
  const plain = `"${Bun.hash(text).toString(36)}"`;
  const etag = coding === null ? plain : codedTag(plain, coding);
  const headers: Record<string, string> = {
    "Content-Type": "text/html; charset=utf-8",
    // No Cross-Origin-Opener-Policy: two pages with the same one may read each other's windows, and the dashboard has it.
    "Content-Security-Policy": policyOf(request, front.brandColor, terms),
    // Browsers send `Origin: null` with forms of a page that has `no-referrer`.
    "Referrer-Policy": "same-origin",
    Vary: "Accept-Encoding",
    ...(isPrivate ? { "Cache-Control": "no-store" } : { "Cache-Control": KEPT, ETag: etag }),
    ...further,
  };
  if (!isPrivate && isUnchanged(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  if (coding === null) return new Response(text, { status, headers });
  const bytes = new Uint8Array(compressNow(text, coding));
  return new Response(bytes, { status, headers: { ...headers, "Content-Encoding": coding } });
}

/** Who builds a shop sees each change at once. */
const KEPT = "no-cache";

function policyOf(
  request: Request,
  color: string | null,
  { base, publicUrl }: ShopVisit["terms"],
): string {
  return paperPolicy(request, color, {
    publicUrl: publicUrl(),
    pictures: ["/test/pictures/", "/media/"],
    // Chromium judges where a form is redirected to, too.
    forms: [
      `${base}/cart/`,
      `${base}/cart`,
      `${base}/c`,
      `${base}/c/`,
      `${base}/search`,
      "/checkout/",
    ],
  });
}

function header(
  visit: ShopVisit,
  collections: readonly Collection[],
  here: string | undefined,
): Html {
  const { words, front } = visit;
  const link = (path: string, name: string) =>
    html`<a href="${visit.path(path)}" ${attribute("aria-current", path === here && "page")}
      >${name}</a
    >`;
  return html`<header class="top">
    <div class="wrap">
      <a class="shop" href="${visit.path("/")}"
        >${front.logoUrl !== null && html`<img src="${front.logoUrl}" alt="" />`}<span
          >${front.name}</span
        ></a
      >
      <nav class="ways" aria-label="${words.shop}">
        ${link("/c", words.all)} ${collections.map(({ slug, title }) => link(`/c/${slug}`, title))}
      </nav>
      <div class="acts">
        <a href="${visit.path("/search")}" aria-label="${words.search}">${icon("find")}</a>
        <a href="${visit.path("/cart")}" aria-label="${words.cart}">${icon("bag")}</a>
      </div>
    </div>
  </header>`;
}

function footer(visit: ShopVisit, collections: readonly Collection[]): Html {
  const { words, front } = visit;
  const { name, supportLine, contactEmail, contactPhone } = front;
  const isReached = contactEmail !== null || contactPhone !== null;
  return html`<footer class="foot">
    <div class="cloth"></div>
    <div class="wrap">
      <div>
        <p class="shop">${name}</p>
        ${supportLine !== null && html`<p class="soft">${supportLine}</p>`}
      </div>
      <div>
        <h2>${words.shop}</h2>
        <ul>
          <li><a href="${visit.path("/c")}">${words.all}</a></li>
          <li><a href="${visit.path("/search")}">${words.search}</a></li>
          <li><a href="${visit.path("/cart")}">${words.cart}</a></li>
        </ul>
      </div>
      ${
        collections.length > 0 &&
        html`<div>
          <h2>${words.collectionsHeading}</h2>
          <ul>
            ${collections.slice(0, 5).map(({ slug, title }) => html`<li><a href="${visit.path(`/c/${slug}`)}">${title}</a></li>`)}
          </ul>
        </div>`
      }
      ${
        isReached &&
        html`<div>
          <h2>${words.questions}</h2>
          <ul>
            ${contactPhone !== null && html`<li><a href="tel:${contactPhone}">${contactPhone}</a></li>`}
            ${contactEmail !== null && html`<li><a href="mailto:${contactEmail}">${contactEmail}</a></li>`}
          </ul>
        </div>`
      }
    </div>
  </footer>`;
}

export function searchForm(visit: ShopVisit, sought: string): Html {
  const { words } = visit;
  return html`<form class="seek" action="${visit.path("/search")}" role="search">
    <input
      type="search"
      name="q"
      value="${sought}"
      maxlength="200"
      required
      aria-label="${words.searchFor}"
      placeholder="${words.list.ask}"
    />
    <button class="go">${words.search}</button>
  </form>`;
}

// The frame of every page: the strip of cloth that tells live from test, the shop's name, and the ways to go.

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import { countOf } from "#dashboard/kit/parts/list.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { asset, MANIFEST, themes } from "./assets.ts";
import { icon, type IconName } from "./icons.ts";
import { rootOf, type Visit } from "./visit.ts";

interface Way {
  readonly path: string;
  readonly word: keyof typeof en.nav;
  readonly icon: IconName;
  /** The widths at which it is shown; everywhere by default. */
  readonly width?: "wide" | "narrow";
  /** The person needs any one of these. */
  readonly scopes: readonly string[];
  readonly isOwners?: boolean;
  readonly isTestOnly?: boolean;
}

const ways: readonly (Way | { readonly part: keyof typeof en.nav })[] = [
  { path: "", word: "home", icon: "home", scopes: ["store:read"] },
  { path: "/orders", word: "orders", icon: "orders", scopes: ["orders:read"] },
  { path: "/products", word: "products", icon: "goods", scopes: ["products:read"] },
  { path: "/stock", word: "stock", icon: "stock", scopes: ["inventory:read"] },
  {
    path: "/customers",
    word: "customers",
    icon: "customer",
    width: "wide",
    scopes: ["customers:read"],
  },
  { path: "/search", word: "search", icon: "find", width: "wide", scopes: ["store:read"] },
  { path: "/payments", word: "payments", icon: "card", width: "wide", scopes: ["payments:read"] },
  { path: "/cash-up", word: "cashUp", icon: "money", width: "wide", scopes: ["payments:read"] },
  { path: "/reports", word: "reports", icon: "chart", width: "wide", scopes: ["analytics:read"] },
  { part: "developers" },
  { path: "/keys", word: "keys", icon: "keys", width: "wide", scopes: ["keys:read"] },
  { path: "/webhooks", word: "webhooks", icon: "hooks", width: "wide", scopes: ["webhooks:read"] },
  { path: "/requests", word: "requests", icon: "calls", width: "wide", scopes: ["keys:read"] },
  { path: "/events", word: "events", icon: "feed", width: "wide", scopes: ["events:read"] },
  {
    path: "/sandbox",
    word: "sandbox",
    icon: "clock",
    width: "wide",
    scopes: ["sandbox:use"],
    isTestOnly: true,
  },
  { part: "shop" },
  { path: "/settings", word: "settings", icon: "gear", width: "wide", scopes: ["store:read"] },
  { path: "/people", word: "people", icon: "people", width: "wide", scopes: ["store:read"] },
  {
    path: "/settings/go-live",
    word: "goLive",
    icon: "ready",
    width: "wide",
    scopes: ["store:write"],
    isOwners: true,
  },
  { path: "/more", word: "more", icon: "more", width: "narrow", scopes: ["store:read"] },
];

/** The ways that only a wide screen shows, for the page that a phone has in their place. */
export function furtherWays(visit: Visit): Html {
  const further = ways.filter((way) => "path" in way).filter(({ width }) => width === "wide");
  return html`<ul class="rows">
    ${further
      .filter((way) => maySee(visit, way))
      .map(
        (way) =>
          html`<li>
            <a class="line" href="${visit.href(way.path)}"
              >${icon(way.icon)}<strong>${en.nav[way.word]}</strong>${icon("on")}</a
            >
          </li>`,
      )}
  </ul>`;
}

/** The whole document of a page. */
export function frame(
  visit: Visit,
  { title, body, follows, isAtWork = false }: PageContent,
): string {
  const { store, lastSequence } = visit;
  return documentOf({
    title: `${title} · ${store.name}`,
    look: visit.mode,
    isAtWork,
    body: html`<a class="skip" href="#main">${en.skip}</a>
      <div class="cloth"></div>
      <div class="frame">
        ${top(visit)}
        <nav class="nav" aria-label="Dashboard">
          <ul>
            ${ways.map((way) => ("part" in way ? partOf(way.part) : wayOf(visit, way)))}
          </ul>
        </nav>
        <main
          id="main"
          data-live="${follows ?? ""}"
          data-after="${lastSequence}"
          data-root="${rootOf(visit.mode)}"
        >
          ${body}
        </main>
      </div>
      <div id="gone" role="status" data-says="${en.gone}"></div>`,
  });
}

/** A page without a visitor: the ways in, and what is refused there. */
export function bareFrame(title: string, body: Html): string {
  return documentOf({
    title,
    look: "live",
    body: html`<div class="cloth"></div>
      <main>
        <h1>${title}</h1>
        ${body}
      </main>`,
    isBare: true,
  });
}

interface DocumentTerms {
  readonly title: string;
  readonly look: "live" | "test";
  readonly body: Html;
  readonly isBare?: boolean;
  readonly isAtWork?: boolean;
}

function documentOf({
  title,
  look,
  body,
  isBare = false,
  isAtWork = false,
}: DocumentTerms): string {
  return html`<!doctype html>
    <html lang="en" class="${look}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="${themes[look]}" />
        <meta name="robots" content="noindex" />
        ${isAtWork && html`<noscript><meta http-equiv="refresh" content="2" /></noscript>`}
        <title>${title}</title>
        <link rel="icon" href="${asset("icon.svg")}" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${asset("icon.png")}" />
        <link rel="manifest" href="${MANIFEST}" />
        <link rel="stylesheet" href="${asset("duka.css")}" />
        <script src="${asset("duka.js")}" type="module"></script>
      </head>
      <body ${attribute("class", isBare && "frameless")}>
        ${body}
      </body>
    </html>`.text;
}

function top(visit: Visit): Html {
  const { person } = visit.visitor;
  const { name } = visit.store;
  return html`<header class="top">
    <button class="shop" popovertarget="shop">
      <span>${name}</span>
      ${visit.mode === "test" && html`<span class="mode">${en.test}</span>`} ${icon("down")}
    </button>
    <a class="button bare find" href="${visit.href("/search")}" aria-label="${en.nav.search}"
      >${icon("find")}</a
    >
    <div id="shop" popover class="menu">
      ${visit.modes.includes("live") && html`<a href="${rootOf("live")}">${en.liveShop(name)}</a>`}
      ${visit.modes.includes("test") && html`<a href="${rootOf("test")}">${en.testShop}</a>`}
      <hr />
      <a href="${visit.href("/me")}">${person.name}, ${en.roles[person.role]}</a>
      <form method="post" action="/dashboard/leave"><button>${en.signOut}</button></form>
    </div>
  </header>`;
}

function partOf(word: keyof typeof en.nav): Html {
  return html`<li class="wide part">${en.nav[word]}</li>`;
}

function maySee(visit: Visit, { scopes, isOwners = false, isTestOnly = false }: Way): boolean {
  if (isTestOnly && visit.mode !== "test") return false;
  if (isOwners && visit.visitor.person.role !== "owner") return false;
  return scopes.some((scope) => visit.may(scope));
}

/** The way to the page that is shown, or to the page above it. */
function wayHere(visit: Visit): Way | undefined {
  const { pathname } = visit.url;
  const above = ways
    .filter((way) => "path" in way)
    .filter(({ path }) =>
      path === "" ? pathname === visit.href("") : `${pathname}/`.startsWith(`${visit.href(path)}/`),
    );
  return above.toSorted((one, other) => other.path.length - one.path.length)[0];
}

function wayOf(visit: Visit, way: Way): Html | null {
  if (!maySee(visit, way)) return null;
  const href = visit.href(way.path);
  const isHere = wayHere(visit) === way;
  return html`<li class="${way.width ?? "both"}">
    <a href="${href}" ${attribute("aria-current", isHere && "page")}
      >${icon(way.icon)}<span>${en.nav[way.word]}</span>${way.path === "/orders" && toPack(visit)}</a
    >
  </li>`;
}

/** How many orders are to be packed; nothing for none. */
function toPack({ waiting }: Visit): Html | null {
  if (waiting === null || waiting.to_pack.count === 0) return null;
  return html`<span class="count"
    >${countOf(waiting.to_pack)}<span class="unseen"> ${en.nav.toPack}</span></span
  >`;
}

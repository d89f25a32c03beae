// The pages of the manual: guides, the reference and its errors. One look, the dashboard's paper and ink; a way through
// all pages at the side, and a search. Invariant: no script, and nothing is loaded but pictures of this server.

import { htmlDocument, ownPaths, pagePolicy } from "./html-document.ts";
import { attribute, type Html, html } from "./html.ts";

/** The address of the search, which every page has. */
export const SEARCH_PATH = "/guides/search";
const PICTURES = "/guides/pictures/";

/** On a phone the way through the pages stands at the end; the bar at the top leads there. */
const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbf8f2, #131210);
  --sheet: light-dark(#fffdf9, #1d1b17);
  --sunk: light-dark(#f3eee3, #1b1916);
  --ink: light-dark(#1d1a15, #f1ece1);
  --soft: light-dark(#635c4f, #b5ad9c);
  --rule: light-dark(#e3dac8, #37332a);
  --edge: light-dark(#8b8271, #80786a);
  --go: light-dark(#0a5a3a, #57c894);
  --wash: light-dark(#e0efe4, #14291e);
  --wait: light-dark(#7a4c00, #f0bd5a);
  --stop: light-dark(#a12a1c, #ff9f8f);
  --sea: light-dark(#1d4f8a, #8ab8ff);
  --mono: ui-monospace, "SF Mono", "Roboto Mono", monospace;
  font: 1rem/1.6 system-ui, "Segoe UI", Roboto, sans-serif;
  text-size-adjust: 100%; scrollbar-color: var(--edge) transparent; scroll-padding-top: 7rem;
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word; }
body::before { content: ""; display: block; height: .25rem; background: repeating-linear-gradient(90deg, #0a5a3a 0 3.5rem, #e9a21b 0 5rem, #b8432b 0 6rem); }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; border-radius: .25rem; }
a { color: var(--go); text-underline-offset: .18em; text-decoration-thickness: 1px; text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); }
a:hover { text-decoration-color: currentColor; }
h1 { margin: 0 0 1rem; font-size: 1.875rem; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 3rem 0 .75rem; font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { margin: 2rem 0 .5rem; font-size: 1.0625rem; line-height: 1.4; }
p, ul, ol, pre, figure, .wide { margin: .875rem 0; }
ul, ol { padding-left: 1.25rem; }
li { margin: .3rem 0; }
code, pre { font: .875em/1.6 var(--mono); }
code { padding: .1em .3em; border-radius: .25rem; background: color-mix(in srgb, var(--ink) 7%, transparent); overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .875rem 1rem; border: 1px solid var(--rule); border-radius: .5rem; background: var(--sunk); }
pre code { padding: 0; background: none; font-size: .8125rem; overflow-wrap: normal; }
pre:has(.language-json), pre:has(.language-text) { margin-top: -.875rem; border-top: 0; border-radius: 0 0 .5rem .5rem; background: var(--sheet); }
pre:has(+ pre .language-json), pre:has(+ pre .language-text) { border-radius: .5rem .5rem 0 0; }
figure { border: 1px solid var(--rule); border-radius: .5rem; overflow: hidden; background: var(--sheet); }
figcaption { display: flex; justify-content: space-between; padding: .375rem .875rem; border-bottom: 1px solid var(--rule); font-size: .8125rem; color: var(--soft); }
figure pre { margin: 0; border: 0; border-radius: 0; background: none; white-space: pre-wrap; }
figure pre code { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem 1rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); overflow-wrap: normal; }
td { min-width: 6rem; }
th { font-size: .8125rem; color: var(--soft); white-space: nowrap; }
img { max-width: 100%; max-height: 34rem; width: auto; height: auto; border: 1px solid var(--rule); border-radius: .5rem; }
.soft { color: var(--soft); }
.bar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; padding: .625rem 1.25rem; border-bottom: 1px solid var(--rule); background: var(--paper); font-size: .9375rem; }
.bar a { color: var(--soft); text-decoration: none; }
.bar a:hover, .bar [aria-current] { color: var(--ink); }
.bar .home { color: var(--ink); font-weight: 700; font-size: 1.0625rem; letter-spacing: -.01em; }
.bar form { flex: 1 1 12rem; display: flex; margin: 0; }
input { width: 100%; min-height: 2.25rem; padding: .25rem .75rem; font: inherit; color: inherit; background: var(--sheet); border: 1px solid var(--edge); border-radius: .5rem; }
.side { padding: 1.5rem 1.25rem 3rem; border-top: 1px solid var(--rule); font-size: .9375rem; }
.side ul, .contents ul { margin: 0 0 1.5rem; padding: 0; list-style: none; }
.side li, .contents li { margin: 0; }
.side strong, .contents strong { display: block; margin: 0 0 .375rem; font-size: .8125rem; color: var(--soft); font-weight: 600; }
.side a, .contents a { display: block; padding: .25rem .625rem; margin-left: -.625rem; border-radius: .375rem; color: var(--ink); text-decoration: none; line-height: 1.4; }
.side a:hover, .contents a:hover { background: var(--sunk); }
.side [aria-current] { background: var(--wash); color: var(--go); font-weight: 600; }
.side ul ul { margin: .25rem 0 .5rem; padding-left: .75rem; border-left: 2px solid var(--rule); font-size: .875rem; }
.side ul ul a { color: var(--soft); }
main { padding: 1.75rem 1.25rem 4rem; min-width: 0; }
details.contents { margin: 1.25rem 0; padding: .5rem .875rem; border: 1px solid var(--rule); border-radius: .5rem; background: var(--sheet); font-size: .9375rem; }
details.contents summary { font-weight: 600; cursor: pointer; }
details.contents ul { margin: .5rem 0; }
aside.contents { display: none; font-size: .875rem; }
.onward { display: flex; flex-wrap: wrap; gap: .75rem; justify-content: space-between; margin-top: 3.5rem; padding-top: 1.25rem; border-top: 1px solid var(--rule); font-size: .9375rem; }
.onward a { text-decoration: none; }
.onward small { display: block; color: var(--soft); }
.onward .next { margin-left: auto; text-align: right; }
@media (min-width: 64rem) {
  :root { scroll-padding-top: 5rem; }
  body { display: grid; grid-template: auto auto 1fr / 17rem minmax(0, 1fr); }
  body::before, .bar { grid-column: 1 / -1; }
  .bar { padding-inline: 2rem; }
  .bar .menu { display: none; }
  .bar form { flex: 0 1 20rem; margin-left: auto; }
  .side { grid-area: 3 / 1; position: sticky; top: 3.6rem; height: calc(100vh - 3.6rem); overflow-y: auto; padding: 1.5rem 1rem 3rem 2rem; border: 0; border-right: 1px solid var(--rule); }
  main { grid-area: 3 / 2; padding: 2.5rem 3rem 5rem; }
  main.guide { max-width: 54rem; }
}
@media (min-width: 75rem) {
  main.guide { display: grid; grid-template-columns: minmax(0, 46rem) 13rem; gap: 0 3rem; max-width: none; justify-content: center; }
  details.contents { display: none; }
  aside.contents { display: block; position: sticky; top: 6rem; align-self: start; max-height: calc(100vh - 8rem); overflow-y: auto; }
  aside.contents a { color: var(--soft); }
}
`;

interface ManualPage {
  readonly title: string;
  /** The page of the bar to which this one belongs. */
  readonly part: keyof typeof parts | null;
  /** The way through the pages, at the side. */
  readonly side: Html;
  /** The content with its `<main>`. */
  readonly main: Html;
  /** Added to the common style; the policy of the page needs the same. */
  readonly style?: string;
  /** The words that were searched for. */
  readonly searched?: string;
}

const parts = {
  guides: { path: "/guides", name: "Guides" },
  reference: { path: "/docs", name: "API reference" },
  errors: { path: "/docs/errors", name: "Errors" },
} as const;

/** The whole page. */
export function manualPage(page: ManualPage): string {
  const { title, part, side, main, style = "", searched = "" } = page;
  const links = Object.entries(parts).map(
    ([name, { path, name: words }]) =>
      html`<a href="${path}" ${attribute("aria-current", name === part && "true")}>${words}</a>`,
  );
  return htmlDocument({
    title,
    style: STYLE + style,
    body: html`<header class="bar">
        <a class="home" href="/guides">Duka</a>
        ${links}
        <a class="menu" href="#pages">All pages</a>
        <form action="${SEARCH_PATH}" role="search">
          <input
            type="search"
            name="q"
            value="${searched}"
            maxlength="200"
            required
            placeholder="Search guides and errors"
            aria-label="Search guides and errors"
          />
        </form>
      </header>
      ${main}
      <nav class="side" id="pages" aria-label="All pages">${side}</nav>`,
  });
}

/** The policy under which such a page is whole: its style, pictures of the guides, and its search. */
export function manualPolicy(request: Request, publicUrl: string, style = ""): string {
  const own = (path: string) => ownPaths(request, { publicUrl, paths: [path] });
  return `${pagePolicy(STYLE + style, own(SEARCH_PATH))}; img-src ${own(PICTURES)}`;
}

/** A link to a page at the side, and what stands below it. */
export function sideLink(
  to: { readonly path: string; readonly name: string },
  { isCurrent = false, below }: { readonly isCurrent?: boolean; readonly below?: Html } = {},
): Html {
  return html`<li>
    <a href="${to.path}" ${attribute("aria-current", isCurrent && "page")}>${to.name}</a>${below}
  </li>`;
}

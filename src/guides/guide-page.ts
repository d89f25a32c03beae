// Guides as pages. Invariant: the text of a guide is never HTML, and its links lead to this server or
// to an http address; a page runs no script and loads nothing but pictures of this server.

import { htmlDocument, pagePolicy, READING_STYLE } from "#platform/html/html-document.ts";
import { type Html, html, trusted } from "#platform/html/html.ts";

import type { Guide } from "./guide.ts";

const STYLE = `${READING_STYLE}
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9375rem; }
nav strong { margin-right: auto; }
h1 { margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
p, ul, ol, pre, .wide { margin: .75rem 0; }
ul, ol { padding-left: 1.25rem; }
li { margin: .25rem 0; }
code { padding: .1em .3em; border-radius: .25rem; background: color-mix(in srgb, currentColor 8%, transparent); }
pre { overflow-x: auto; padding: .8rem 1rem; border-radius: .5rem; background: color-mix(in srgb, currentColor 6%, transparent); }
pre code { padding: 0; background: none; font-size: .8125rem; }
pre:has(.language-json), pre:has(.language-text) { margin-top: -.75rem; border-radius: 0 0 .5rem .5rem; border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
td { overflow-wrap: normal; min-width: 6rem; }
img { max-width: 100%; height: auto; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin: 0; }
footer { margin-top: 3rem; font-size: .9375rem; }
`;

/** The policy under which a guide is whole: its own style, and pictures of this server. */
export const GUIDE_POLICY = `${pagePolicy(STYLE)}; img-src 'self'`;

const NAVIGATION = html`<nav>
  <strong><a href="/guides">Duka guides</a></strong>
  <a href="/docs">API reference</a>
  <a href="/docs/errors">Errors</a>
</nav>`;

/** The list of all guides. */
export function renderIndex(guides: readonly Guide[]): string {
  const items = guides.map(
    ({ name, title, summary }) =>
      html`<dt><a href="/guides/${name}">${title}</a></dt>
        <dd>${inline(summary)}</dd>`,
  );
  return htmlDocument({
    title: "Duka guides",
    style: STYLE,
    body: html`${NAVIGATION}
      <main>
        <h1>Guides</h1>
        <dl>${items}</dl>
      </main>`,
  });
}

/** One guide, its lists filled in, with a way to its text. */
export function renderGuide({ name, title, text }: Guide): string {
  return htmlDocument({
    title: `${title} · Duka`,
    style: STYLE,
    body: html`${NAVIGATION}
      <main>${toHtml(text)}</main>
      <footer><a href="/guides/${name}.md">This guide as text</a></footer>`,
  });
}

/** A guide is written by us: what Markdown makes of it is HTML. */
function toHtml(markdown: string): Html {
  const text = Bun.markdown.html(markdown, {
    noHtmlBlocks: true,
    noHtmlSpans: true,
    headings: { ids: true },
  });
  const served = new HTMLRewriter()
    .on("a[href]", {
      element(link) {
        link.setAttribute("href", servedAddress(link.getAttribute("href") ?? ""));
      },
    })
    .on("img[src]", {
      element(picture) {
        picture.setAttribute("src", servedAddress(picture.getAttribute("src") ?? ""));
      },
    })
    .on("table", {
      element(wide) {
        wide.before('<div class="wide">', { html: true });
        wide.after("</div>", { html: true });
      },
    })
    .transform(text);
  return trusted(served);
}

/** Beside each other, guides name each other's files; served, they name their pages. */
function servedAddress(address: string): string {
  if (/^(?:#|\/(?!\/)|https?:\/\/)/.test(address)) return address;
  const guide = /^([a-z]+(?:-[a-z]+)*)\.md(#.*)?$/.exec(address);
  if (guide !== null) return `/guides/${guide[1]}${guide[2] ?? ""}`;
  if (/^pictures\/[a-z-]+\.webp$/.test(address)) return `/guides/${address}`;
  throw new Error(`A guide leads to ${address}, which is no guide and no web address.`);
}

/** The text of a paragraph, without the paragraph. */
function inline(markdown: string): Html {
  return trusted(toHtml(markdown).text.replaceAll(/<\/?p>\n?/g, ""));
}

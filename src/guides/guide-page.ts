// Guides as pages: the list of all, one guide, and what a search found. No page runs a script.

import { type Html, html, trusted } from "#platform/html/html.ts";
import { manualPage, sideLink } from "#platform/html/manual-page.ts";

import { type Guide, guides } from "./guide.ts";
import { inlineMarkdown, markdownHtml } from "./markdown.ts";
import type { Found } from "./search.ts";

/** A guide with fewer headings needs no list of them. */
const CONTENTS_MIN = 3;

export const GUIDE_STYLE = `
main.list { max-width: 68rem; }
.ways { display: grid; gap: 0 3rem; }
.ways h2 { margin-top: 1.5rem; }
.ways dl { margin: 0; }
.ways dt { margin-top: 1.125rem; font-weight: 600; }
.ways dt a { text-decoration: none; }
.ways dt a:hover { text-decoration: underline; }
.ways dd { margin: .125rem 0 0; font-size: .9375rem; color: var(--soft); }
main.found { max-width: 50rem; }
main.found ol { padding: 0; list-style: none; }
main.found li { padding: 1rem 0; border-top: 1px solid var(--rule); }
main.found li a { font-weight: 600; text-decoration: none; }
main.found li p { margin: .25rem 0 0; font-size: .9375rem; color: var(--soft); }
mark { background: light-dark(#fbe6ad, #4a3a10); color: inherit; border-radius: .2rem; }
@media (min-width: 64rem) { .ways { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
`;

/** The list of all guides, by their ways. */
export function renderIndex(): string {
  const columns = byWay().map(
    ([way, list]) =>
      html`<section>
        <h2>${way}</h2>
        <dl>
          ${list.map(
            ({ name, title, summary }) =>
              html`<dt><a href="/guides/${name}">${title}</a></dt>
                <dd>${inlineMarkdown(summary)}</dd>`,
          )}
        </dl>
      </section>`,
  );
  return guidePage({
    title: "Duka guides",
    main: html`<main class="list">
      <h1>Guides</h1>
      <div class="ways">${columns}</div>
    </main>`,
  });
}

/** One guide, its lists filled in, with its contents, the guides before and after it, and a way to its text. */
export function renderGuide({ name, title, text }: Guide): string {
  const content = markdownHtml(text);
  const list = contentsOf(content);
  const [introduction, rest] = beforeHeading(content);
  return guidePage({
    title: `${title} · Duka`,
    current: name,
    main: html`<main class="guide">
      <article>
        ${introduction}
        ${
          list !== null &&
          html`<details class="contents">
            <summary>On this page</summary>
            ${list}
          </details>`
        }
        ${rest} ${onward(name)}
        <p><a href="/guides/${name}.md">This guide as text</a></p>
      </article>
      ${list !== null && html`<aside class="contents"><strong>On this page</strong>${list}</aside>`}
    </main>`,
  });
}

/** The content before the first heading below the title, and the rest. */
function beforeHeading({ text }: Html): [Html, Html] {
  const at = text.indexOf("<h2 ");
  const end = at < 0 ? text.length : at;
  return [trusted(text.slice(0, end)), trusted(text.slice(end))];
}

/** The excerpts that were found for a question. */
export function renderFound(question: string, found: readonly Found[]): string {
  const items = found.map(
    ({ path, part, title, excerpt }) =>
      html`<li>
        <a href="${path}">${title}</a> <span class="soft">${part !== title && part}</span>
        <p>${excerpt}</p>
      </li>`,
  );
  return guidePage({
    title: `${question} · Duka`,
    searched: question,
    main: html`<main class="found">
      <h1>“${question}”</h1>
      ${
        found.length === 0
          ? html`<p>
              No guide and no error has all of these words. Try one of them, or its beginning.
            </p>`
          : html`<ol>
              ${items}
            </ol>`
      }
    </main>`,
  });
}

interface Content {
  readonly title: string;
  readonly main: Html;
  readonly current?: string;
  readonly searched?: string;
}

function guidePage({ current = "", ...page }: Content): string {
  const side = byWay().map(
    ([way, list]) =>
      html`<strong>${way}</strong>
        <ul>
          ${list.map(({ name, title }) =>
            sideLink({ path: `/guides/${name}`, name: title }, { isCurrent: name === current }),
          )}
        </ul>`,
  );
  return manualPage({ ...page, part: "guides", style: GUIDE_STYLE, side: html`${side}` });
}

function byWay(): [way: string, list: Guide[]][] {
  return [...Map.groupBy(guides, ({ way }) => way)];
}

/** The second headings of a guide; null where they are few. */
function contentsOf({ text }: Html): Html | null {
  const headings = [...text.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)];
  if (headings.length < CONTENTS_MIN) return null;
  return html`<ul>
    ${headings.map(
      ([, id = "", heading = ""]) =>
        html`<li><a href="#${id}">${trusted(heading.replaceAll(/<\/?a[^>]*>/g, ""))}</a></li>`,
    )}
  </ul>`;
}

function onward(name: string): Html | null {
  const at = guides.findIndex((one) => one.name === name);
  if (at < 0) return null;
  const [before, after] = [guides[at - 1], guides[at + 1]];
  return html`<nav class="onward" aria-label="Before and after">
    ${before && html`<a href="/guides/${before.name}"><small>Before</small>${before.title}</a>`}
    ${
      after &&
      html`<a class="next" href="/guides/${after.name}"><small>Next</small>${after.title}</a>`
    }
  </nav>`;
}

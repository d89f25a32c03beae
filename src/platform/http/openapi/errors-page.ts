// The error reference page. Invariant: each code is an anchor, so that the `type` of a problem
// document leads to its explanation. No scripts, no further requests.

import { STATUS_CODES } from "node:http";

import type { RefusalDefinition } from "#kernel/refusal.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";
import { manualPage, sideLink } from "#platform/html/manual-page.ts";
import { statusOfKind } from "#platform/http/contract/answer.ts";

import { exampleOf } from "./refused.ts";

export interface ErrorsPageTerms {
  /** The title of the API. */
  readonly title: string;
  readonly refusals: readonly RefusalDefinition[];
  /** The address of this page, for the `type` of the examples. */
  readonly errorsUrl: string;
}

export const ERRORS_STYLE = `
main.errors h2 { margin-top: 3.5rem; }
article { margin: 0 -1rem; padding: 1.5rem 1rem; border-top: 1px solid var(--rule); }
article:target { background: light-dark(#fbf1d8, #262012); }
article h3 { margin: 0 0 .5rem; }
article h3 a { font: 600 .9375rem/1.5 var(--mono); color: inherit; text-decoration: none; }
article h3 a:hover { text-decoration: underline; }
dl { margin: 1rem 0 0; }
dt { margin-top: .75rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
dd { margin: .125rem 0 0; }
.faults { margin: .5rem 0 0; padding: 0; list-style: none; font-size: .9375rem; }
.faults li { margin: 0; padding: .375rem 0; border-top: 1px solid var(--rule); }
.faults li > code:first-child { margin-right: .375rem; }
figure { margin: 1rem 0 0; }
.side ul ul { font: .8125rem/1.4 var(--mono); }
@media (min-width: 75rem) {
  article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2.5rem; align-items: start; }
  figure { position: sticky; top: 5rem; margin: 0; }
}
`;

/** The page, with codes grouped by status and sorted; texts are escaped. */
export function renderErrorsPage({ title, refusals, errorsUrl }: ErrorsPageTerms): string {
  const sorted = refusals.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const statuses = [...new Set(sorted.map(statusOf))].toSorted((a, b) => a - b);
  const groups = statuses.map((status) => ({
    status,
    list: sorted.filter((refusal) => statusOf(refusal) === status),
  }));
  const links = groups.map(({ status, list }) =>
    sideLink(
      { path: `#status-${status}`, name: nameOf(status) },
      {
        below: html`<ul>
          ${list.map(({ code }) => sideLink({ path: `#${code}`, name: code }))}
        </ul>`,
      },
    ),
  );
  const sections = groups.map(
    ({ status, list }) =>
      html`<h2 id="status-${status}">${nameOf(status)}</h2>
        ${list.map((one) => renderRefusal(one, errorsUrl))}`,
  );
  return manualPage({
    title: `Errors · ${title}`,
    part: "errors",
    style: ERRORS_STYLE,
    side: html`<ul>
      ${links}
    </ul>`,
    main: html`<main class="errors">
      <h1>Errors</h1>
      <p>
        Every error is a problem document (RFC 9457). Branch on <code>code</code>: it keeps its
        meaning and its status. Show <code>detail</code> to people, and quote
        <code>request_id</code> in support requests. <code>retryable</code> says whether the same
        request may succeed later. <code>errors</code> lists each fault with its own code and its
        place.
      </p>
      ${sections}
    </main>`,
  });
}

function statusOf({ kind }: RefusalDefinition): number {
  return statusOfKind[kind];
}

function nameOf(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`;
}

function renderRefusal(refusal: RefusalDefinition, errorsUrl: string): Html {
  const { code, title, explanation } = refusal;
  const { cause = "", remedy = "", faults = {} } = explanation ?? {};
  return html`<article id="${code}">
    <div>
      <h3><a href="#${code}">${code}</a></h3>
      <p>${withCode(title)}</p>
      <dl>
        <dt>Cause</dt>
        <dd>${withCode(cause)}</dd>
        <dt>What to do</dt>
        <dd>${withCode(remedy)}</dd>
        ${renderFaults(Object.entries(faults))}
      </dl>
    </div>
    ${renderExample(refusal, errorsUrl)}
  </article>`;
}

function renderFaults(faults: readonly (readonly [code: string, meaning: string])[]): Html | null {
  if (faults.length === 0) return null;
  const items = faults
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, meaning]) => html`<li><code>${code}</code>${withCode(meaning)}</li>`);
  return html`<dt>Codes in <code>errors</code></dt>
    <dd>
      <ul class="faults">
        ${items}
      </ul>
    </dd>`;
}

/** The response as the server would send it, indented. */
function renderExample(refusal: RefusalDefinition, errorsUrl: string): Html {
  const answer = exampleOf(refusal, errorsUrl);
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  const body: unknown = JSON.parse(answer.text);
  const text = [...headers, JSON.stringify(body, null, 2)].join("\n");
  return html`<figure>
    <figcaption><span>Example</span><span>${nameOf(answer.status)}</span></figcaption>
    <pre><code>${text}</code></pre>
  </figure>`;
}

/** Text with Markdown's code spans. */
function withCode(text: string): Hole {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

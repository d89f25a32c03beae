// The error reference page. Invariant: each code is an anchor, so that the `type` of a problem
// document leads to its explanation. No scripts, no further requests.

import { STATUS_CODES } from "node:http";

import type { RefusalDefinition } from "#kernel/refusal.ts";
import { pagePolicy } from "#platform/html/html-document.ts";
import { statusOfKind } from "#platform/http/contract/answer.ts";

import { REFERENCE_STYLE } from "./outline.ts";
import { exampleOf } from "./refused.ts";

export interface ErrorsPageTerms {
  /** The title of the API. */
  readonly title: string;
  readonly refusals: readonly RefusalDefinition[];
  /** The address of this page, for the `type` of the examples. */
  readonly errorsUrl: string;
}

export interface ErrorsPage {
  readonly html: string;
  /** A Content-Security-Policy that allows the page's own style only. */
  readonly policy: string;
}

const STYLE = `${REFERENCE_STYLE}
body { margin: 0; }
:root { color-scheme: light dark; scroll-padding-top: 1rem; }
.reference nav .codes, .reference nav .phrase { display: none; }
.reference hr { margin: .5rem 0; border: 0; border-top: 1px solid var(--line); }
.reference article { margin: 0 -1.25rem; padding: 1.5rem 1.25rem; border-top: 1px solid var(--line); }
.reference article:target { background: light-dark(#fff8e0, #241f10); }
.reference h3 { margin: 0 0 .75rem; font-size: 1rem; font-weight: 600; }
.reference h3 a { font: 600 .9375rem/1.5 "JetBrains Mono", ui-monospace, monospace; text-decoration: none; }
.reference h3 a:hover { text-decoration: underline; }
.reference h3 + p { margin-top: 0; }
.reference dl { margin: 1rem 0; }
.reference dt { margin-top: .75rem; font-size: .8125rem; font-weight: 600; color: var(--faint); }
.reference dd { margin: .125rem 0 0; }
.reference .faults { margin: .5rem 0 0; padding: 0; list-style: none; font-size: .875rem; }
.reference .faults li { padding: .375rem 0; border-top: 1px solid var(--line); }
.reference .faults li > code:first-child { margin-right: .375rem; white-space: nowrap; }
.reference figure { margin: 0; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; background: var(--ground); }
.reference figcaption { display: flex; justify-content: space-between; padding: .5rem .75rem; border-bottom: 1px solid var(--line); background: var(--raised); font-size: .8125rem; color: var(--faint); }
.reference figure pre { margin: 0; border: 0; border-radius: 0; background: none; white-space: pre-wrap; overflow-wrap: anywhere; }
.reference figure code { padding: 0; border: 0; background: none; font-size: .75rem; }
@media (min-width: 62.5rem) {
  .reference nav .phrase { display: inline; }
  .reference nav .codes { display: block; padding-left: .5rem; border-left: 1px solid var(--line); margin-left: .5rem; }
  .reference main { max-width: 80rem; padding-top: 4rem; }
  .reference article { margin: 0 -1.5rem; padding: 2rem 1.5rem; }
}
@media (min-width: 75rem) {
  .reference article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2.5rem; align-items: start; }
  .reference figure { position: sticky; top: 1rem; }
}
`;

/** The page, with codes grouped by status and sorted; texts are escaped. */
export function renderErrorsPage({ title, refusals, errorsUrl }: ErrorsPageTerms): ErrorsPage {
  const sorted = refusals.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const statuses = [...new Set(sorted.map(statusOf))].toSorted((a, b) => a - b);
  const groups = statuses.map((status) => ({
    status,
    list: sorted.filter((refusal) => statusOf(refusal) === status),
  }));
  const links = groups.map(
    ({ status, list }) =>
      `<li><a href="#status-${status}">${status} <span class="phrase">${phraseOf(status)}</span></a>\n<ul class="codes">${list.map(renderLink).join("\n")}</ul></li>`,
  );
  const sections = groups.map(
    ({ status, list }) =>
      `<section>\n<h2 id="status-${status}">${nameOf(status)}</h2>\n${list.map((one) => renderRefusal(one, errorsUrl)).join("\n")}\n</section>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · ${Bun.escapeHTML(title)}</title>
<style>${STYLE}</style>
</head>
<body class="reference">
<nav aria-label="Errors">
<ul><li><a href="/docs">API reference</a></li><li><a href="/guides">Guides</a></li><li><a href="/docs/errors" aria-current="page">Errors</a></li></ul>
<hr>
<ul>
${links.join("\n")}
</ul>
</nav>
<main>
<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457). Branch on <code>code</code>: it keeps its meaning and its status. Show <code>detail</code> to people, and quote <code>request_id</code> in support requests. <code>retryable</code> says whether the same request may succeed later. <code>errors</code> lists each fault with its own code and its place.</p>
${sections.join("\n")}
</main>
</body>
</html>
`;
  return { html, policy: pagePolicy(STYLE) };
}

function statusOf({ kind }: RefusalDefinition): number {
  return statusOfKind[kind];
}

function phraseOf(status: number): string {
  return STATUS_CODES[status] ?? "";
}

function nameOf(status: number): string {
  return `${status} ${phraseOf(status)}`;
}

function renderLink({ code }: RefusalDefinition): string {
  return `<li><a href="#${code}">${code}</a></li>`;
}

function renderRefusal(refusal: RefusalDefinition, errorsUrl: string): string {
  const { code, title, explanation } = refusal;
  const { cause = "", remedy = "", faults = {} } = explanation ?? {};
  return `<article id="${code}">
<div>
<h3><a href="#${code}">${code}</a></h3>
<p>${toHtml(title)}</p>
<dl>
<dt>Cause</dt><dd>${toHtml(cause)}</dd>
<dt>What to do</dt><dd>${toHtml(remedy)}</dd>${renderFaults(Object.entries(faults))}
</dl>
</div>
${renderExample(refusal, errorsUrl)}
</article>`;
}

function renderFaults(faults: readonly (readonly [code: string, meaning: string])[]): string {
  if (faults.length === 0) return "";
  const items = faults
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, meaning]) => `<li><code>${code}</code>${toHtml(meaning)}</li>`);
  return `\n<dt>Codes in <code>errors</code></dt><dd><ul class="faults">\n${items.join("\n")}\n</ul></dd>`;
}

/** The response as the server would send it, indented. */
function renderExample(refusal: RefusalDefinition, errorsUrl: string): string {
  const answer = exampleOf(refusal, errorsUrl);
  const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`);
  const body: unknown = JSON.parse(answer.text);
  const text = [...headers, JSON.stringify(body, null, 2)].join("\n");
  return `<figure><figcaption><span>Example</span><span>${nameOf(answer.status)}</span></figcaption><pre><code>${Bun.escapeHTML(text)}</code></pre></figure>`;
}

/** Text with Markdown's code spans. */
function toHtml(text: string): string {
  return Bun.escapeHTML(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

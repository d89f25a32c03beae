// The error reference page. Invariant: each code is an anchor, so that the `type` of a problem
// document leads to its explanation. No scripts, no further requests.

import type { RefusalDefinition } from "#kernel/refusal.ts";
import { pagePolicy } from "#platform/html/content-policy.ts";
import { READING_STYLE } from "#platform/html/reading-style.ts";
import { statusOfKind } from "#platform/http/answer.ts";

/** One code with its explanation. */
export interface ExplainedRefusal {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail?: string;
}

export interface ErrorsPage {
  readonly html: string;
  /** A Content-Security-Policy that allows the page's own style only. */
  readonly policy: string;
}

const STYLE = `${READING_STYLE}
body { padding-bottom: 50vh; }
h3 { font: 600 1rem ui-monospace, monospace; margin: 0; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
article { padding: 0.75rem 1rem; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
article:target { background: color-mix(in srgb, gold 25%, transparent); }
p { margin: 0.25rem 0 0; }
`;

/** The page, with codes grouped by status and sorted; texts are escaped. */
export function renderErrorsPage(title: string, refusals: readonly ExplainedRefusal[]): ErrorsPage {
  const sorted = refusals.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const statuses = [...new Set(sorted.map((refusal) => refusal.status))].toSorted((a, b) => a - b);
  const sections = statuses.map((status) => {
    const articles = sorted.filter((refusal) => refusal.status === status).map(renderRefusal);
    return `<section>\n<h2>${status}</h2>\n${articles.join("\n")}\n</section>`;
  });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · ${Bun.escapeHTML(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Errors</h1>
<p>Branch on <code>code</code>: it keeps its meaning and its status. <a href="/docs">All operations</a> · <a href="/guides">Guides</a></p>
${sections.join("\n")}
</body>
</html>
`;
  return { html, policy: pagePolicy(STYLE) };
}

function renderRefusal(refusal: ExplainedRefusal): string {
  const code = Bun.escapeHTML(refusal.code);
  const detail = refusal.detail === undefined ? "" : `\n<p>${Bun.escapeHTML(refusal.detail)}</p>`;
  return `<article id="${code}">
<h3><a href="#${code}">${code}</a></h3>
<p>${Bun.escapeHTML(refusal.title)}</p>${detail}
</article>`;
}

/** The refusals with their statuses. */
export function explained(refusals: readonly RefusalDefinition[]): ExplainedRefusal[] {
  return refusals.map(({ code, kind, title }) => ({ code, status: statusOfKind[kind], title }));
}

// Shows /docs before its script has run, which takes seconds, and without scripts: the guide and
// a list of all operations. Invariant: the script finds none of its own ids in it.

import { isObject } from "#kernel/assume.ts";

// How the reference looks before its script runs, and the error reference beside it: colors and
// measures of the script's own theme. Every rule stays inside `.reference`, because the script's page
// would inherit others.

export const REFERENCE_STYLE = `
.reference {
  color-scheme: light dark;
  --ground: light-dark(#fff, #0f0f0f);
  --raised: light-dark(#f6f6f6, #1a1a1a);
  --line: light-dark(#dfdfdf, #2d2d2d);
  --ink: light-dark(#1b1b1b, #e7e7e7);
  --faint: light-dark(#6b6b6b, #a4a4a4);
  --blue: light-dark(#0070b4, #4eb3ff);
  --green: light-dark(#057a52, #00b648);
  --orange: light-dark(#b84a00, #ff8d4d);
  --red: light-dark(#c8000a, #ff7b78);
  box-sizing: border-box; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 16px/1.625 Inter, ui-sans-serif, system-ui, sans-serif; overflow-wrap: break-word;
}
.reference *, .reference ::before { box-sizing: inherit; }
.reference a { color: inherit; text-underline-offset: .25em; text-decoration-color: var(--faint); }
.reference p, .reference ul, .reference pre { margin: 1rem 0; }
.reference h1 { margin: .25rem 0 1rem; font-size: 1.5rem; line-height: 1.3; font-weight: 600; }
.reference h2 { margin: 3.5rem 0 1rem; font-size: 1.25rem; line-height: 1.3; font-weight: 600; }
.reference code, .reference pre { font: .8125em/1.6 "JetBrains Mono", ui-monospace, monospace; }
.reference code { padding: .1em .3em; border: 1px solid var(--line); border-radius: .25rem; background: var(--raised); }
.reference pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
.reference pre code { padding: 0; border: 0; font-size: .8125rem; }
.reference nav { padding: 1rem .75rem; border-bottom: 1px solid var(--line); font-size: .875rem; }
.reference nav ul { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none; }
.reference nav a { display: block; padding: .3rem .5rem; border-radius: .25rem; color: var(--faint); text-decoration: none; }
.reference nav a:hover, .reference nav [aria-current] { color: var(--ink); background: var(--raised); }
.reference nav strong { display: block; padding: .3rem .5rem; font-weight: 600; }
.reference main { padding: 2rem 1.25rem 4rem; }
.reference .badges { display: flex; gap: .375rem; margin: 0; font-size: .8125rem; color: var(--faint); }
.reference .badges span { padding: 0 .5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--raised); }
.reference .faint { color: var(--faint); }
@media (min-width: 62.5rem) {
  .reference { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  .reference nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); }
  .reference nav ul { display: block; }
  .reference main { width: 100%; max-width: 56rem; padding: 5.5rem 3.75rem 50vh; }
}
`;

/** The part of the document that is shown. */
interface OutlinedDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly paths: Readonly<Record<string, object>>;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
}

const METHODS = new Set(["get", "post", "put", "delete"]);

/** Covers the empty page, until the script has rendered a heading of its own. */
const STYLE = `${REFERENCE_STYLE}
#outline { position: absolute; z-index: 1; inset: 0 0 auto; }
body:has([data-v-app] :is(h1, h2)) #outline { display: none; }
#outline .operations { padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .5rem; }
#outline .operations li + li { border-top: 1px solid var(--line); }
#outline .operations a { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0 .75rem; padding: .5rem 1rem; font-size: .875rem; text-decoration: none; }
#outline .operations a:hover { background: var(--raised); }
#outline .operations b { font: 600 .75rem/1.9 ui-monospace, monospace; }
#outline .operations code { grid-column: 2; padding: 0; border: 0; background: none; color: var(--faint); }
#outline .GET { color: var(--blue); }
#outline .POST { color: var(--green); }
#outline .PUT { color: var(--orange); }
#outline .DELETE { color: var(--red); }
@media (min-width: 62.5rem) {
  #outline .operations a { grid-template-columns: 4rem 1fr 1.4fr; }
  #outline .operations code { grid-column: auto; }
}
`;

/** Adds the outline to the page that loads the script, and lets the browser show it first. */
export function withOutline(page: string, document: OutlinedDocument): string {
  const [summary = ""] = document.info.description.trim().split("\n\n");
  return new HTMLRewriter()
    .on("html", { element: (html) => void html.setAttribute("lang", "en") })
    .on("meta[content][name$=description]", {
      element: (meta) => void meta.setAttribute("content", escape(summary)),
    })
    .on("head", { element: (head) => void head.append(style(), { html: true }) })
    .on("body", { element: (body) => void body.prepend(render(document), { html: true }) })
    .on("script[src]", { element: (script) => void script.setAttribute("defer", "") })
    .transform(page);
}

function style(): string {
  return `<style>${STYLE}</style>`;
}

function render(document: OutlinedDocument): string {
  const { title, version, description } = document.info;
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const links = tags.map((tag) => `<li><a href="#outline-${slug(tag)}">${escape(tag)}</a></li>`);
  const sections = tags.map((tag) => {
    const items = operations.filter((one) => one.tag === tag).map(renderOperation);
    return `<h2 id="outline-${slug(tag)}">${escape(tag)}</h2>\n<ul class="operations">\n${items.join("\n")}\n</ul>`;
  });
  return `<div id="outline" class="reference">
<nav aria-label="Operations"><ul>
${links.join("\n")}
</ul></nav>
<main>
<p class="badges"><span>v${escape(version)}</span><span>OpenAPI ${escape(document.openapi)}</span></p>
<h1>${escape(title)}</h1>
<p><a href="/openapi.json">Download OpenAPI Document</a></p>
<p class="faint">The interactive reference is loading; it needs JavaScript. These are its operations.</p>
${toHtml(description)}
${sections.join("\n")}
</main>
</div>
`;
}

function operationsOf(document: OutlinedDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]: [string, unknown]) => {
        const { summary, tags } = isObject(operation) ? operation : {};
        const [tag] = Array.isArray(tags) ? tags : [];
        return { method: method.toUpperCase(), path, summary: String(summary), tag: String(tag) };
      }),
  );
}

/** Links to the place of the operation in the script's page, once that is there. */
function renderOperation({ method, path, summary, tag }: Operation): string {
  const place = `#tag/${slug(tag)}/${method}${path}`;
  return `<li><a href="${escape(place)}"><b class="${method}">${method}</b><span>${escape(summary)}</span><code>${escape(path)}</code></a></li>`;
}

function slug(tag: string): string {
  return tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

function toHtml(markdown: string): string {
  return Bun.markdown.html(markdown, { noHtmlBlocks: true, noHtmlSpans: true });
}

function escape(text: string): string {
  return Bun.escapeHTML(text);
}

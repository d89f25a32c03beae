// The API reference as pages: a list of all operations, and a page per tag with fields, audience, refusals and examples.

import { type Hole, type Html, html } from "#platform/html/html.ts";
import { manualPage, sideLink } from "#platform/html/manual-page.ts";

import { inlineMarkdown, markdownHtml } from "../markdown.ts";
import { clientCall, curlCall } from "./example-calls.ts";
import { fieldItem, fieldList, type FieldTerms, typeOf } from "./field-list.ts";
import type { Described, NamedObject, Reference, Refused, Section } from "./read-reference.ts";

export const REFERENCE_STYLE = `
.verb { display: inline-block; min-width: 3.5rem; font: 700 .75rem/1.9 var(--mono); }
.GET { color: var(--sea); }
.POST { color: var(--go); }
.PUT { color: var(--wait); }
.DELETE { color: var(--stop); }
.operations { padding: 0; list-style: none; border: 1px solid var(--rule); border-radius: .5rem; background: var(--sheet); overflow: hidden; }
.operations li { margin: 0; }
.operations li + li { border-top: 1px solid var(--rule); }
.operations a { display: grid; grid-template-columns: 4rem minmax(0, 1fr); padding: .5rem .875rem; font-size: .9375rem; color: var(--ink); text-decoration: none; }
.operations a:hover { background: var(--sunk); }
.operations code { grid-column: 2; padding: 0; background: none; color: var(--soft); }
.operation, .object { padding-top: 2.5rem; margin-top: 2.5rem; border-top: 1px solid var(--rule); }
.operation h2, .object h2 { margin: 0 0 .5rem; }
.operation h2 a, .object h2 a { color: inherit; text-decoration: none; }
.operation h3 { margin: 1.5rem 0 .25rem; font-size: .8125rem; color: var(--soft); }
.call { margin: 0 0 .875rem; }
.call code { padding: 0; background: none; }
.mark { padding: .05rem .5rem; border: 1px solid var(--rule); border-radius: 1rem; background: var(--sunk); font: 400 .75rem/1.5 system-ui, sans-serif; color: var(--soft); white-space: nowrap; }
.mark.need { border-color: transparent; background: none; padding-inline: 0; color: var(--stop); }
.mark.public { border-color: transparent; background: var(--wash); color: var(--go); }
.fields, .refusals { margin: .25rem 0; padding: 0; list-style: none; font-size: .9375rem; }
.fields li, .refusals li { margin: 0; padding: .5rem 0; border-top: 1px solid var(--rule); }
.fields li:first-child, .refusals li:first-child { border-top: 0; }
.fields p { margin: .125rem 0 0; color: var(--soft); }
.fields .fields { margin: .5rem 0 0; padding-left: .875rem; border-left: 2px solid var(--rule); }
.fields .name { padding: 0; background: none; font-weight: 600; margin-right: .25rem; }
.type { font-size: .8125rem; color: var(--soft); }
.type code { padding: 0 .2em; }
.refusals li { display: flex; flex-wrap: wrap; gap: 0 .75rem; }
.refusals li > span:last-child { color: var(--soft); flex: 1 1 16rem; }
figure pre { max-height: 26rem; overflow: auto; }
main.reference > p, main.reference > ul.refusals { max-width: 46rem; }
@media (min-width: 48rem) {
  .operations a { grid-template-columns: 4rem minmax(0, 1fr) minmax(0, 1.1fr); gap: 0 .75rem; }
  .operations code { grid-column: auto; }
}
@media (min-width: 75rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: 0 2.5rem; align-items: start; }
  .object { max-width: 46rem; }
  .examples { position: sticky; top: 5rem; }
  main.reference { padding-inline: 2.5rem; }
}
`;

/** The longest text of an example that is shown whole: pictures as text are cut. */
const EXAMPLE_TEXT_MAX = 160;

/** The introduction, and every operation by its tag. */
export function renderReferenceIndex(reference: Reference): string {
  const { title, version, introduction, sections, common } = reference;
  const lists = sections.map(
    ({ tag, path, description, operations }) =>
      html`<h2><a href="${path}">${tag}</a></h2>
        <p class="soft">${description}</p>
        <ul class="operations">
          ${operations.map((one) => operationLink(path, one))}
        </ul>`,
  );
  return page(reference, null, {
    title: `${title} · API reference`,
    main: html`<h1>${title}</h1>
      <p>
        <span class="mark">v${version}</span> <a href="/openapi.json">OpenAPI document</a> ·
        <a href="/client.ts">typed client</a> ·
        <a href="/docs/try">send requests from the browser</a>
      </p>
      ${markdownHtml(introduction)} ${lists}
      <h2 id="any">What any operation may refuse with</h2>
      ${refusalList(common)}`,
  });
}

/** All operations of a tag, and the objects that are at home there. */
export function renderSection(reference: Reference, section: Section): string {
  const { tag, description, operations, objects } = section;
  return page(reference, section, {
    title: `${tag} · ${reference.title} API`,
    main: html`<h1>${tag}</h1>
      <p>${description}</p>
      <ul class="operations">
        ${operations.map((one) => operationLink("", one))}
      </ul>
      ${operations.map((one) => renderOperation(one, reference))}
      ${objects.map((one) => renderObject(one, reference))}`,
  });
}

interface Content {
  readonly title: string;
  readonly main: Html;
}

function page(reference: Reference, here: Section | null, { title, main }: Content): string {
  const links = reference.sections.map((section) =>
    sideLink(
      { path: section.path, name: section.tag },
      section === here ? { isCurrent: true, below: sectionLinks(section) } : {},
    ),
  );
  return manualPage({
    title,
    part: "reference",
    style: REFERENCE_STYLE,
    side: html`<ul>
        ${sideLink({ path: "/docs", name: "All operations" }, { isCurrent: here === null })}
        ${sideLink({ path: "/docs/try", name: "Send requests" })}
      </ul>
      <strong>Operations</strong>
      <ul>
        ${links}
      </ul>`,
    main: html`<main class="reference">${main}</main>`,
  });
}

function sectionLinks({ path, operations, objects }: Section): Html {
  const places = [
    ...operations.map(({ id, summary }) => ({ id, name: summary })),
    ...objects.map(({ name }) => ({ id: name, name })),
  ];
  return html`<ul>
    ${places.map(({ id, name }) => sideLink({ path: `${path}#${id}`, name }))}
  </ul>`;
}

function operationLink(path: string, { id, verb, summary, path: address }: Described): Html {
  return html`<li>
    <a href="${`${path}#${id}`}">${verbMark(verb)}<span>${summary}</span><code>${address}</code></a>
  </li>`;
}

function verbMark(verb: string): Html {
  const name = verb.toUpperCase();
  return html`<b class="verb ${name}">${name}</b>`;
}

function renderOperation(operation: Described, reference: Reference): Html {
  const { id, verb, path, summary, description, refusals } = operation;
  return html`<section class="operation" id="${id}">
    <div>
      <h2><a href="#${id}">${summary}</a></h2>
      <p class="call">${verbMark(verb)} <code>${path}</code></p>
      <p>
        ${
          operation.isPublic
            ? html`<span class="mark public">secret and publishable keys</span>`
            : html`<span class="mark">secret keys</span>`
        }
        ${operation.isDeprecated && html`<span class="mark">deprecated</span>`}
      </p>
      ${markdownHtml(description)} ${renderParameters(operation, reference)}
      ${renderBody(operation, reference)} ${renderAnswer(operation, reference)}
      <h3>Refusals</h3>
      ${refusalList(refusals)}
      <p class="soft">And <a href="/docs#any">those of any operation</a>.</p>
    </div>
    <div class="examples">${renderExamples(operation, reference)}</div>
  </section>`;
}

const places = { path: "Path", query: "Query", header: "Headers" } as const;

function renderParameters({ parameters }: Described, { homes }: Reference): Html[] {
  const terms = { homes, isSent: true };
  return Object.entries(places).flatMap(([place, heading]) => {
    const items = parameters
      .filter((one) => one["in"] === place)
      .map(({ name, required, description, schema }) =>
        fieldItem(
          String(name),
          { ...Object(schema), description },
          { marks: [required === true && html`<b class="mark need">required</b>`], terms },
        ),
      );
    return items.length === 0
      ? []
      : [
          html`<h3>${heading}</h3>
            <ul class="fields">
              ${items}
            </ul>`,
        ];
  });
}

function renderBody({ body, bodyFields }: Described, { homes }: Reference): Html | null {
  if (body === null) return null;
  const fields =
    bodyFields === null
      ? html`<p>The file itself.</p>`
      : fieldList(bodyFields, { homes, isSent: true });
  return html`<h3>Body</h3>
    ${fields ?? html`<p class="soft">No fields.</p>`}`;
}

function renderAnswer(operation: Described, reference: Reference): Html {
  const { status, answer } = operation;
  return html`<h3>Answer</h3>
    <p><code>${status}</code> ${answerWords(answer, reference)}</p>
    ${
      answer.item === null && answer.type?.schema !== null && answer.type !== null
        ? fieldList(answer.type.schema, { homes: reference.homes, isSent: false })
        : null
    }`;
}

function answerWords({ type, item }: Described["answer"], { homes }: Reference): Hole {
  if (type === null) return ["without a body"];
  if (item !== null) return ["a page of ", typeOf(item, { homes })];
  return [
    type.schema === null
      ? typeOf({ $ref: `#/components/schemas/${type.name}` }, { homes })
      : "an object",
  ];
}

function refusalList(refusals: readonly Refused[]): Html | null {
  if (refusals.length === 0) return null;
  const items = refusals.map(
    ({ status, code, title }) =>
      html`<li>
        <span>${status}</span> <a href="/docs/errors#${code}"><code>${code}</code></a>
        <span>${title}</span>
      </li>`,
  );
  return html`<ul class="refusals">
    ${items}
  </ul>`;
}

function renderExamples(operation: Described, { url }: Reference): Html[] {
  const { answerExample, status } = operation;
  return [
    figure("curl", curlCall(operation, url)),
    figure("typed client", clientCall(operation)),
    ...(answerExample === undefined ? [] : [figure(`answer ${status}`, shownJson(answerExample))]),
  ];
}

function figure(caption: string, text: string): Html {
  return html`<figure>
    <figcaption>${caption}</figcaption>
    <pre tabindex="0"><code>${text}</code></pre>
  </figure>`;
}

/** JSON as people read it, with what would be longer than a line cut short. */
function shownJson(example: unknown): string {
  return JSON.stringify(example, shortened, 2);
}

function shortened(_: string, value: unknown): unknown {
  return typeof value === "string" && value.length > EXAMPLE_TEXT_MAX
    ? `${value.slice(0, EXAMPLE_TEXT_MAX)}…`
    : value;
}

function renderObject({ name, schema, isSent }: NamedObject, { homes }: Reference): Html {
  const { description } = schema;
  const terms: FieldTerms = { homes, isSent };
  return html`<section class="object" id="${name}">
    <div>
      <h2><a href="#${name}">${name}</a></h2>
      ${typeof description === "string" && html`<p>${inlineMarkdown(description)}</p>`}
      ${fieldList(schema, terms) ?? html`<p class="type">${typeOf(schema, terms)}</p>`}
    </div>
  </section>`;
}

// One request: what was sent, what came back and why, and how it is sent again from a shell.

import type { Static } from "typebox";

import { objectOf } from "#dashboard/kit/asker.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";
import { wholeRequestWire } from "#shop/requests/schema.ts";

import { linesOfText } from "./events-page.ts";
import { curlOf, endMark, statusMark } from "./requests-page.ts";
import { subjectOf } from "./webhook-words.ts";

type WholeRequest = Static<(typeof wholeRequestWire)["schema"]>;

const { requests } = en;
/** Characters of an address that leads nowhere. */
const TITLE_MAX = 60;
/** Characters of a body that are shown. */
const SHOWN_MAX = 16_000;

export const requestPage: Page = {
  path: "/requests/{request_id}",
  scopes: ["keys:read"],
  show: async (visit) => {
    const request = await visit.ask(wholeRequestWire, "GET /v2/requests/{request_id}", {
      params: { request_id: visit.params["request_id"] ?? "" },
    });
    const { method, route, path } = request;
    const title = `${method} ${route ?? path?.slice(0, TITLE_MAX) ?? requests.unknownPath}`;
    return {
      title,
      body: html`${heading({ title, back: [visit.href("/requests"), requests.back] })}
        <section>
          <p>${statusMark(request)} ${endMark(request)}</p>
          ${request.is_replay && html`<p class="small soft">${requests.replay}</p>`}
        </section>
        <div class="two">
          <div class="stack">${faultsPart(request)} ${bodiesPart(visit, request)}</div>
          <aside>${factsOf(visit, request)}</aside>
        </div>
        ${curlPart(visit, request)}`,
    };
  },
};

/** The code of a refusal, and its faults: where each is, and what it is. */
function faultsPart({ response_body: text, code }: WholeRequest): Html | null {
  if (code === null) return null;
  const { detail = "", errors } = objectOf(text ?? "{}");
  const faults = Array.isArray(errors) ? errors.filter(isObject) : [];
  return html`<section>
    <h2>${requests.faults}</h2>
    <p>${String(detail)} <a href="/docs/errors#${code}">${requests.codeWhat(code)}</a></p>
    <ul class="rows">
      ${faults.map(
        (fault) =>
          html`<li class="lined">
            <div>
              <code>${placeOf(fault)}</code>
              <p class="small soft">${String(fault["detail"])}</p>
            </div>
            <code>${String(fault["code"])}</code>
          </li>`,
      )}
    </ul>
  </section>`;
}

function placeOf({ pointer, parameter, header }: Readonly<Record<string, unknown>>): string {
  const place = pointer ?? parameter ?? header;
  return typeof place === "string" ? place : "";
}

function factsOf(visit: Visit, request: WholeRequest): Html {
  const { at, key, path, route, duration_ms: ms, request_id: id, response_body: text } = request;
  const subject = subjectOf(objectOf(text || "{}"));
  const facts: readonly (readonly [string, Hole])[] = [
    [
      requests.about,
      subject !== null && html`<a href="${visit.href(subject.path)}">${subject.word}</a>`,
    ],
    [requests.address, path !== null && path !== route && html`<span class="mono">${path}</span>`],
    [requests.when, momentOf(at, visit.realWhen)],
    [requests.duration, requests.took(String(ms))],
    [
      requests.key,
      key === null
        ? requests.unknownKey
        : html`<a href="${visit.href(`/requests?key=${key.id}`)}">${key.name}</a>`,
    ],
    [requests.id, html`<span class="mono">${id}</span>`],
  ];
  return html`<section>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          value !== false &&
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`;
}

function bodiesPart(visit: Visit, request: WholeRequest): Html {
  const { request_body: sent, response_body: answered } = request;
  const why = whyNone(visit, request);
  if (sent === null && answered === null) return html`<p class="soft">${why}</p>`;
  return html`${bodyPart("sent", sent, why)} ${bodyPart("answered", answered, why)}`;
}

function bodyPart(which: "sent" | "answered", text: string | null, why: string): Html {
  const lines = text === null ? "" : linesOfText(text);
  return html`<section>
    <h2>${requests[which]}</h2>
    ${
      lines === ""
        ? html`<p class="soft">${text === null ? why : requests.emptyBody[which]}</p>`
        : html`<pre class="wire" tabindex="0">${lines.slice(0, SHOWN_MAX)}</pre>
            ${lines.length > SHOWN_MAX && html`<p class="small soft">${requests.cut}</p>`}`
    }
  </section>`;
}

function whyNone({ mode }: Visit, { key, path }: WholeRequest): string {
  if (key === null) return requests.unknownBody;
  if (mode === "live") return requests.liveBody;
  return path === null ? requests.notYours : requests.bodyNotKept;
}

/** The same request from a shell; nothing where its address is not told. */
function curlPart({ dashboardUrl }: Visit, request: WholeRequest): Html | null {
  const { method, path, request_body: body } = request;
  if (path === null) return null;
  const line = curlOf({ method, url: `${dashboardUrl}${path}`, body });
  return html`<section>
    <div class="day">
      <h2>curl</h2>
      <button type="button" data-copy="curl" data-done="${en.copied}">
        ${icon("copy")} ${requests.curl}
      </button>
    </div>
    <p class="small soft">${requests.curlWhat}</p>
    <pre class="wire" tabindex="0" id="curl">${line}</pre>
  </section>`;
}

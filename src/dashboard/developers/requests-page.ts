// The last requests of programs to this shop, newest first.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, type Tab, tabs } from "#dashboard/kit/parts/list.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import { dayOf, hourOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { requestsShape } from "#shop/requests/schema.ts";

// A request in words: how it ended, and what it was.

type SentRequest = Static<(typeof requestsShape)["schema"]>["data"][number];

const { requests } = en;

/** Its method and its path. */
function nameOf({ method, path, route }: SentRequest): string {
  return `${method} ${path ?? route ?? requests.unknownPath}`;
}

/** The status as it was sent. */
export function statusMark({ status }: SentRequest): Html {
  return html`<span class="code ${status < 400 ? "" : "bad"}">${status}</span>`;
}

/** How it ended: a mark and a word. */
export function endMark({ status }: SentRequest): Html {
  if (status >= 500) return mark("stop", requests.standing.failed);
  return status >= 400
    ? mark("stop", requests.standing.refused)
    : mark("done", requests.standing.done);
}

const LIMIT = "20";
const REFUSED = "400";

export const requestsPage: Page = {
  path: "/requests",
  scopes: ["keys:read"],
  show: async (visit) => {
    const keyId = visit.query("key");
    const isFailed = visit.query("show") === "failed";
    const before = visit.query("before");
    const { data, has_more: hasMore } = await visit.ask(requestsShape, "GET /v2/requests", {
      query: {
        limit: LIMIT,
        ...(isFailed ? { "status[gte]": REFUSED } : {}),
        ...(keyId === "" ? {} : { key_id: keyId }),
        ...(before === "" ? {} : { before }),
      },
    });
    const oldest = data.at(-1)?.sequence ?? 0;
    const act = html`<a class="button" href="${addressOf(visit, {})}">${requests.again}</a>`;
    return {
      title: requests.title,
      body: html`${heading({ title: requests.title, act })}
        <p class="soft">${requests.what} ${requests.kept}</p>
        <section class="list">
          ${tabs(requests.title, tabsOf(visit))} ${keyPart(visit, data)}
          ${data.length === 0 ? emptyPart(visit) : rowsOf(visit, data)}
          ${hasMore && html`<p><a class="button" rel="next" href="${addressOf(visit, { before: String(oldest) })}">${en.showOlder}</a></p>`}
        </section>`,
    };
  },
};

/** The address of the page with what it shows now, but for what is given. */
function addressOf({ url, page }: Visit, given: Readonly<Record<string, string>>): string {
  const { show = "", key = "" } = Object.fromEntries(url.searchParams);
  const query = Object.entries({ show, key, ...given }).filter(([, value]) => value !== "");
  return query.length === 0 ? page : `${page}?${new URLSearchParams(query).toString()}`;
}

function tabsOf(visit: Visit): Tab[] {
  const shown = visit.query("show") === "failed" ? "failed" : "";
  return [
    { href: addressOf(visit, { show: "" }), word: requests.all, isHere: shown === "" },
    { href: addressOf(visit, { show: "failed" }), word: requests.failed, isHere: shown !== "" },
  ];
}

/** The way back from the requests of one key to all. */
function keyPart(visit: Visit, [first]: readonly SentRequest[]): Html | null {
  const id = visit.query("key");
  if (id === "") return null;
  return html`<p class="small">
    ${requests.ofKey(first?.key?.name ?? id)} ·
    <a href="${addressOf(visit, { key: "" })}">${requests.allKeys}</a>
  </p>`;
}

function emptyPart(visit: Visit): Html {
  if (visit.query("show") === "failed") return html`<p class="soft">${requests.emptyFailed}</p>`;
  if (visit.query("key") !== "") return html`<p class="soft">${requests.emptyKey}</p>`;
  const line = curlOf({ method: "GET", url: `${visit.dashboardUrl}/v2/store`, body: null });
  return emptyList(
    requests.empty,
    requests.emptyWhat,
    html`<pre class="wire" tabindex="0">${line}</pre>`,
  );
}

function rowsOf(visit: Visit, data: readonly SentRequest[]): Html {
  const days = Map.groupBy(data, ({ at }) => dayOf(at, visit.realWhen));
  return html`<ol class="rows calls">
    ${[...days].map(
      ([day, of]) =>
        html`<li class="day"><h2>${day}</h2></li>
          ${of.map((request) => rowOf(visit, request))}`,
    )}
  </ol>`;
}

function rowOf(visit: Visit, request: SentRequest): Html {
  const { at, key, code, duration_ms: ms } = request;
  const facts = [code, key?.name ?? requests.unknownKey, requests.took(String(ms))];
  return html`<li>
    <a class="row" href="${visit.href(`/requests/${request.request_id}`)}"
      ><span class="name"><code>${nameOf(request)}</code></span
      ><span class="sum">${statusMark(request)}</span
      ><span class="what"
        >${endMark(request)}
        ${facts.filter((fact) => fact !== null).map((fact) => html`· ${fact} `)}</span
      ><span class="when">${hourOf(at, visit.when.zone)}</span></a
    >
  </li>`;
}

// A request as a command line of curl, which a shell reads as it was sent.

interface CurlTerms {
  readonly method: string;
  readonly url: string;
  /** Null or empty for none. */
  readonly body: string | null;
}

/** The command. The key is a variable of the shell, so that no command line that is passed on has one. */
export function curlOf({ method, url, body }: CurlTerms): string {
  return [
    // Brackets, as in created_at[gte], would be a range of addresses.
    `curl${/[[\]{}]/.test(url) ? " --globoff" : ""}${methodOf(method)} ${quoted(url)}`,
    `-H "Authorization: Bearer $KEY"`,
    ...(body === null || body === ""
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}

function methodOf(method: string): string {
  if (method === "GET") return "";
  return method === "HEAD" ? " --head" : ` -X ${method}`;
}

/** In single quotes a shell reads every character as it is, except a single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

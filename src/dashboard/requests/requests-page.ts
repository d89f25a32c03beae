// The last requests of programs to this shop, newest first.

import { type Html, html } from "#platform/html/html.ts";
import { requestsShape } from "#shop/requests/schema.ts";

import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { emptyList } from "../parts/list.ts";
import { type Tab, tabs } from "../parts/search-box.ts";
import { dayOf, hourOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { curlOf } from "./curl.ts";
import { endMark, nameOf, type SentRequest, statusMark } from "./request-words.ts";

const { requests } = en;
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

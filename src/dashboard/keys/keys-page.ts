// API keys: which programs may do what, and how a key is used.

import { type Html, html } from "#platform/html/html.ts";
import { apiKeyWire } from "#shop/keys/schema.ts";

import type { Page } from "../page.ts";
import { goLink, heading } from "../parts/heading.ts";
import { emptyList, olderLink } from "../parts/list.ts";
import { doneNote } from "../parts/note.ts";
import { shortDayOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { endOf, isInForce, type Key, lastUsedOf, makersOf, mayOf } from "./key-words.ts";

const { keys } = en;
const LIMIT = "20";

export const keysPage: Page = {
  path: "/keys",
  scopes: ["keys:read"],
  show: async (visit) => {
    const query = { limit: LIMIT, ...(visit.query("cursor") && { cursor: visit.query("cursor") }) };
    const found = await visit.list(apiKeyWire, "GET /v2/keys", { query });
    const makerOf = await makersOf(visit, found.data);
    const many = `${found.data.length}${found.has_more ? "+" : ""}`;
    const act = visit.may("keys:write") && goLink(visit.href("/keys/new"), keys.add);
    return {
      title: keys.title,
      body: html`${heading({ title: keys.title, act })} ${doneNote(visit)}
      ${
        found.data.length === 0
          ? emptyList(keys.empty, keys.what)
          : html`<p class="soft">${keys.what}</p>
              <section>
                <div class="day">
                  <h2>${keys.count(many, visit.mode === "live")}</h2>
                  <a class="small" href="#how">${keys.how}</a>
                </div>
                <ol class="rows keys">
                  ${found.data.map((key) => rowOf(visit, key, makerOf(key)))}
                </ol>
                ${olderLink(visit, found)}
              </section>`
      }
      ${howPart(visit)}`,
    };
  },
};

function rowOf(visit: Visit, key: Key, maker: string): Html {
  const when = visit.realWhen;
  const used = lastUsedOf(key, when);
  const end = endOf(key, when);
  return html`<li>
    <a class="row" href="${visit.href(`/keys/${key.id}`)}"
      ><span class="name">${key.name}</span
      ><span class="what">${keys.kinds[key.kind]} · ${mayOf(key.scopes)}</span
      ><span class="marks"
        ><span class="mono soft">${key.display}</span>
        ${end !== null && html`<span class="state ${isInForce(key, when) ? "wait" : "off"}">${end}</span>`}</span
      ><span class="when">${keys.by(maker, shortDayOf(key.created_at, when))}</span
      ><span class="sum small"
        >${used === null ? html`<span class="soft">${keys.neverUsed}</span>` : keys.used(used)}</span
      ></a
    >
  </li>`;
}

/** One request that answers something to a key that may read, and the way to all others. */
function howPart({ mode, dashboardUrl }: Visit): Html {
  const line = `curl ${dashboardUrl}/v2/products \\\n  -H "Authorization: Bearer ${mode}_sk_…"`;
  return html`<section id="how">
    <h2>${keys.how}</h2>
    <p class="soft">${keys.howWhat}</p>
    <pre class="wire" tabindex="0">${line}</pre>
    <p class="soft">${keys.howMore} <a href="/docs">${keys.reference}</a></p>
  </section>`;
}

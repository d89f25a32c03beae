// API keys: which programs may do what, and how a key is used.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote } from "#dashboard/kit/parts/note.ts";
import { unpaidPagesNote } from "#dashboard/kit/parts/order-words.ts";
import { nearOf, type Now, shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { apiKeyWire } from "#shop/keys/schema.ts";
import { findPersonNames } from "#shop/people/lookups.ts";

// An API key in a shopkeeper's words: what it may do, until when, by whom it was made.

export type Key = Static<(typeof apiKeyWire)["schema"]>;

const { keys } = en;
const presetWords: Readonly<Record<string, string>> = keys.presets;
const nounWords: Readonly<Record<string, string>> = keys.nouns;
const actWords: Readonly<Record<string, string>> = keys.acts;

/** The rights that the grants give: `Orders: see, change · Stock: see`. */
export function mayOf(scopes: readonly string[]): string {
  const presets = scopes.flatMap((scope) => presetWords[scope] ?? []);
  const byNoun = Map.groupBy(
    scopes.filter((scope) => scope.includes(":")),
    nounOf,
  );
  const nouns = [...byNoun].map(
    ([noun, of]) => `${nounWords[noun] ?? noun}: ${of.map(actWordOf).join(", ")}`,
  );
  return [...presets, ...nouns].join(" · ");
}

/** `orders` of `orders:read`. */
export function nounOf(scope: string): string {
  return scope.split(":")[0] ?? "";
}

/** `see` of `orders:read`. */
export function actWordOf(scope: string): string {
  const act = scope.split(":")[1] ?? "";
  return actWords[act] ?? act;
}

/** Returns true if the key still opens something, in real time. */
export function isInForce(key: Key, { now }: Now): boolean {
  return key.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > now);
}

/** When the key ends or ended; null if it does not. */
export function endOf(key: Key, when: Now): string | null {
  if (key.revoked_at !== null) return keys.revoked(shortDayOf(key.revoked_at, when));
  if (key.expires_at === null) return null;
  // The end is the first instant of the day after.
  const day = shortDayOf(Date.parse(key.expires_at) - 1, when);
  return isInForce(key, when) ? keys.until(day) : keys.expired(day);
}

/** `14:05` today, or the day; null if it was never used. */
export function lastUsedOf({ last_used_at: at }: Key, when: Now): string | null {
  return at === null ? null : nearOf(at, when);
}

/** The names of who made each of the keys. */
export async function makersOf(
  { people }: Visit,
  keysShown: readonly Key[],
): Promise<(key: Key) => string> {
  const ids = keysShown.flatMap(({ created_by: maker }) =>
    maker?.type === "person" && maker.id !== null ? [maker.id] : [],
  );
  const names = await findPersonNames(people.database.read, ids);
  return ({ created_by: maker }) => {
    if (maker === null) return keys.makers.system;
    const keyName = keysShown.find(({ id }) => id === maker.id)?.name;
    return names.get(maker.id ?? "") ?? keyName ?? keys.makers[maker.type];
  };
}

const LIMIT = "20";

export const keysPage: Page = {
  path: "/keys",
  scopes: ["keys:read"],
  show: async (visit) => {
    const query = { limit: LIMIT, ...(visit.query("cursor") && { cursor: visit.query("cursor") }) };
    const found = await visit.list(apiKeyWire, "GET /v2/keys", { query });
    const makerOf = await makersOf(visit, found.data);
    const many = `${found.data.length}${found.has_more ? "+" : ""}`;
    const isPublic = found.data.some(
      (key) => key.kind === "publishable" && isInForce(key, visit.realWhen),
    );
    const note = isPublic && visit.mode === "live" && (await unpaidPagesNote(visit));
    const act = visit.may("keys:write") && goLink(visit.href("/keys/new"), keys.add);
    return {
      title: keys.title,
      body: html`${heading({ title: keys.title, act })} ${doneNote(visit)} ${note}
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

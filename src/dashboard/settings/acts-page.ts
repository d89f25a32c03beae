// Who came and went: sign-ins and the like, newest first. It is in the live shop, whichever is looked at.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { byDay, emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { hourOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import { auditEntryWire } from "#shop/entries/schema.ts";
import { findPersonNames } from "#shop/people/lookups.ts";

type Entry = Static<(typeof auditEntryWire)["schema"]>;

const { people } = en;
const words: Readonly<Record<string, (who: string, whom: string, times: number) => string>> =
  people.actWords;
/** Rows of a page, and how many pages of the whole log are read for them at most. */
const ROWS = 20;
const READS_MAX = 5;

export const actsPage: Page = {
  path: "/people/acts",
  scopes: ["audit:read"],
  isOwners: true,
  show: async (visit) => {
    const found = await actsFrom(visit);
    const names = await findPersonNames(
      visit.people.database.read,
      found.data.flatMap(({ subject }) => (subject?.type === "person" ? [subject.id] : [])),
    );
    const when = visit.realWhen;
    const row = (act: Entry): Html =>
      html`<li>
        <time>${hourOf(act.created_at, when.zone)}</time><span>${sentenceOf(act, names)}</span>
      </li>`;
    return {
      title: people.acts,
      body: html`${heading({ title: people.acts, back: [visit.href("/people"), people.back] })}
        <p class="soft">${people.actsWhat}</p>
        ${
          found.data.length === 0
            ? emptyList(people.noActs, people.actsWhat)
            : html`<ol class="story">
                ${byDay(found.data, when, row)}
              </ol>`
        }
        ${olderLink(visit, found)}`,
    };
  },
};

/** The log has other entries between: it is read until a page is full. */
async function actsFrom(visit: Visit) {
  const live = visit.inLive();
  const data: Entry[] = [];
  let cursor = visit.query("cursor");
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const query = { limit: "100", ...(cursor === "" ? {} : { cursor }) };
    const page = await live.list(auditEntryWire, "GET /v2/audit", { query });
    data.push(...page.data.filter(({ action }) => Object.hasOwn(words, action)));
    cursor = page.next_cursor ?? "";
    if (cursor === "" || data.length >= ROWS) break;
  }
  return { data, has_more: cursor !== "", next_cursor: cursor === "" ? null : cursor };
}

function sentenceOf(entry: Entry, names: ReadonlyMap<string, string>): string {
  const { action, actor, subject, after } = entry;
  const whom = names.get(subject?.id ?? "") ?? "";
  // Failures are summed.
  const times = isObject(after) ? Number(after["failures"] ?? 1) : 1;
  return words[action]?.(actor.name ?? people.unknown, whom, times) ?? action;
}

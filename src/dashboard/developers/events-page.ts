// The log of events, newest first, each with what a program is told of it.

import type { Static } from "typebox";

import { readAnswer } from "#dashboard/kit/asker.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { assume } from "#kernel/assume.ts";
import type { feedShape } from "#messaging/events/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

type Feed = Static<(typeof feedShape)["schema"]>;

const words = en.events;
const PER_PAGE = 8;

interface ShownEvent {
  readonly sequence: number;
  readonly name: string;
  readonly createdAt: string;
  /** The whole event in lines, every digit as it is sent. */
  readonly text: string;
}

export const eventsPage: Page = {
  path: "/events",
  scopes: ["events:read"],
  show: async (visit) => {
    const before = beforeOf(visit);
    const found = await eventsBefore(visit, before);
    const oldest = found.at(-1)?.sequence ?? 0;
    return {
      title: en.nav.events,
      body: html`${heading({ title: en.nav.events })}
        <p class="soft">${words.what}</p>
        ${
          found.length === 0
            ? emptyList(words.empty, words.emptyWhat)
            : html`<div>${found.map((event) => eventPart(visit, event))}</div>`
        }
        ${oldest > 1 && html`<p><a class="button" rel="next" href="${visit.page}?before=${oldest}">${en.showOlder}</a></p>`}`,
    };
  },
};

/** The sequence before which events are shown; that after the newest by default. */
function beforeOf(visit: Visit): number {
  const asked = Number(visit.query("before"));
  return Number.isSafeInteger(asked) && asked > 0 ? asked : visit.lastSequence + 1;
}

/** The events of the page, newest first. Sequences have no gaps, so that those before one are found by counting. */
async function eventsBefore(visit: Visit, before: number): Promise<readonly ShownEvent[]> {
  const after = Math.max(0, before - 1 - PER_PAGE);
  const limit = before - 1 - after;
  if (limit === 0) return [];
  const query = { after: String(after), limit: String(limit) };
  const answer = await visit.send("GET /v2/events", { query });
  // The casts hold: the route wrote the answer by this shape.
  const { data } = assume<Feed>(readAnswer(answer));
  const exact = assume<{ readonly data: readonly unknown[] }>(readExactly(answer.text));
  return data
    .map(({ sequence, event: name, created_at: createdAt }, index) => ({
      sequence,
      name,
      createdAt,
      text: linesOf(exact.data[index]),
    }))
    .filter(({ sequence }) => sequence < before)
    .toReversed();
}

function eventPart(visit: Visit, { sequence, name, createdAt, text }: ShownEvent): Html {
  return html`<details>
    <summary>
      <span>${name}</span>
      <span class="soft small">${sequence} · ${momentOf(createdAt, visit.when)}</span>
    </summary>
    <pre class="wire" tabindex="0">${text}</pre>
  </details>`;
}

// JSON as a person reads it: in lines, with every digit as it was sent.

/** A value whose numbers print as they were written, such as `25.00` (ECMAScript, JSON.rawJSON). Throws if it is no JSON. */
function readExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, { source }) =>
    typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value,
  );
}

/** The value in lines. */
function linesOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** JSON in lines; another text as it is. */
export function linesOfText(text: string): string {
  try {
    return linesOf(readExactly(text));
  } catch {
    return text;
  }
}

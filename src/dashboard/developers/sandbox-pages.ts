// The tools of the test shop: its clock, what is due next, samples, its inbox of requests, its cards and phones, and
// what a reset of it deletes.

import type { Static } from "typebox";

import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import { agoOrDayOf, hourOf, momentOf, shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { inboxMessageWire } from "#sandbox/inbox/schema.ts";
import { clockSchema, timerSchema } from "#sandbox/schema.ts";
import { magicListSchema } from "#sandbox/simulated-gateway/magic-schema.ts";

import { linesOfText } from "./events-page.ts";

type Clock = Static<typeof clockSchema>;
type Timer = Static<typeof timerSchema>;

const words = en.sandbox;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const TIMERS_SHOWN = "5";

export const sandboxPage: Page = {
  path: "/sandbox",
  scopes: ["sandbox:use"],
  isTestOnly: true,
  show: async (visit) => {
    const clock = await visit.ask({ schema: clockSchema }, "GET /v2/test/clock");
    const timers = await visit.list({ schema: timerSchema }, "GET /v2/test/timers", {
      query: { limit: TIMERS_SHOWN },
    });
    return {
      title: words.title,
      body: html`${heading({ title: words.title })} ${doneNote(visit)}
        ${refusedNote(visit.submitted)}
        <div class="halves">
          <div class="stack">
            ${clockPart(visit, clock, timers.data[0])} ${duePart(visit, timers.data)}
          </div>
          <div class="stack">
            <ul class="rows">
              ${wayTo(visit, "inbox", [words.inbox, words.inboxWhat])}
              ${wayTo(visit, "cards", [words.cards, words.cardsWhat])}
            </ul>
            ${samplesPart(visit)}
          </div>
        </div>`,
    };
  },
  forms: {
    advance: { route: "POST /v2/test/clock/advance", doneMessage: "moved" },
    back: { route: "DELETE /v2/test/clock", doneMessage: "moved" },
    seed: { route: "POST /v2/test/seed", doneMessage: "seeded" },
  },
};

function clockPart(visit: Visit, { now, offset_seconds: ahead }: Clock, next?: Timer): Html {
  const untilNext = next === undefined ? 0 : Date.parse(next.due_at) - Date.parse(now);
  const seconds: readonly (readonly [string, number])[] = [
    [words.hour, HOUR_S],
    [words.day, DAY_S],
    ...(next === undefined
      ? []
      : [[words.next, Math.max(1, Math.ceil(untilNext / 1000))] as const]),
  ];
  return html`<section>
    <h2>${words.clock}</h2>
    <p><strong>${momentOf(now, visit.when)}</strong></p>
    <p class="soft">${ahead < 1 ? words.realTime : words.ahead(spanOf(ahead))}</p>
    <form class="acts" method="post" action="${visit.page}/advance">
      ${nonceField()}
      ${seconds.map(([word, value]) => html`<button name="/seconds" value="${value}">${word}</button>`)}
    </form>
    ${
      ahead >= 1 &&
      html`<form method="post" action="${visit.page}/back">
        ${nonceField()}<button class="quiet">${words.back}</button>
      </form>`
    }
    <p class="small soft">${words.clockWhat}</p>
  </section>`;
}

/** The span in its largest unit. */
function spanOf(seconds: number): string {
  if (seconds >= DAY_S) return words.days(Math.round(seconds / DAY_S));
  if (seconds >= HOUR_S) return words.hours(Math.round(seconds / HOUR_S));
  return words.minutes(Math.max(1, Math.round(seconds / 60)));
}

function duePart(visit: Visit, timers: readonly Timer[]): Html {
  return html`<section>
    <h2>${words.due}</h2>
    ${
      timers.length === 0
        ? html`<p class="soft">${words.dueNone}</p>`
        : html`<ol class="rows">
            ${timers.map(
              ({ name, subject, due_at: at }) =>
                html`<li class="lined">
                  <div>
                    <strong>${name}</strong>
                    <p class="mono small soft">${subject}</p>
                  </div>
                  <span>${shortDayOf(at, visit.when)}, ${hourOf(at, visit.store.timezone)}</span>
                </li>`,
            )}
          </ol>`
    }
  </section>`;
}

function wayTo(visit: Visit, step: string, [word, what]: readonly [string, string]): Html {
  return html`<li>
    <a class="line" href="${visit.page}/${step}"
      ><div>
        <strong>${word}</strong>
        <p class="small soft">${what}</p>
      </div>
      ${icon("on")}</a
    >
  </li>`;
}

function samplesPart(visit: Visit): Html {
  return html`<section>
    <h2>${words.samples}</h2>
    <p class="small soft">${words.samplesWhat}</p>
    <div class="acts">
      <form method="post" action="${visit.page}/seed">
        ${nonceField()}<button>${words.fill}</button>
      </form>
      <a class="button danger" href="${visit.page}/reset">${words.reset}</a>
    </div>
  </section>`;
}

// The cards and phones of test mode, each with the outcome that it stands for.

export const cardsPage: Page = {
  path: "/sandbox/cards",
  scopes: ["sandbox:use"],
  isTestOnly: true,
  show: async (visit) => {
    const magic = await visit.ask({ schema: magicListSchema }, "GET /v2/test/magic");
    return {
      title: words.cards,
      body: html`${heading({ title: words.cards, back: [visit.href("/sandbox"), words.title] })}
        <p class="soft">${words.cardsWhat}</p>
        <ul class="rows">
          ${magic.data.map(
            ({ value, meaning }) =>
              html`<li class="lined">
                <code>${value}</code>
                <span class="soft">${meaning}</span>
              </li>`,
          )}
        </ul>`,
    };
  },
};

// The page that says what a reset of the test shop deletes, before it does.

export const resetPage: Page = {
  path: "/sandbox/reset",
  scopes: ["sandbox:use"],
  isTestOnly: true,
  show: async (visit) => {
    const back = visit.href("/sandbox");
    return {
      title: words.reset,
      body: html`${heading({ title: words.reset, back: [back, words.title] })}
        ${refusedNote(visit.submitted)}
        <p class="narrow">${words.resetWhat}</p>
        <form method="post" action="${visit.page}/sure">
          ${nonceField()}
          <p class="acts">
            <button class="danger">${words.resetGo}</button>
            <a class="button quiet" href="${back}">${words.keep}</a>
          </p>
        </form>`,
    };
  },
  forms: {
    sure: {
      route: "POST /v2/test/reset",
      doneMessage: "emptied",
      needsConfirmation: true,
      redirectTo: () => "/sandbox",
    },
  },
};

// The inbox: each request with its body, and whether a webhook of the shop signed it.

type Message = Static<(typeof inboxMessageWire)["schema"]>;

export const inboxPage: Page = {
  path: "/sandbox/inbox",
  scopes: ["sandbox:use"],
  isTestOnly: true,
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = { limit: "10", ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(inboxMessageWire, "GET /v2/test/inbox", { query });
    const isEmpty = listed.data.length === 0;
    return {
      title: words.inbox,
      body: html`${heading({ title: words.inbox, back: [visit.href("/sandbox"), words.title], act: !isEmpty && emptyForm(visit) })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      ${
        isEmpty
          ? emptyList(words.inboxEmpty, words.inboxEmptyWhat(inboxUrl(visit)))
          : html`<div>${listed.data.map((message) => messagePart(visit, message))}</div>`
      }
      ${olderLink(visit, listed)}`,
    };
  },
  forms: { empty: { route: "DELETE /v2/test/inbox", doneMessage: "removed" } },
};

function inboxUrl({ url }: Visit): string {
  return `${url.origin}/hooks/test/inbox`;
}

function emptyForm(visit: Visit): Html {
  return html`<form method="post" action="${visit.page}/empty">
    ${nonceField()}<button>${words.empty}</button>
  </form>`;
}

function messagePart(visit: Visit, message: Message): Html {
  const { name, event, signature, received_at: at, headers, body } = message;
  // Emails to customers come here, too, and no webhook signs them.
  const { subject } = headers;
  const look = signature === "valid" ? "done" : signature === "unsigned" ? "off" : "stop";
  return html`<details>
    <summary>
      <span>${event ?? subject ?? words.unknownEvent}</span>
      <span class="soft small">${name} · ${agoOrDayOf(at, visit.when)}</span>
      ${subject === undefined && mark(look, words.signatures[signature])}
    </summary>
    <pre class="wire" tabindex="0">${linesOfText(body)}</pre>
    <dl class="facts">
      ${Object.entries(headers).map(
        ([header, value]) =>
          html`<dt>${header}</dt>
            <dd class="mono">${value}</dd>`,
      )}
    </dl>
  </details>`;
}

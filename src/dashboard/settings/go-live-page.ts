// Go live: what the live shop and its server lack before customers come, and what is as it should be.

import type { Static } from "typebox";

import { checklistWire } from "#checks/schema.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";

type Row = Static<(typeof checklistWire)["schema"]>["checks"][number];
type State = Row["state"];

const { checks: words, settings } = en;

const looks = { ok: "done", todo: "wait", fail: "stop", unknown: "off" } as const;

export const goLivePage: Page = {
  path: "/settings/go-live",
  scopes: ["store:write"],
  isOwners: true,
  show: async (visit) => {
    const rows = await rowsOf(visit);
    const of = (state: State) => rows.filter((row) => row.state === state);
    const blocking = of("todo").toSorted((one, other) => Number(other.blocks) - Number(one.blocks));
    const left = [partOf(words.broken, of("fail")), partOf(words.open, blocking)];
    return {
      title: words.title,
      body: html`${heading({ title: words.title, back: [visit.href("/settings"), settings.title] })}
        ${summary(rows)}
        <div class="halves">
          <div class="stack">
            ${left} ${of("fail").length + blocking.length === 0 && html`<p>${words.all}</p>`}
          </div>
          <div class="stack">
            ${partOf(words.unknown, of("unknown"))} ${partOf(words.ready, of("ok"))}
            <p class="small soft">${words.how}</p>
          </div>
        </div>`,
    };
  },
};

/** The rows of the live shop, also for the dashboard of the test shop; a sandbox has the test shop alone. */
async function rowsOf(visit: Visit): Promise<readonly Row[]> {
  const asker = visit.modes.includes("live") ? visit.inLive() : visit;
  const { checks } = await asker.ask(checklistWire, "GET /v2/checklist");
  return checks;
}

/** How many are done, and a strip with a thread for each. */
function summary(rows: readonly Row[]): Html {
  const count = (state: State) => rows.filter((row) => row.state === state).length;
  const told = [
    count("fail") > 0 ? words.failing(count("fail")) : null,
    count("todo") > 0 ? words.toDo(count("todo")) : null,
  ].filter((text) => text !== null);
  return html`<section class="takings" aria-label="${words.title}">
    <p class="sum">${count("ok")}<small>/${rows.length}</small></p>
    <p>
      ${words.summary}${told.length > 0 && html` <span class="soft">· ${told.join(" · ")}</span>`}
    </p>
    <div class="threads" aria-hidden="true">
      ${rows.map(({ state }) => html`<i class="${looks[state]}"></i>`)}
    </div>
  </section>`;
}

function partOf(title: string, rows: readonly Row[]): Html | null {
  if (rows.length === 0) return null;
  return html`<section>
    <h2>${title}</h2>
    <ul class="steps checks">
      ${rows.map(rowOf)}
    </ul>
  </section>`;
}

function rowOf({ check, state, found, do: remedy, href, blocks }: Row): Html {
  const name = words.names[check] ?? check;
  return html`<li>
    ${mark(looks[state], words.states[state])}
    <div>
      ${
        state === "ok"
          ? html`<strong>${name}</strong>`
          : html`<a href="${href}"><strong>${name}</strong></a>`
      }
      <p class="soft">
        ${withSettings(found)}${blocks && state !== "ok" && html` ${words.blocks}`}
      </p>
      ${remedy !== null && html`<p>${withSettings(remedy)}</p>`}
    </div>
  </li>`;
}

/** A sentence in which the names of settings stand out. */
function withSettings(sentence: string): Html[] {
  return sentence
    .split(/(DUKA_[A-Z_]+(?:=\w+)?)/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

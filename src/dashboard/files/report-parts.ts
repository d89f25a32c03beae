// The findings in a file: how many of what, what to note, and each fault at its cell.

import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import type { GroupedWarning, KeptReport, NounName } from "#imports/kept/kept-report.ts";
import { type Html, html } from "#platform/html/html.ts";

const words = en.imports;
/** The page shows so many; all that are kept are in the file. */
const FAULTS_SHOWN = 50;
const VALUE_SHOWN = 60;

const outcomes = ["create", "update", "unchanged", "skip", "refuse"] as const;

/** How many would be created or changed, or were. */
export function countsPart(noun: NounName, report: KeptReport): Html {
  const { applied, source, rows, currency } = report;
  const total = outcomes.reduce((sum, name) => sum + report.outcomes[name], 0);
  const says = applied ? words.were : words.willBe;
  const shown = outcomes.filter((name) => name !== "skip" || report.outcomes.skip > 0);
  return html`<section class="bill">
    ${source !== null && html`<h2>${words.found(total, noun, words.sources[source])}</h2>`}
    <p class="soft">${words.rows(rows)}. ${currency !== null && words.pricedIn(currency)}</p>
    <dl>
      ${shown.map(
        (name) =>
          html`<div>
            <dt>${says[name]}</dt>
            <dd>${report.outcomes[name]}</dd>
          </div>`,
      )}
      ${
        report.mended > 0 &&
        html`<div>
          <dt>${words.mended}</dt>
          <dd>${report.mended}</dd>
        </div>`
      }
    </dl>
  </section>`;
}

/** The values that are not taken over, or not as the file has it. */
export function warningsPart({ warnings }: KeptReport): Html | null {
  if (warnings.length === 0) return null;
  return html`<section class="note">
    <div>
      <h2>${words.notes}</h2>
      <ul>
        ${warnings.map((warning) => html`<li>${warning.detail} ${rowsOf(warning)}</li>`)}
      </ul>
    </div>
  </section>`;
}

function rowsOf({ rows, count }: GroupedWarning): string {
  const [first] = rows;
  if (first === undefined) return "";
  if (count === 1) return `(${words.ofRow(first)})`;
  return `(${words.ofRows(rows.join(", "), count - rows.length)})`;
}

/** The first faults, each with its cell, and a way to save them all. */
export function faultsPart(visit: Visit, noun: NounName, report: KeptReport): Html | null {
  const { faults, faultCount, applied } = report;
  if (faultCount === 0) return null;
  return html`<section class="stack">
    <h2>${words.faults(faultCount)}</h2>
    ${!applied && html`<p>${words.faultsWhat[noun]}</p>`}
    <form method="post" action="${visit.page}/report" data-file>
      <p class="acts">
        ${
          !applied &&
          html`<a class="button go" href="${visit.href(`/${noun}/import`)}">${words.another}</a>`
        }
        <button>${words.saveReport}</button>
      </p>
    </form>
    <dl class="facts">
      ${faults.slice(0, FAULTS_SHOWN).map(
        ({ row, column, value, detail }) =>
          html`<dt>
              ${[words.row(row), column].filter((part) => part !== null).join(" · ")}
              ${value !== null && value !== "" && html`· <code dir="auto">${value.slice(0, VALUE_SHOWN)}</code>`}
            </dt>
            <dd>${detail}</dd>`,
      )}
    </dl>
    ${faultCount > FAULTS_SHOWN && html`<p>${words.moreFaults(faultCount - FAULTS_SHOWN)}</p>`}
  </section>`;
}

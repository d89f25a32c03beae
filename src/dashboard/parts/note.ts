// What a page says about what was just done, or why it was not.

import { attribute, type Html, html } from "#platform/html/html.ts";

import type { Sent } from "../forms/sent.ts";
import { isOwnStep } from "../headers.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { idOf } from "./field.ts";

/**
 * The sentence of what was done before this page; null if nothing was. The address names it, so that it is believed
 * only of the dashboard's own pages.
 */
export function doneNote(visit: Visit): Html | null {
  const done = visit.query("done");
  const says = Object.entries(en.done).find(([name]) => name === done)?.[1];
  if (says === undefined || visit.sent !== null || !isOwnStep(visit.request)) return null;
  return html`<div class="note done" role="status"><span>${says}</span></div>`;
}

/** Why the form was refused, with ways to the fields; null if none was. `of` names the form if a page has several. */
export function refusedNote(sent: Sent | null, of: string | null = null): Html | null {
  if (sent === null || sent.status < 400 || (of !== null && sent.form !== of)) return null;
  const isStale = sent.status === 412;
  const placed = sent.faults.filter(({ field }) => field !== "");
  const elsewhere = sent.faults.filter(({ field }) => field === "");
  return html`<div class="note stop" role="alert" tabindex="-1" ${attribute("autofocus", true)}>
    <div>
      <p>${isStale ? en.stale : placed.length > 0 ? en.faultsFound : sent.detail || en.notSaved}</p>
      ${
        placed.length > 0 &&
        html`<ul>
          ${placed.map(({ field, message }) => html`<li><a href="#${idOf(field)}">${message}</a></li>`)}
        </ul>`
      }
      ${elsewhere.map(({ message }) => html`<p>${message}</p>`)}
    </div>
  </div>`;
}

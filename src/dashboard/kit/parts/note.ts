// The words of a page about what was just done, or why it was not.

import { AGAIN, type SubmittedForm, UNDO } from "#dashboard/kit/forms/submitted-form.ts";
import { openUndo } from "#dashboard/kit/forms/undo.ts";
import { isOwnStep } from "#dashboard/kit/headers.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Hole, type Html, html } from "#platform/html/html.ts";

import { idOf, nonceField } from "./field.ts";

/**
 * The sentence of what was done before this page, with the way back where there is one; null if nothing was. The
 * address names it, so that it is believed only of the dashboard's own pages. `next` is what may follow.
 */
export function doneNote(visit: Visit, next: Hole = null): Html | null {
  const done = visit.query("done");
  const says = Object.entries(en.done).find(([name]) => name === done)?.[1];
  if (says === undefined || visit.submitted !== null || !isOwnStep(visit.request)) return null;
  const look = done === "undelivered" ? "note" : "note done";
  return html`<div class="${look}" role="status">
    <span>${says}</span>${undoForm(visit)}${done === "already" && againLink(visit)}${next}
  </div>`;
}

/** The way to a form of its own for who did mean it twice. */
function againLink(visit: Visit): Html | null {
  const page = visit.query(AGAIN);
  if (!page.startsWith(`${visit.href("")}/`)) return null;
  return html`<a class="button" href="${page}">${en.again}</a>`;
}

/** The way back: the form that was sent takes what it replaced. */
function undoForm(visit: Visit): Html | null {
  const sealed = visit.query(UNDO);
  const undo = sealed === "" ? null : openUndo(visit, sealed);
  if (undo === null) return null;
  return html`<form method="post" action="${undo.form}">
    ${nonceField()}<input type="hidden" name="${UNDO}" value="${sealed}" />
    <button>${en.undo.act}</button>
  </form>`;
}

/** Why the form was refused, with ways to the fields; null if none was. `of` names the form if a page has several. */
export function refusedNote(
  submitted: SubmittedForm | null,
  of: string | null = null,
): Html | null {
  if (submitted === null || submitted.status < 400 || (of !== null && submitted.name !== of))
    return null;
  const placed = submitted.faults.filter(({ field }) => field !== "");
  const elsewhere = submitted.faults.filter(({ field }) => field === "");
  return html`<div class="note stop" role="alert" tabindex="-1" ${attribute("autofocus", true)}>
    <div>
      <p>${whyOf(submitted, placed.length > 0)}</p>
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

function whyOf(
  { status, isUndo, code, detail, faults }: SubmittedForm,
  hasFields: boolean,
): string {
  if (status === 412 && !isUndo) return en.stale;
  if (hasFields) return en.faultsFound;
  // The interface's own sentence only says that there are faults, which follow.
  const tellsNothing = code === "validation_failed" && faults.length > 0;
  return tellsNothing ? en.notSaved : detail || en.notSaved;
}

/** The element that names a field or a group of fields, beside the id by which the list of faults leads there. */
const CALLED =
  /<(?:label for|fieldset class="\w+" id)="(f-[^"]*)"[^>]*>\s*(?:<legend>|<span class="name">)?([^<]*)/g;

/** The page with the name of its field before each fault of the list: the sentences alone may be the same. */
export function withNamedFaults(page: string): string {
  const called = new Map([...page.matchAll(CALLED)].map(([, id, name = ""]) => [id, name.trim()]));
  return page.replaceAll(/<a href="#(f-[^"]*)">/g, (link, id: string) => {
    const name = called.get(id) ?? "";
    return name === "" ? link : `${link}${name}: `;
  });
}

// Why a file was not taken, or not worked on.

import { attribute, type Html, html } from "#platform/html/html.ts";

import type { SubmittedForm } from "../forms/submitted-form.ts";
import { refusedNote } from "../parts/note.ts";

/** What is wrong with the file itself as a sentence, anything else as every page says it; null if nothing is. */
export function importRefusal(submitted: SubmittedForm | null): Html | null {
  const fault = submitted?.faultOf("/file");
  if (fault === undefined) return refusedNote(submitted);
  return html`<div class="note stop" role="alert" tabindex="-1" ${attribute("autofocus", true)}>
    <p>${fault}</p>
  </div>`;
}

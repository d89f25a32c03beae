// A list that is typed entry by entry, so that an entry may have a comma.

import { type Html, html } from "#platform/html/html.ts";

import type { SubmittedForm } from "../forms/submitted-form.ts";
import { idOf } from "./field.ts";

const BLANK_ENTRIES = 2;

/** A list with its entries and blank ones; emptied, it is an empty list. */
export function entries(
  { name, submitted }: { readonly name: string; readonly submitted: SubmittedForm | null },
  [legend, values]: readonly [string, readonly string[]],
  entry: (name: string, value: string, index: number) => Html,
): Html {
  const shown = [...values, ...Array.from({ length: BLANK_ENTRIES }, () => "")];
  const fault = submitted?.faultOf(name);
  return html`<fieldset class="entries" id="${idOf(name)}">
    <legend>${legend}</legend>
    ${fault !== undefined && html`<p class="fault">${fault}</p>`}
    <input type="hidden" name="${name}/" value="[]" />
    ${shown.map((value, index) => entry(`${name}/${index}`, value, index))}
  </fieldset>`;
}

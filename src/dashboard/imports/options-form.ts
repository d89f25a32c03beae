// How a file is read and taken, where a person says so.

import type { KeptFile } from "#imports/kept/kept-file.ts";
import { sources } from "#imports/tables/read-file.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { choice } from "../parts/choice.ts";
import { checkbox, input, select } from "../parts/field.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const words = en.imports;

/** Checks the file anew, which changes nothing. */
export function optionsForm(visit: Visit, file: KeptFile, isOpen: boolean): Html {
  const submitted = visit.submitted?.name === "check" ? visit.submitted : null;
  const { noun, terms, run } = file;
  const options = [
    { value: "", label: words.fromColumns },
    ...sources.map((value) => ({ value, label: words.sources[value] })),
  ];
  const existing = submitted?.value("/existing") ?? terms.existing;
  return html`<details ${attribute("open", isOpen || submitted !== null)}>
    <summary>${words.options}</summary>
    <form class="stack" method="post" action="${visit.page}/check">
      <input type="hidden" name="run" value="${run}" />
      <fieldset class="choices" id="f-existing">
        <legend>${words.existing[noun]}</legend>
        ${choice({ name: "/existing", value: "update", chosen: existing, label: words.update, hint: words.updateHint })}
        ${choice({ name: "/existing", value: "skip", chosen: existing, label: words.skip })}
      </fieldset>
      ${select(submitted, { name: "/from", label: words.from, value: terms.from, options })}
      ${
        noun === "products" && [
          input(submitted, {
            name: "/currency",
            label: words.currency,
            value: terms.currency ?? visit.store.currency,
            hint: words.currencyHint,
          }),
          checkbox(submitted, {
            name: "/commas",
            label: words.commas,
            isChecked: terms.hasDecimalComma,
          }),
        ]
      }
      <p class="acts"><button>${words.checkAgain}</button></p>
    </form>
  </details>`;
}

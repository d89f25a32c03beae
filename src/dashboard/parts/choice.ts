// One of several to choose, with what it means.

import { attribute, type Html, html } from "#platform/html/html.ts";

interface ChoiceTerms {
  readonly name: string;
  readonly value: string;
  readonly chosen: string | null;
  readonly label: string;
  readonly hint?: string;
}

/** A choice that leaves out the others of its name. */
export function choice({ name, value, chosen, label, hint }: ChoiceTerms): Html {
  return html`<label class="tick"
    ><input
      type="radio"
      name="${name}"
      value="${value}"
      ${attribute("checked", value === chosen)}
    />
    <span>${label} ${hint !== undefined && html`<small class="soft">${hint}</small>`}</span></label
  >`;
}

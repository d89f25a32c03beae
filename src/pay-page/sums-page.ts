// The lists of amounts on pages for customers.

import { type Html, html } from "#platform/html/html.ts";

import type { SumLine } from "./sums.ts";

export const SUMS_STYLE = `
dl.sums div:last-child { font-size: 1.0625rem; font-weight: 700; }
dl.sums div:last-child dt { color: inherit; }
dl.sums dt { min-width: 0; overflow-wrap: anywhere; }
dl.sums dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.included { margin-top: .35rem; font-size: .875rem; color: var(--faint); text-align: right; }
`;

/** Renders names and amounts, of which the style marks the last; nothing without one. */
export function renderSums(sums: readonly SumLine[], style = ""): Html | null {
  if (sums.length === 0) return null;
  return html`<dl class="${`sums ${style}`.trimEnd()}">
    ${sums.map(
      ([name, amount]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${amount}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Renders the taxes that the total contains; nothing without one. */
export function renderIncluded(included: readonly string[]): readonly Html[] {
  return included.map((tax) => html`<p class="included">${tax}</p>`);
}

// The lists of amounts on pages for customers. Invariant: names that a merchant supplied are escaped.

import type { Sum } from "./sums.ts";

export const SUMS_STYLE = `
dl.sums div:last-child { font-size: 1.0625rem; font-weight: 700; }
dl.sums div:last-child dt { color: inherit; }
dl.sums dt { min-width: 0; overflow-wrap: anywhere; }
dl.sums dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.included { margin-top: .35rem; font-size: .875rem; color: var(--faint); text-align: right; }
`;

/** Renders names and amounts, of which the style marks the last; nothing without one. */
export function renderSums(sums: readonly Sum[], style = ""): string {
  if (sums.length === 0) return "";
  const rows = sums.map(
    ([name, amount]) =>
      `<div><dt>${Bun.escapeHTML(name)}</dt><dd>${Bun.escapeHTML(amount)}</dd></div>`,
  );
  return `<dl class="${`sums ${style}`.trimEnd()}">\n${rows.join("\n")}\n</dl>`;
}

/** Renders the taxes that the total contains; nothing without one. */
export function renderIncluded(included: readonly string[]): string {
  return included.map((tax) => `<p class="included">${Bun.escapeHTML(tax)}</p>`).join("\n");
}

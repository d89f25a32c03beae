// The tools above a list: the search, and tabs of which rows are shown.

import { icon } from "#dashboard/kit/icons.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { attribute, type Hole, type Html, html } from "#platform/html/html.ts";

interface SearchTerms {
  readonly placeholder: string;
  readonly keeps?: Readonly<Record<string, string>>;
  /** True if a person types into it at once. */
  readonly isFirst?: boolean;
}

/** A search that works without a script, too. `keeps` are further parameters of the query. */
export function searchBox(
  visit: Visit,
  { placeholder, keeps = {}, isFirst = false }: SearchTerms,
): Html {
  return html`<form class="search" role="search" action="${visit.page}">
    ${icon("find")}<input
      type="search"
      name="q"
      value="${visit.query("q")}"
      placeholder="${placeholder}"
      aria-label="${placeholder}"
      autocomplete="off"
      enterkeyhint="search"
      maxlength="200"
      ${attribute("autofocus", isFirst)}
    />${Object.entries(keeps).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}<kbd
      aria-hidden="true"
      >/</kbd
    >
  </form>`;
}

export interface Tab {
  readonly href: string;
  readonly word: Hole;
  readonly isHere: boolean;
}

export function tabs(label: string, of: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${of.map(({ href, word, isHere }) => html`<a href="${href}" ${attribute("aria-current", isHere && "page")}>${word}</a>`)}
  </nav>`;
}

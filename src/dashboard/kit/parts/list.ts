// Lists: the search and the tabs above one, rows by day, a way to older ones, and what an empty list says.

import type { Listed } from "#dashboard/kit/asker.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Hole, type Html, html } from "#platform/html/html.ts";

import { dayOf, type Now } from "./times.ts";

/** A list says what will be here, and the one thing to do. */
export function emptyList(title: string, what: string, act: Hole = null): Html {
  return html`<section class="empty">
    <h2>${title}</h2>
    <p>${what}</p>
    ${act}
  </section>`;
}

/** A row that leads to its order; one of a payment link leads nowhere. */
export function rowOfOrder(visit: Visit, orderId: string | null, row: Html): Html {
  if (orderId === null) return html`<div class="row">${row}</div>`;
  return html`<a class="row" href="${visit.href(`/orders/${orderId}`)}">${row}</a>`;
}

/** Rows under the day on which each was made. `count` says how many of a day are shown. */
export function byDay<Row extends { readonly created_at: string }>(
  rows: readonly Row[],
  when: Now,
  row: (one: Row) => Html,
): Html[] {
  return [...Map.groupBy(rows, (one) => dayOf(one.created_at, when))].map(
    ([day, of]) =>
      html`<li class="day"><h2>${day}</h2></li>
        ${of.map(row)}`,
  );
}

/** The way to the rows after these, with the page's filters; null where there are none. An empty page has not found any yet. */
export function olderLink(
  { url }: Visit,
  { data, has_more, next_cursor }: Listed<unknown>,
): Html | null {
  if (!has_more || next_cursor === null) return null;
  const query = new URLSearchParams(url.searchParams);
  query.delete("done");
  query.set("cursor", next_cursor);
  return html`<p>
    <a class="button" rel="next" href="${url.pathname}?${query.toString()}"
      >${data.length === 0 ? en.searchOlder : en.showOlder}</a
    >
  </p>`;
}

/** A count as it was taken: beyond its limit there are more. */
export function countOf({
  count,
  more,
}: {
  readonly count: number;
  readonly more: boolean;
}): string {
  return more ? `${count}+` : String(count);
}

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

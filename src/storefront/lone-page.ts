// Pages of one sentence: what is not there, and what cannot be shown now.

import { html } from "#platform/html/html.ts";

import { searchForm, shopResponse } from "./frame.ts";
import type { ShopVisit } from "./shop-visit.ts";

export function notFound(visit: ShopVisit): Promise<Response> {
  const { notFound: heading, nothingHere: sentence } = visit.words.faults;
  const main = html`<div class="wrap alone">
    <h1>${heading}</h1>
    <p class="soft">${sentence}</p>
    ${searchForm(visit, "")}
    <a class="button" href="${visit.path("/c")}">${visit.words.all}</a>
  </div>`;
  return shopResponse(visit, { title: heading, main, status: 404 });
}

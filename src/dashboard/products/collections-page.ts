// The list of collections: how the shop groups its products for customers, and for discounts.

import { collectionWire } from "#catalog/collections/schema.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";

import { type Collection, howOf, publishedMark } from "./collection-form.ts";

const ROWS = "50";

export const collectionsPage: Page = {
  path: "/products/collections",
  scopes: ["products:read"],
  show: async (visit) => {
    const { collections } = en;
    const cursor = visit.query("cursor");
    const query = { limit: ROWS, ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(collectionWire, "GET /v2/collections", { query });
    const isEmpty = listed.data.length === 0;
    const add =
      visit.may("products:write") &&
      goLink(visit.href("/products/collections/new"), collections.newCollection);
    return {
      title: collections.title,
      body: html`${heading({ title: collections.title, back: [visit.href("/products"), en.nav.products], act: !isEmpty && add })}
      ${doneNote(visit)}
      ${
        isEmpty
          ? emptyList(collections.none, collections.noneWhat, add)
          : html`<div class="list">
              <ul class="rows">
                ${listed.data.map((one) => rowOf(visit, one))}
              </ul>
            </div>`
      }
      ${olderLink(visit, listed)}`,
    };
  },
};

function rowOf(visit: Visit, collection: Collection): Html {
  const { id, title } = collection;
  return html`<li id="${id}">
    <a class="row" href="${visit.href(`/products/collections/${id}`)}"
      ><span class="name" dir="auto">${title}</span
      ><span class="what" dir="auto">${howOf(collection)}</span
      ><span class="sum small">${publishedMark(collection)}</span></a
    >
  </li>`;
}

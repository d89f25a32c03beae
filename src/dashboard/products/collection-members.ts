// The products of a collection. Those that were picked by hand are moved, removed, and found by a search to be added.

import { collectionWire } from "#catalog/collections/schema.ts";
import { productWire } from "#catalog/products/schema.ts";
import type { Handled } from "#dashboard/kit/forms/form.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { olderLink, searchBox } from "#dashboard/kit/parts/list.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { nextTurn } from "#kernel/time.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { type Collection, howOf } from "./collection-form.ts";
import { productRow } from "./product-pages.ts";
import type { Product } from "./product-words.ts";

const SHOWN = "50";
const FOUND_MAX = "12";

export async function membersPart(visit: Visit, collection: Collection): Promise<Html> {
  const { collections } = en;
  const cursor = visit.query("cursor");
  const isPicked = collection.rule === null;
  const query = {
    limit: SHOWN,
    ...(isPicked ? { sort: "position" } : {}),
    ...(cursor === "" ? {} : { cursor }),
  };
  const { id } = collection;
  const listed = await visit.list(productWire, "GET /v2/collections/{id}/products", {
    params: { id },
    query,
  });
  const mayMove = isPicked && visit.may("products:write");
  return html`<section>
      <h2>${en.nav.products}</h2>
      <p class="small soft" dir="auto">${howOf(collection)}</p>
      ${
        listed.data.length === 0
          ? html`<p class="soft">${isPicked ? collections.empty : collections.emptyRule}</p>`
          : html`<ul class="rows goods">
              ${listed.data.map((one, index) => {
                if (!mayMove) return productRow(visit, one);
                const isFirst = index === 0 && cursor === "";
                const isLast = index === listed.data.length - 1 && !listed.has_more;
                return memberRow(visit, one, { isFirst, isLast });
              })}
            </ul>`
      }
      ${olderLink(visit, listed)}
    </section>
    ${mayMove && (await findPart(visit, listed.data))}`;
}

/** The part of the address that belongs to the list: the page stays there after each act. */
export function placeOf(visit: Visit): string {
  const place = new URLSearchParams();
  for (const name of ["q", "cursor"]) {
    if (visit.query(name) !== "") place.set(name, visit.query(name));
  }
  return place.size === 0 ? "" : `?${place.toString()}`;
}

interface Ends {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** The way back from an act leads to the row, since the browser keeps the fragment of the form's address. */
function memberRow(visit: Visit, { id, name }: Product, { isFirst, isLast }: Ends): Html {
  const { collections } = en;
  const places = [
    ["up", collections.up(name), "↑", isFirst],
    ["down", collections.down(name), "↓", isLast],
    ["first", collections.first(name), "⇈", isFirst],
  ] as const;
  return html`<li class="lined" id="${id}">
    <a href="${visit.href(`/products/${id}`)}" dir="auto">${name}</a>
    <div class="acts">
      <form class="acts" method="post" action="${visit.page}/move${placeOf(visit)}#${id}">
        <input type="hidden" name="product" value="${id}" />
        ${places.map(
          ([value, word, sign, isThere]) =>
            html`<button
              class="quiet"
              name="to"
              value="${value}"
              aria-label="${word}"
              title="${word}"
              ${attribute("disabled", isThere)}
            >
              ${sign}
            </button>`,
        )}
      </form>
      <form method="post" action="${visit.page}/take${placeOf(visit)}">
        ${nonceField()}<input type="hidden" name="@product_id" value="${id}" />
        <button class="quiet" aria-label="${collections.takeOne(name)}">${collections.take}</button>
      </form>
    </div>
  </li>`;
}

/** Products of any status may be added: drafts are seen once they are for sale. */
async function findPart(visit: Visit, shown: readonly Product[]): Promise<Html> {
  const { collections, newOrder } = en;
  const q = visit.query("q").trim();
  const query = { limit: FOUND_MAX, ...(q === "" ? {} : { q }) };
  const { data } = await visit.list(productWire, "GET /v2/products", { query });
  const found = data.filter((one) => shown.every(({ id }) => id !== one.id));
  return html`<section>
    <h2 id="add">${collections.add}</h2>
    ${searchBox(visit, { placeholder: en.goods.searchProducts })}
    ${
      found.length === 0
        ? html`<p class="soft">${q === "" ? collections.noOthers : newOrder.nothing(q)}</p>`
        : html`<ul class="rows">
            ${found.map(
              ({ id, name }) =>
                html`<li class="lined">
                  <span dir="auto">${name}</span>
                  <form method="post" action="${visit.page}/add${placeOf(visit)}#add">
                    ${nonceField()}<input type="hidden" name="@product_id" value="${id}" />
                    <button class="quiet" aria-label="${collections.addNamed(name)}">
                      ${collections.addOne}
                    </button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

// Moves a product within a collection: the whole order is read and sent as it is afterwards.

const PAGE = "100";

/** Moves the product of the form up, down or to the first place; what changed meanwhile is refused as stale. */
export async function moveMember(visit: Visit, fields: URLSearchParams): Promise<Handled> {
  const params = { id: visit.params["id"] ?? "" };
  const { version } = await visit.ask(collectionWire, "GET /v2/collections/{id}", { params });
  const ids = await membersOf(visit, params);
  const body = { product_ids: moved(ids, fields.get("product") ?? "", fields.get("to") ?? "") };
  const route = "PUT /v2/collections/{id}/products";
  await visit.answerOf(route, { params, body, ifVersion: String(version) });
  return {};
}

async function membersOf(visit: Visit, params: { readonly id: string }): Promise<string[]> {
  const route = "GET /v2/collections/{id}/products";
  const ids: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    await nextTurn();
    const after: Record<string, string> = cursor === "" ? {} : { cursor };
    const query = { sort: "position", limit: PAGE, ...after };
    const { data, next_cursor: next } = await visit.list(productWire, route, { params, query });
    ids.push(...data.map(({ id }) => id));
    cursor = next;
  }
  return ids;
}

/** The same ids with this one at its new place; unchanged where it has none to go to. */
function moved(ids: readonly string[], id: string, to: string): string[] {
  const from = ids.indexOf(id);
  const places = new Map([
    ["up", Math.max(0, from - 1)],
    ["down", from + 1],
    ["first", 0],
  ]);
  const place = places.get(to);
  if (from === -1 || place === undefined) return [...ids];
  return ids.toSpliced(from, 1).toSpliced(place, 0, id);
}

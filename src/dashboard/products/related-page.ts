// The products that are related to one: put in order, removed, and found by a search to be added.

import { productWire } from "#catalog/products/schema.ts";
import type { RequestForm } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { searchBox } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import type { Product } from "./product-words.ts";

const FOUND_MAX = "12";

export const relatedPage: Page = {
  path: "/products/{id}/related",
  scopes: ["products:write"],
  show: async (visit) => {
    const { goods } = en;
    const product = await findProduct(visit);
    const related = await findRelated(visit, product);
    return {
      title: goods.related,
      follows: product.id,
      body: html`${heading({ title: goods.related, back: [visit.href(`/products/${product.id}`), product.name] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <div class="stack narrow">
          <section>
            <p class="soft">${related.length === 0 ? goods.relatedNone : goods.relatedWhat}</p>
            ${
              related.length > 0 &&
              html`<ul class="rows">
                ${related.map((one, index) => memberRow(visit, product, { one, isFirst: index === 0 }))}
              </ul>`
            }
          </section>
          ${visit.may("products:write") && (await findPart(visit, product))}
        </div>`,
    };
  },
  forms: {
    add: changeOf("added", (ids, id) => [...ids, id]),
    take: changeOf("removed", (ids, id) => ids.filter((one) => one !== id)),
    forward: changeOf("changed", forward),
  },
};

/** The related products on the page of a product, with the way to choose them. */
export async function relatedPart(visit: Visit, product: Product): Promise<Html | null> {
  const { goods } = en;
  const related = await findRelated(visit, product);
  const mayWrite = visit.may("products:write");
  if (related.length === 0 && !mayWrite) return null;
  return html`<section>
    <h2>${goods.related}</h2>
    ${
      related.length > 0 &&
      html`<ul class="rows">
        ${related.map(
          ({ id, name }) =>
            html`<li>
              <a class="line" href="${visit.href(`/products/${id}`)}"
                ><span dir="auto">${name}</span></a
              >
            </li>`,
        )}
      </ul>`
    }
    ${mayWrite && html`<p><a class="button" href="${visit.page}/related">${goods.chooseRelated}</a></p>`}
  </section>`;
}

function findProduct(visit: Visit): Promise<Product> {
  const params = { id: visit.params["id"] ?? "" };
  return visit.ask(productWire, "GET /v2/products/{id}", { params });
}

async function findRelated(visit: Visit, product: Product): Promise<readonly Product[]> {
  if (product.related_product_ids.length === 0) return [];
  const params = { id: product.id };
  return (await visit.list(productWire, "GET /v2/products/{id}/related", { params })).data;
}

/** A form with one product, which changes the list of all. */
function changeOf(
  doneMessage: "added" | "removed" | "changed",
  change: (ids: readonly string[], id: string) => readonly string[],
): RequestForm {
  return {
    route: "PUT /v2/products/{id}",
    doneMessage,
    prepareBody: async ({ product: id }: JsonObject, visit: Visit) => {
      const { related_product_ids: ids } = await findProduct(visit);
      return { related_product_ids: typeof id === "string" ? [...change(ids, id)] : [...ids] };
    },
    undo: {},
  };
}

function forward(ids: readonly string[], id: string): string[] {
  const others = ids.filter((one) => one !== id);
  return others.toSpliced(Math.max(0, ids.indexOf(id) - 1), 0, id);
}

interface Member {
  readonly one: Product;
  readonly isFirst: boolean;
}

function memberRow(visit: Visit, product: Product, { one, isFirst }: Member): Html {
  const { collections } = en;
  return html`<li class="lined" id="${one.id}">
    <a href="${visit.href(`/products/${one.id}`)}" dir="auto">${one.name}</a>
    <div class="acts">
      ${actForm(visit, product, { act: "forward", one, label: collections.up(one.name), word: "↑", isOff: isFirst })}
      ${actForm(visit, product, { act: "take", one, label: collections.takeOne(one.name), word: collections.take })}
    </div>
  </li>`;
}

interface Act {
  readonly act: "add" | "take" | "forward";
  readonly one: Product;
  readonly label: string;
  readonly word: string;
  readonly isOff?: boolean;
}

function actForm(
  visit: Visit,
  { version }: Product,
  { act, one, label, word, isOff = false }: Act,
): Html {
  return html`<form method="post" action="${visit.page}/${act}">
    <input type="hidden" name="version" value="${version}" />
    <input type="hidden" name="/product" value="${one.id}" />
    <button class="quiet" aria-label="${label}" ${attribute("disabled", isOff)}>${word}</button>
  </form>`;
}

async function findPart(visit: Visit, product: Product): Promise<Html> {
  const { collections, newOrder } = en;
  const q = visit.query("q").trim();
  const query = { limit: FOUND_MAX, ...(q === "" ? {} : { q }) };
  const { data } = await visit.list(productWire, "GET /v2/products", { query });
  const found = data.filter(
    ({ id }) => id !== product.id && !product.related_product_ids.includes(id),
  );
  return html`<section>
    <h2>${collections.add}</h2>
    ${searchBox(visit, { placeholder: en.goods.searchProducts })}
    ${
      found.length === 0
        ? html`<p class="soft">${q === "" ? collections.noOthers : newOrder.nothing(q)}</p>`
        : html`<ul class="rows">
            ${found.map(
              (one) =>
                html`<li class="lined">
                  <span dir="auto">${one.name}</span>
                  ${actForm(visit, product, { act: "add", one, label: collections.addNamed(one.name), word: collections.addOne })}
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

// The list of products: what is for sale, what is not yet, and what is no longer.

import { productWire } from "#catalog/products/schema.ts";
import { exportButton, exportProducts } from "#dashboard/files/export-orders-page.ts";
import { importLink } from "#dashboard/files/import-page.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote } from "#dashboard/kit/parts/note.ts";
import { searchBox, tabs } from "#dashboard/kit/parts/search-box.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";

import { en } from "../words/en.ts";
import { leftOf, priceSpan, type Product, statusMark, thumb } from "./product-words.ts";

const shows = ["active", "draft", "archived"] as const;
type Show = (typeof shows)[number];

export const productsPage: Page = {
  path: "/products",
  scopes: ["products:read"],
  show: async (visit) => {
    const show = shows.find((one) => one === visit.query("show")) ?? "active";
    const [q, cursor] = [visit.query("q").trim(), visit.query("cursor")];
    const query = {
      status: show,
      limit: "20",
      ...(q === "" ? {} : { q }),
      ...(cursor === "" ? {} : { cursor }),
    };
    const listed = await visit.list(productWire, "GET /v2/products", { query });
    const acts = html`<div class="acts">
      <a class="button" href="${visit.href("/products/collections")}">${en.collections.title}</a>
      ${visit.may("products:write") && addLink(visit, en.goods.newProduct)}
    </div>`;
    return {
      title: en.nav.products,
      body: html`${heading({ title: en.nav.products, act: acts })} ${doneNote(visit)}
        <div class="tools">
          ${searchBox(visit, { placeholder: en.goods.searchProducts, keeps: { show } })}
          ${tabs(
            en.goods.whichProducts,
            shows.map((one) => ({
              href: `${visit.page}?show=${one}`,
              word: en.goods.tabs[one],
              isHere: one === show,
            })),
          )}
        </div>
        <div class="list">
          ${
            listed.data.length === 0
              ? await nothing(visit, show, q)
              : html`<ul class="rows goods">
                  ${listed.data.map((product) => productRow(visit, product))}
                </ul>`
          }
          ${olderLink(visit, listed)}
          ${listed.data.length > 0 && exportButton(visit, en.exports.products, importLink(visit, "products"))}
        </div>`,
    };
  },
  forms: { export: exportProducts },
};

function addLink(visit: Visit, word: string): Html {
  return html`<a class="button" href="${visit.href("/products/new")}">${icon("plus")} ${word}</a>`;
}

/** A row that leads to the product. */
export function productRow(visit: Visit, product: Product): Html {
  const { variants, category } = product;
  const kinds = variants.length > 1 && en.goods.kinds(variants.length);
  const what = [kinds, isolated(category ?? "")].filter(Boolean);
  return html`<li id="${product.id}">
    <a class="row" href="${visit.href(`/products/${product.id}`)}"
      >${thumb(visit, product)}<span class="name">${product.name}</span
      ><span class="what">${what.join(" · ")}</span><span class="marks">${statusMark(product)}</span
      ><span class="when">${leftOf(variants)}</span
      ><span class="sum">${priceSpan(visit, variants)}</span></a
    >
  </li>`;
}

/** The words of an empty list: the first product is asked for only where there is none at all. */
async function nothing(visit: Visit, show: Show, q: string): Promise<Html> {
  const { goods } = en;
  if (q !== "") return emptyList(goods.notFound, goods.notFoundWhat(q));
  const any = await visit.list(productWire, "GET /v2/products", { query: { limit: "1" } });
  if (any.data.length > 0) return emptyList(goods.emptyTab[show], goods.emptyTabWhat[show]);
  const act =
    visit.may("products:write") &&
    html`<p class="acts">
      <a class="button go" href="${visit.href("/products/new")}">${goods.firstAct}</a
      >${importLink(visit, "products")}
    </p>`;
  return emptyList(goods.firstTitle, goods.firstWhat, act);
}

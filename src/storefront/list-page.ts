// The lists of the shop: everything, a collection, and a search. Order and filters are one form, sent with GET.

import type { Static } from "typebox";

import { collectionWire } from "#catalog/collections/schema.ts";
import { facetsWire } from "#catalog/facets/schema.ts";
import { productWire } from "#catalog/products/schema.ts";
import { Refused } from "#dashboard/kit/asker.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { searchForm, shopResponse } from "./frame.ts";
import { goods } from "./goods.ts";
import { notFound } from "./lone-page.ts";
import type { Collection, Product, ShopVisit } from "./shop-visit.ts";

type Facets = Static<(typeof facetsWire)["schema"]>;

/** Three, four and two columns are full. */
const PAGE = 24;

/** The parameters of an address that a list knows; all others are dropped. */
const filterNames = ["available", "brand", "category", "tag", "price[gte]", "price[lte]"] as const;
const sorts = ["newest", "price", "-price", "name", "-name"] as const;
const facetGroups = [
  ["category", "categories"],
  ["brand", "brands"],
  ["tag", "tags"],
] as const;

interface ListTerms {
  readonly title: string;
  readonly description: string;
  /** The address of the list, without its parameters. */
  readonly path: string;
  readonly routes: { readonly list: string; readonly facets: string };
  readonly params: Readonly<Record<string, string>>;
  /** The order of the list without `sort`. */
  readonly usual: keyof ShopVisit["words"]["list"]["sorts"];
  /** The words that are searched for; null for a list that is none of a search. */
  readonly sought: string | null;
}

const everywhere = { list: "GET /v2/products", facets: "GET /v2/products/facets" };

export function allPage(visit: ShopVisit): Promise<Response> {
  return listPage(visit, {
    title: visit.words.all,
    description: "",
    path: "/c",
    routes: everywhere,
    params: {},
    usual: "newest",
    sought: null,
  });
}

/** The page of a collection; a former slug leads to the current one. */
export async function collectionPage(visit: ShopVisit, slug: string): Promise<Response> {
  const query = { slug, limit: "1" };
  const { data } = await visit.asker.list(collectionWire, "GET /v2/collections", { query });
  const collection: Collection | undefined = data[0];
  if (collection === undefined) return notFound(visit);
  const path = `/c/${collection.slug}`;
  if (collection.slug !== slug) {
    return new Response(null, { status: 301, headers: { Location: visit.path(path) } });
  }
  return listPage(visit, {
    title: collection.title,
    description: collection.description,
    path,
    routes: {
      list: "GET /v2/collections/{id}/products",
      facets: "GET /v2/collections/{id}/facets",
    },
    params: { id: collection.id },
    usual: collection.sort,
    sought: null,
  });
}

export async function searchPage(visit: ShopVisit): Promise<Response> {
  const { list, search } = visit.words;
  const sought = (visit.url.searchParams.get("q") ?? "").trim().slice(0, 200);
  if (sought === "") {
    const main = html`<div class="wrap alone">
      <h1>${list.ask}</h1>
      ${searchForm(visit, "")}
    </div>`;
    return shopResponse(visit, { title: search, main });
  }
  return listPage(visit, {
    title: list.results(sought),
    description: "",
    path: "/search",
    routes: everywhere,
    params: {},
    usual: "newest",
    sought,
  });
}

interface Found {
  readonly products: readonly Product[];
  readonly next: string | null;
  readonly corrected: string | null;
  readonly facets: Facets;
  /** The parameters that were applied. */
  readonly applied: Readonly<Record<string, string>>;
}

async function listPage(visit: ShopVisit, terms: ListTerms): Promise<Response> {
  const asked = parametersOf(visit, terms);
  const found = await findGoods(visit, terms, asked);
  const { words } = visit;
  const main = html`<div class="wrap listing">
    <div class="title">
      <h1>${terms.title}</h1>
      ${terms.sought !== null && searchForm(visit, terms.sought)}
      ${found.corrected !== null && html`<p class="notice" role="status">${words.list.corrected(found.corrected)}</p>`}
      ${terms.description !== "" && html`<p class="soft">${terms.description}</p>`}
      <p class="soft small">${words.list.count(found.facets.total)}</p>
    </div>
    ${narrowing(visit, terms, found)}
    ${
      found.products.length > 0
        ? goods(visit, found.products)
        : html`<p>${words.list.none} <a href="${visit.path("/c")}">${words.all}</a></p>`
    }
    ${
      found.next !== null &&
      html`<p class="onward">
        <a class="button" href="${addressOf(visit, terms, { ...found.applied, after: found.next })}"
          >${words.list.more}</a
        >
      </p>`
    }
  </div>`;
  return shopResponse(visit, {
    title: terms.title,
    description: terms.description.slice(0, 155),
    here: terms.path,
    main,
  });
}

/** The known parameters of the address that say something. */
function parametersOf({ url }: ShopVisit, { sought }: ListTerms): Record<string, string> {
  const { searchParams } = url;
  const given = ["sort", "after", ...filterNames].flatMap((name) => {
    const value = (searchParams.get(name) ?? "").trim();
    return value === "" ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(given), ...(sought !== null && { q: sought }) };
}

/** A parameter that the interface refuses, such as a cursor of another order, is as if it were not there. */
async function findGoods(
  visit: ShopVisit,
  terms: ListTerms,
  asked: Readonly<Record<string, string>>,
): Promise<Found> {
  try {
    return await ask(visit, terms, asked);
  } catch (error) {
    const isMalformed = error instanceof Refused && error.status === 400;
    if (!isMalformed) throw error;
    return ask(visit, terms, terms.sought === null ? {} : { q: terms.sought });
  }
}

async function ask(
  { asker }: ShopVisit,
  { routes, params }: ListTerms,
  applied: Readonly<Record<string, string>>,
): Promise<Found> {
  const { after, ...listing } = applied;
  const { sort: _sort, ...filters } = listing;
  const query = { ...listing, limit: String(PAGE), ...(after !== undefined && { cursor: after }) };
  const listed = await asker.list(productWire, routes.list, { params, query });
  const facets = await asker.ask(facetsWire, routes.facets, { params, query: filters });
  return {
    products: listed.data,
    next: listed.next_cursor,
    corrected: facets.corrected_q,
    facets,
    applied,
  };
}

function addressOf(
  visit: ShopVisit,
  { path }: ListTerms,
  parameters: Readonly<Record<string, string>>,
): string {
  return `${visit.path(path)}?${new URLSearchParams(parameters).toString()}`;
}

/** Order and filters, folded; open where one is applied. */
function narrowing(visit: ShopVisit, terms: ListTerms, { facets, applied }: Found): Html {
  const { list } = visit.words;
  const isApplied = Object.keys(applied).some((name) => name !== "q" && name !== "after");
  return html`<details class="narrow" ${attribute("open", isApplied)}>
    <summary>${list.narrow}</summary>
    <form action="${visit.path(terms.path)}">
      ${terms.sought !== null && html`<input type="hidden" name="q" value="${terms.sought}" />`}
      ${sorting(visit, terms, applied)}
      ${facetGroups.map(([name, group]) => choice(visit, { name, chosen: applied[name] ?? "", values: facets[group].values }))}
      ${bound(list.least, "price[gte]", applied)} ${bound(list.most, "price[lte]", applied)}
      <label class="tick"
        ><input
          type="checkbox"
          name="available"
          value="true"
          ${attribute("checked", applied["available"] === "true")}
        />${list.available}</label
      >
      <button>${list.show}</button>
      ${isApplied && html`<a href="${visit.path(terms.path)}">${list.clear}</a>`}
    </form>
  </details>`;
}

function sorting(
  { words: { list } }: ShopVisit,
  { usual }: ListTerms,
  applied: Readonly<Record<string, string>>,
): Html {
  const offered = [...new Set([usual, ...sorts])];
  return html`<label class="field"
    ><span>${list.sort}</span
    ><select name="sort">
      ${offered.map(
        (sort) =>
          html`<option
            value="${sort}"
            ${attribute("selected", (applied["sort"] ?? usual) === sort)}
          >
            ${list.sorts[sort]}
          </option>`,
      )}
    </select></label
  >`;
}

interface FacetChoice {
  readonly name: (typeof facetGroups)[number][0];
  readonly chosen: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** Nothing where there is nothing to choose from. */
function choice(
  { words: { list } }: ShopVisit,
  { name, chosen, values }: FacetChoice,
): Html | null {
  if (values.length < 2 && chosen === "") return null;
  return html`<label class="field"
    ><span>${list[name]}</span
    ><select name="${name}">
      <option value="">${list.any}</option>
      ${values.map(
        ({ value, count }) =>
          html`<option value="${value}" ${attribute("selected", value === chosen)}>
            ${value} (${count})
          </option>`,
      )}
    </select></label
  >`;
}

function bound(
  label: string,
  name: (typeof filterNames)[number],
  applied: Readonly<Record<string, string>>,
): Html {
  return html`<label class="field"
    ><span>${label}</span
    ><input name="${name}" inputmode="decimal" size="6" value="${applied[name] ?? ""}"
  /></label>`;
}

// The stock: what is running low first, then the rest; and the levels of products that are found.

import type { Static } from "typebox";

import { levelWire } from "#catalog/inventory/schema.ts";
import { productWire } from "#catalog/products/schema.ts";
import type { Listed } from "#dashboard/kit/asker.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink, searchBox, tabs } from "#dashboard/kit/parts/list.ts";
import { doneNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import type { Product } from "#dashboard/products/product-words.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";

const ROWS = 20;

export const stockPage: Page = {
  path: "/stock",
  scopes: ["inventory:read"],
  show: async (visit) => {
    const { stock } = en;
    const isLow = visit.query("show") === "low";
    const q = visit.query("q").trim();
    const count = visit.href("/stock/count");
    const act =
      visit.may("inventory:write") &&
      html`<a class="button" href="${count}">${stock.countMany}</a>`;
    return {
      title: en.nav.stock,
      body: html`${heading({ title: en.nav.stock, act })} ${doneNote(visit)}
        <div class="tools">
          ${searchBox(visit, { placeholder: stock.search })}
          ${tabs(stock.which, [
            { href: visit.page, word: stock.all, isHere: !isLow },
            { href: `${visit.page}?show=low`, word: stock.low, isHere: isLow },
          ])}
        </div>
        <div class="list stack">
          ${q === "" ? await listedLevels(visit, isLow) : await foundLevels(visit, q)}
        </div>`,
    };
  },
};

async function foundLevels(visit: Visit, q: string): Promise<Html> {
  const levels = await searchLevels(visit, q);
  if (levels.length === 0) return emptyList(en.stock.notFound, en.stock.notFoundWhat(q));
  return html`<ul class="rows stock">
    ${levels.map((one) => levelRow(visit, one))}
  </ul>`;
}

/** A page of low levels, and one of the others. */
interface Lists {
  readonly low: Listed<Level>;
  readonly others: Listed<Level>;
}

/** Low levels come first, on the first page of all or alone. */
async function listsOf(visit: Visit, isLow: boolean): Promise<Lists> {
  const cursor = visit.query("cursor");
  if (isLow) return { low: await levelsOf(visit, "true", cursor), others: nothing };
  return {
    low: cursor === "" ? await levelsOf(visit, "true", "") : nothing,
    others: await levelsOf(visit, "false", cursor),
  };
}

async function listedLevels(visit: Visit, isLow: boolean): Promise<Html> {
  const { low, others } = await listsOf(visit, isLow);
  const [lows, rest] = [low.data, others.data];
  if (lows.length + rest.length === 0) return emptyStock(visit, isLow);
  return html`<ul class="rows stock">
      ${lows.length > 0 && lowHeading(visit, !isLow && low.has_more)}
      ${lows.map((one) => levelRow(visit, one))}
      ${
        lows.length > 0 && rest.length > 0 && html`<li class="day"><h2>${en.stock.enough}</h2></li>`
      }
      ${rest.map((one) => levelRow(visit, one))}
    </ul>
    ${olderLink(visit, isLow ? low : others)}`;
}

function lowHeading({ page }: Visit, hasMore: boolean): Html {
  return html`<li class="day">
    <h2>${en.stock.low}</h2>
    ${hasMore && html`<a href="${page}?show=low">${en.stock.all}</a>`}
  </li>`;
}

function emptyStock(visit: Visit, isLow: boolean): Html {
  const { stock } = en;
  if (isLow) return emptyList(stock.notLow, stock.notLowWhat);
  return emptyList(stock.empty, stock.emptyWhat, firstAct(visit));
}

const nothing: Listed<Level> = { data: [], has_more: false, next_cursor: null };

function levelsOf(visit: Visit, low: "true" | "false", cursor: string): Promise<Listed<Level>> {
  const query = { low, limit: String(ROWS), ...(cursor === "" ? {} : { cursor }) };
  return visit.list(levelWire, "GET /v2/inventory", { query });
}

function firstAct(visit: Visit): Html | false {
  return (
    visit.may("products:write") &&
    html`<a class="button go" href="${visit.href("/products/new")}">${en.goods.firstAct}</a>`
  );
}

/** A row that leads to the level. */
export function levelRow(visit: Visit, level: Level): Html {
  return html`<li id="${level.variant_id}">
    <a class="row" href="${visit.href(`/stock/${level.variant_id}`)}"
      ><span class="name">${levelName(level)}</span><span class="what">${level.sku}</span
      ><span class="marks">${standing(level)}</span
      ><span class="when">${en.stock.sum(level.on_hand, level.reserved)}</span
      ><span class="sum"
        >${level.available === null ? "–" : en.goods.left(level.available)}</span
      ></a
    >
  </li>`;
}

/** How the level stands: a mark and a word. */
export function standing({ available, low_stock_threshold: limit }: Level): Html {
  const { marks } = en.stock;
  if (available === null) return mark("off", marks.uncounted);
  if (available <= 0) return mark("stop", marks.out);
  return available < limit ? mark("wait", marks.low) : mark("done", marks.ok);
}

export type Level = Static<(typeof levelWire)["schema"]>;

/** Pages of levels that are read of one search: as many as a person looks through. */
const PAGES_MAX = 5;

/** The name of what the level counts. A product that was deleted has its SKU alone. */
export function levelName({ name, sku }: Level): string {
  return name ?? sku ?? en.stock.gone;
}

/** The levels of the products that are found, in the order of the products and their variants. */
async function searchLevels(visit: Visit, q: string): Promise<Level[]> {
  const { data } = await visit.list(productWire, "GET /v2/products", {
    query: { q, status: "active,draft", limit: "20" },
  });
  return levelsOfProducts(visit, data);
}

/** The levels of the products, in their order and that of their variants. */
export async function levelsOfProducts(
  visit: Visit,
  products: readonly Product[],
): Promise<Level[]> {
  if (products.length === 0) return [];
  const found: Level[] = [];
  const query = { product_id: products.map(({ id }) => id).join(","), limit: "100" };
  for (let cursor: string | null = "", page = 0; cursor !== null && page < PAGES_MAX; page += 1) {
    const after: { readonly cursor?: string } = cursor === "" ? {} : { cursor };
    const listed: Listed<Level> = await visit.list(levelWire, "GET /v2/inventory", {
      query: { ...query, ...after },
    });
    found.push(...listed.data);
    cursor = listed.next_cursor;
  }
  const of = Map.groupBy(found, (level) => level.product_id);
  return products.flatMap(({ id }) => of.get(id) ?? []);
}

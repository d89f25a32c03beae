// The stock: what is running low first, then the rest.

import { levelWire } from "#catalog/inventory/schema.ts";
import type { Listed } from "#dashboard/kit/asker.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import { searchBox, tabs } from "#dashboard/kit/parts/search-box.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { type Html, html } from "#platform/html/html.ts";

import { en } from "../words/en.ts";
import { type Level, levelName, searchLevels } from "./levels.ts";

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
          ${q === "" ? await listed(visit, isLow) : await found(visit, q)}
        </div>`,
    };
  },
};

async function found(visit: Visit, q: string): Promise<Html> {
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

async function listed(visit: Visit, isLow: boolean): Promise<Html> {
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

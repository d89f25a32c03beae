// The list of orders: what is to be packed first.

import { type Html, html } from "#platform/html/html.ts";
import { orderWire } from "#sales/orders/schema.ts";

import type { Listed } from "../asker.ts";
import { EXPORT_ORDERS } from "../exports/export-orders-page.ts";
import { icon } from "../icons.ts";
import type { Page } from "../page.ts";
import { byDay, countOf, emptyList, olderLink } from "../parts/list.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import { isToPack, type Order } from "../parts/order-words.ts";
import { searchBox, tabs } from "../parts/search-box.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { filterForm, filterOf } from "./order-filter.ts";
import { orderRow } from "./order-row.ts";
import { boxOf, chosenForm, sendOrders, SLIPS } from "./send-orders.ts";

const PER_PAGE = "20";
const words = en.orders;

const tabNames = ["pack", "unpaid", "all"] as const;
type Tab = (typeof tabNames)[number];

const queryOfTab: Readonly<Record<Tab, Readonly<Record<string, string>>>> = {
  pack: { to_pack: "true" },
  unpaid: { status: "open", payment_status: "unpaid,pending,partially_paid,review" },
  all: {},
};

export const ordersPage: Page = {
  path: "/orders",
  scopes: ["orders:read"],
  show: async (visit) => {
    const tab = tabOf(visit);
    const q = visit.query("q").trim();
    const cursor = visit.query("cursor");
    const query = {
      limit: PER_PAGE,
      ...queryOfTab[tab],
      ...filterOf(visit),
      ...(q === "" ? {} : { q }),
      ...(cursor === "" ? {} : { cursor }),
    };
    const listed = await visit.list(orderWire, "GET /v2/orders", { query });
    return {
      title: words.title,
      follows: "order.placed",
      body: html`<div class="heading">
          <h1>${words.title}</h1>
          ${newOrder(visit)}
        </div>
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <div class="tools">
          ${searchBox(visit, { placeholder: words.search, keeps: { show: "all" } })}
          ${tabsOf(visit, tab)}
        </div>
        ${filterForm(visit)}
        <div
          id="fresh"
          aria-live="polite"
          data-one="${words.oneNew}"
          data-many="${words.manyNew}"
        ></div>
        <div class="list">
          ${listOf(visit, { tab, q, listed })} ${olderLink(visit, listed)}
          ${tab === "all" && listed.data.length > 0 && exportLink(visit)}
        </div>`,
    };
  },
  forms: { send: sendOrders },
};

/** What is searched or filtered is looked for among all orders. */
function tabOf(visit: Visit): Tab {
  const asked = tabNames.find((tab) => tab === visit.query("show"));
  const isNarrowed = visit.query("q") !== "" || Object.keys(filterOf(visit)).length > 0;
  return asked ?? (isNarrowed ? "all" : "pack");
}

function newOrder(visit: Visit): Html | null {
  if (!visit.may("orders:write")) return null;
  return html`<a class="button" href="${visit.href("/orders/new")}"
    >${icon("plus")} ${words.newOrder}</a
  >`;
}

/** Only what waits is counted: it is known already. */
function tabsOf(visit: Visit, current: Tab): Html {
  const { waiting } = visit;
  const count = waiting !== null && html` <span>${countOf(waiting.to_pack)}</span>`;
  return tabs(
    words.tabsLabel,
    tabNames.map((tab) => ({
      href: visit.href(`/orders?show=${tab}`),
      word: html`${words.tabs[tab]}${tab === "pack" && count}`,
      isHere: tab === current,
    })),
  );
}

interface ListTerms {
  readonly tab: Tab;
  readonly q: string;
  readonly listed: Listed<Order>;
}

function listOf(visit: Visit, { tab, q, listed }: ListTerms): Html {
  if (listed.data.length === 0) return nothing(visit, tab, q);
  const canSend = (order: Order) => visit.may("orders:write") && isToPack(order);
  const row = (order: Order) =>
    orderRow(visit, order, { isUnderDay: true, box: canSend(order) ? boxOf(order) : null });
  return html`<ol class="rows orders">
      ${byDay(listed.data, visit.when, row)}
    </ol>
    ${listed.data.some(canSend) && chosenForm(visit)}
    ${tab === "pack" && q === "" && listed.data.length > 1 && slipsLink(visit)}`;
}

/** All that is to be packed on paper, also from a phone, which has no boxes to tick. */
function slipsLink(visit: Visit): Html {
  return html`<p><a href="${visit.href(SLIPS)}">${words.printAll}</a></p>`;
}

function exportLink(visit: Visit): Html {
  return html`<p>
    <a class="button" href="${visit.href(EXPORT_ORDERS)}">${en.exports.orders}</a>
  </p>`;
}

function nothing(visit: Visit, tab: Tab, q: string): Html {
  const { empty } = words;
  if (q !== "") return emptyList(empty.found, empty.foundWhat(q));
  if (Object.keys(filterOf(visit)).length > 0) return emptyList(empty.found, empty.filteredWhat);
  return emptyList(empty[tab], empty[`${tab}What`], tab === "all" ? newOrder(visit) : null);
}

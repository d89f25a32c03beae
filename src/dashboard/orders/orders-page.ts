// The list of orders: what is to be packed first.

import { EXPORT_ORDERS } from "#dashboard/files/export-orders-page.ts";
import type { Listed } from "#dashboard/kit/asker.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { input, type Option, select } from "#dashboard/kit/parts/field.ts";
import {
  byDay,
  countOf,
  emptyList,
  olderLink,
  searchBox,
  tabs,
} from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { isToPack, orderRow } from "#dashboard/kit/parts/order-words.ts";
import { daysAfter } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";
import { EXPORT_CUSTOMERS } from "#shop/people/roles.ts";

import { boxOf, chosenForm, sendOrders, SLIPS, unsendChosen, unsendOrders } from "./send-orders.ts";

// The filter of the list of orders, behind a disclosure.

const words = en.orders;
const { empty } = words;

const { on_delivery: _, ...payments } = en.order.payments;
const sendings = { ...en.order.sending, unfulfilled: words.notSent };

/** The filter as the interface takes it; empty without one. */
function filterOf(visit: Visit): Readonly<Record<string, string>> {
  const sending = visit.query("sending");
  const to = visit.query("to");
  const asked = {
    payment_status: visit.query("payment"),
    ...(sending === "cancelled" ? { status: sending } : { fulfillment_status: sending }),
    channel: visit.query("channel"),
    "created_at[gte]": visit.query("from"),
    "created_at[lt]": to === "" ? "" : daysAfter(to, 1),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
}

/** The form; open where a filter is set. */
function filterForm(visit: Visit): Html {
  const isSet = Object.keys(filterOf(visit)).length > 0;
  const choice = (name: "payment" | "sending" | "channel", of: Readonly<Record<string, string>>) =>
    select(null, { name, label: words[name], value: visit.query(name), options: optionsOf(of) });
  const day = (name: "from" | "to") =>
    input(null, { name, label: words[name], value: visit.query(name), type: "date" });
  return html`<details class="filter" ${attribute("open", isSet)}>
    <summary>${words.filter}</summary>
    <form action="${visit.href("/orders")}" aria-label="${words.filterLabel}">
      <input type="hidden" name="show" value="all" />
      ${choice("payment", payments)} ${choice("sending", sendings)} ${day("from")} ${day("to")}
      ${choice("channel", en.order.channels)}
      <p class="acts">
        <button>${words.apply}</button>
        ${isSet && html`<a href="${visit.href("/orders?show=all")}">${words.clear}</a>`}
      </p>
    </form>
  </details>`;
}

function optionsOf(of: Readonly<Record<string, string>>): Option[] {
  const known = Object.entries(of).map(([value, label]) => ({ value, label }));
  return [{ value: "", label: words.any }, ...known];
}

const PER_PAGE = "20";

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
        ${doneNote(visit, unsendChosen(visit))} ${refusedNote(visit.submitted)}
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
  forms: { send: sendOrders, unsend: unsendOrders },
};

/** A search or a filter looks among all orders. */
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
  readonly listed: Listed<OrderAnswer>;
}

function listOf(visit: Visit, { tab, q, listed }: ListTerms): Html {
  if (listed.data.length === 0 && listed.has_more) return emptyList(empty.notYet, empty.notYetWhat);
  if (listed.data.length === 0) return nothing(visit, tab, q);
  const canSend = (order: OrderAnswer) => visit.may("orders:write") && isToPack(order);
  const row = (order: OrderAnswer) =>
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

function exportLink(visit: Visit): Html | null {
  if (!visit.may(EXPORT_CUSTOMERS)) return null;
  return html`<p>
    <a class="button" href="${visit.href(EXPORT_ORDERS)}">${en.exports.orders}</a>
  </p>`;
}

function nothing(visit: Visit, tab: Tab, q: string): Html {
  if (q !== "") return emptyList(empty.found, empty.foundWhat(q));
  if (Object.keys(filterOf(visit)).length > 0) return emptyList(empty.found, empty.filteredWhat);
  return emptyList(empty[tab], empty[`${tab}What`], tab === "all" ? newOrder(visit) : null);
}

// The cash-up of a day: what to count in the drawer, what came in by which way, and what each person took by hand.

import type { Static } from "typebox";

import { cashUpWire } from "#books/schema.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { amountIn, largeSum, money } from "#dashboard/kit/parts/money.ts";
import { methodNamed } from "#dashboard/kit/parts/order-words.ts";
import { dateOf, daysAfter, longDayOf } from "#dashboard/kit/parts/times.ts";
import { namesOf } from "#dashboard/kit/parts/who.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

type CashUp = Static<(typeof cashUpWire)["schema"]>;
type OfCurrency = CashUp["currencies"][number];
type ByHand = OfCurrency["by_hand"][number];
type NameOf = (actor: ByHand["actor"]) => string | null;
type Sum = Pick<
  OfCurrency,
  "payments" | "received_minor" | "corrected_minor" | "refunds" | "refunded_minor"
>;

const words = en.cashUp;
const cash: ReadonlySet<string> = new Set(["cash", "cash_on_delivery"]);

export const cashUpPage: Page = {
  path: "/cash-up",
  scopes: ["payments:read"],
  show: async (visit) => {
    const asked = visit.query("day");
    const query: Record<string, string> = asked === "" ? {} : { day: asked };
    const cashUp = await visit.ask(cashUpWire, "GET /v2/cash-up", { query });
    const nameOf = await namesOf(
      visit,
      cashUp.currencies.flatMap(({ by_hand: lines }) => lines.map(({ actor }) => actor)),
    );
    return {
      title: words.title,
      follows: "payment",
      body: html`${heading({ title: words.title })} ${dayForm(visit, cashUp)}
        <div class="stack">
          ${
            cashUp.currencies.length === 0
              ? emptyList(words.empty, words.emptyWhat)
              : cashUp.currencies.map((one) => currencyOf(visit, one, nameOf))
          }
        </div>`,
    };
  },
};

/** The day, with the ways to those around it. */
function dayForm(visit: Visit, { day, from }: CashUp): Html {
  const { zone, now } = visit.when;
  const isToday = day >= dateOf(now, zone);
  const way = (days: number, name: string, picture: "back" | "on") => {
    return html`<a
      class="button"
      href="${visit.page}?day=${daysAfter(day, days)}"
      aria-label="${name}"
      >${icon(picture)}</a
    >`;
  };
  return html`<div class="stack">
    <h2>${longDayOf(from, visit.when)}</h2>
    <form class="dates" action="${visit.page}">
      ${way(-1, words.before, "back")}
      <input
        type="date"
        name="day"
        value="${day}"
        aria-label="${words.day}"
        ${attribute("max", dateOf(now, zone))}
      />
      ${!isToday && way(1, words.after, "on")}
      <button>${words.show}</button>
    </form>
  </div>`;
}

function currencyOf(visit: Visit, of: OfCurrency, nameOf: NameOf): Html {
  const drawer = of.by_hand.filter(({ method }) => cash.has(method));
  const count = drawer.reduce((sum, { net_minor: net }) => sum + net, 0);
  return html`${
      drawer.length > 0 &&
      html`<section class="takings" aria-label="${words.drawer}">
        <h2>${words.drawer}</h2>
        ${largeSum(count, of.currency)}
        <p class="soft">${words.drawerWhat}</p>
      </section>`
    }
    <div class="halves">
      <section>
        <h2>${words.byMethod}</h2>
        <div class="bill">
          <h3>${words.shop}</h3>
          <dl>
            ${of.by_method.map((one) => linesOf(visit, of, { title: methodNamed(one.method), sum: one }))}
            <div class="total">
              <dt>${words.total}</dt>
              <dd>${money(of.net_minor, of.currency)}</dd>
            </div>
          </dl>
        </div>
      </section>
      ${
        of.by_hand.length > 0 &&
        html`<section>
          <h2>${words.byHand}</h2>
          ${peopleOf(visit, of, nameOf)}
          <p class="soft small">${words.byHandWhat}</p>
        </section>`
      }
    </div>`;
}

/** The money that each person took, and hands over. */
function peopleOf(visit: Visit, of: OfCurrency, nameOf: NameOf): Html[] {
  const byPerson = Map.groupBy(of.by_hand, ({ actor: { type, id } }) => `${type} ${id}`);
  return [...byPerson.values()].map((lines) => {
    const name = lines[0] === undefined ? "" : toldAs(lines[0].actor, nameOf(lines[0].actor));
    const net = lines.reduce((sum, { net_minor: one }) => sum + one, 0);
    return html`<div class="bill">
      <h3>${name}</h3>
      <dl>
        ${lines.map((one) => linesOf(visit, of, { title: methodNamed(one.method), sum: one }))}
        <div class="total">
          <dt>${words.total}</dt>
          <dd>${money(net, of.currency)}</dd>
        </div>
      </dl>
    </div>`;
  });
}

/** The money that came in, and what went back if anything did. */
function linesOf(
  { store }: Visit,
  { currency }: OfCurrency,
  { title, sum }: { readonly title: string; readonly sum: Sum },
): Html {
  const line = (what: string, minor: number) =>
    html`<div>
      <dt>${title}, ${what}</dt>
      <dd>${amountIn(store.currency, minor, currency)}</dd>
    </div>`;
  return html`${sum.payments > 0 && line(words.received(sum.payments), sum.received_minor)}
  ${sum.corrected_minor !== 0 && line(words.corrected, sum.corrected_minor)}
  ${sum.refunds > 0 && line(words.refunded(sum.refunds), -sum.refunded_minor)}`;
}

function toldAs({ type }: ByHand["actor"], name: string | null): string {
  if (type === "person") return name ?? words.left;
  return name === null ? words.command : words.key(name);
}

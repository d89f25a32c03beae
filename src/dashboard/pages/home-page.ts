// The first look of the day: what came in, what waits, what was last.

import { productWire } from "#catalog/products/schema.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import { longDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { orderRow } from "#dashboard/orders/order-row.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";
import { listPeople } from "#shop/people/lookups.ts";

import { takingsOf } from "./takings.ts";
import { waitingList } from "./waiting-list.ts";

// The first steps of a shop. Each ticks itself by what the shop has, and the list goes when all are done.

interface Step {
  readonly isDone: boolean;
  readonly title: string;
  readonly what: string;
  readonly path: string;
  /** A form of this page in place of the way. */
  readonly form?: { readonly name: string; readonly button: string };
}

/** The name that a new shop has; its owner has given none yet. */
const UNNAMED = "My shop";
const words = en.home.steps;

/** The steps, for who may take them all; null when they are done. */
async function firstSteps(visit: Visit, orders: readonly OrderAnswer[]): Promise<Html | null> {
  if (visit.visitor.person.role !== "owner") return null;
  const steps = await stepsOf(visit, orders);
  const left = steps.filter(({ isDone }) => !isDone).length;
  if (left === 0) return null;
  return html`<section>
    <div class="day">
      <h2>${words.title}</h2>
      <span>${words.left(left)}</span>
    </div>
    <ol class="steps">
      ${steps.map((step) => stepOf(visit, step))}
    </ol>
  </section>`;
}

function stepOf(visit: Visit, { isDone, title, what, path, form }: Step): Html {
  return html`<li ${attribute("class", isDone && "done")}>
    ${mark(isDone ? "done" : "", isDone ? words.done : words.open)}
    <div>
      ${
        isDone || form !== undefined
          ? html`<strong>${title}</strong>`
          : html`<a href="${visit.href(path)}"><strong>${title}</strong></a>`
      }
      ${!isDone && html`<p class="soft">${what}</p>`}
    </div>
    ${!isDone && form !== undefined && seedForm(visit, form)}
  </li>`;
}

function seedForm(visit: Visit, form: { readonly name: string; readonly button: string }): Html {
  return html`<form method="post" action="${visit.href(`/${form.name}`)}">
    ${nonceField()}
    <button>${form.button}</button>
  </form>`;
}

async function stepsOf(visit: Visit, orders: readonly OrderAnswer[]): Promise<Step[]> {
  const { store, people } = visit;
  const persons = await listPeople(people.database.read);
  const isTest = visit.mode === "test";
  const order = { isDone: orders.length > 0, title: words.order, path: "/orders/new" };
  return [
    {
      isDone: store.name !== UNNAMED,
      title: words.name,
      what: words.nameWhat,
      path: "/settings/shop",
    },
    {
      isDone: await hasProducts(visit, orders),
      title: words.product,
      what: words.productWhat,
      path: "/products/new",
    },
    {
      isDone: isPaid(visit),
      title: words.payment,
      what: words.paymentWhat,
      path: "/settings/payments",
    },
    isTest
      ? { ...order, what: words.orderWhatTest, form: { name: "seed", button: words.seed } }
      : { ...order, what: words.orderWhat },
    {
      isDone: persons.length > 1,
      title: words.invite,
      what: words.inviteWhat,
      path: "/people/invite",
    },
  ];
}

/** Returns true if there is a product; an order of one tells as much. */
async function hasProducts(visit: Visit, orders: readonly OrderAnswer[]): Promise<boolean> {
  const lines = orders.flatMap((order) => order.line_items);
  if (lines.some((line) => line.variant_id !== null)) return true;
  const { data } = await visit.list(productWire, "GET /v2/products", { query: { limit: "1" } });
  return data.length > 0;
}

/** Returns true if the owner has settled how to be paid: a way is closed, has a gateway, or says where to pay. */
function isPaid({ store }: Visit): boolean {
  return Object.values(store.payment_methods).some(
    ({ enabled, by, instructions }) => !enabled || by === "gateway" || instructions !== null,
  );
}

const LATEST = "6";

export const homePage: Page = {
  path: "",
  scopes: ["store:read"],
  show: async (visit) => {
    const orders = await latestOf(visit);
    const steps = await firstSteps(visit, orders);
    return {
      title: en.nav.home,
      follows: "order",
      body: html`<div class="heading"><h1>${longDayOf(visit.now, visit.when)}</h1></div>
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        ${orders.length === 0 ? (steps ?? noOrders) : html`${await dayOf(visit)} ${latest(visit, orders)} ${steps}`}`,
    };
  },
  forms: { seed: { route: "POST /v2/test/seed", doneMessage: "seeded" } },
};

/** The words for a person in an empty shop who does not set it up. */
const noOrders = emptyList(en.orders.empty.all, en.home.noOrdersWhat);

async function latestOf(visit: Visit): Promise<readonly OrderAnswer[]> {
  if (!visit.may("orders:read")) return [];
  const { data } = await visit.list(orderWire, "GET /v2/orders", { query: { limit: LATEST } });
  return data;
}

/** The takings, and what waits beside them where there is room. */
async function dayOf(visit: Visit): Promise<Html> {
  return html`<div class="halves">
    <div class="stack">${await takingsOf(visit)}</div>
    ${visit.waiting !== null && waitingList(visit, visit.waiting)}
  </div>`;
}

function latest(visit: Visit, orders: readonly OrderAnswer[]): Html {
  const rows = orders.map((order) => orderRow(visit, order, { isUnderDay: false }));
  return html`<section>
    <div class="day">
      <h2>${en.home.latest}</h2>
      <a class="small" href="${visit.href("/orders?show=all")}">${en.home.allOrders}</a>
    </div>
    <ol class="rows orders">
      ${rows}
    </ol>
  </section>`;
}

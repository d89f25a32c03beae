// The first steps of a shop. Each ticks itself by what the shop has, and the list goes when all are done.

import { productWire } from "#catalog/products/schema.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { listPeople } from "#shop/people/lookups.ts";

import { nonceField } from "../parts/field.ts";
import { mark, type Order } from "../parts/order-words.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

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
export async function firstSteps(visit: Visit, orders: readonly Order[]): Promise<Html | null> {
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

async function stepsOf(visit: Visit, orders: readonly Order[]): Promise<Step[]> {
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

/** Whether there is a product; an order of one tells as much. */
async function hasProducts(visit: Visit, orders: readonly Order[]): Promise<boolean> {
  const lines = orders.flatMap((order) => order.line_items);
  if (lines.some((line) => line.variant_id !== null)) return true;
  const { data } = await visit.list(productWire, "GET /v2/products", { query: { limit: "1" } });
  return data.length > 0;
}

/** Whether the owner has settled how to be paid: a way is closed, has a gateway, or says where to pay. */
function isPaid({ store }: Visit): boolean {
  return Object.values(store.payment_methods).some(
    ({ enabled, by, instructions }) => !enabled || by === "gateway" || instructions !== null,
  );
}

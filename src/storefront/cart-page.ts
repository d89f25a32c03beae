// The cart: its lines, a code, what it comes to, and the way to the checkout.

import type { Static } from "typebox";

import { nullIfGone } from "#dashboard/kit/asker.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import { cartWire } from "#sales/carts/schema.ts";

import { readCartCookie } from "./cart-cookie.ts";
import { shopResponse } from "./frame.ts";
import { picture } from "./goods.ts";
import type { ShopVisit } from "./shop-visit.ts";

export type Cart = Static<(typeof cartWire)["schema"]>;
type Line = Cart["line_items"][number];

/** The cart of the visitor that can still be changed; null for none. */
export async function findCart({ request, terms, asker }: ShopVisit): Promise<Cart | null> {
  const id = readCartCookie(request, terms);
  if (id === "") return null;
  const cart = await asker
    .ask(cartWire, "GET /v2/carts/{id}", { params: { id } })
    .catch(nullIfGone);
  return cart === null || cart.status === "completed" || cart.status === "expired" ? null : cart;
}

interface Shown {
  /** The sentence about what was refused. */
  readonly problem?: string;
  readonly status?: number;
}

export async function cartPage(
  visit: ShopVisit,
  { problem, status = 200 }: Shown = {},
): Promise<Response> {
  const cart = await findCart(visit);
  const { basket } = visit.words;
  const isEmpty = cart === null || cart.line_items.length === 0;
  const main = html`<div class="wrap">
    <h1 class="page">${basket.heading}</h1>
    ${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}
    ${
      isEmpty
        ? html`<div class="alone">
            <p>${basket.empty}</p>
            <a class="button go" href="${visit.path("/c")}">${basket.look}</a>
          </div>`
        : filled(visit, cart)
    }
  </div>`;
  return shopResponse(visit, { title: basket.heading, main, status, isPrivate: true });
}

function filled(visit: ShopVisit, cart: Cart): Html {
  const { basket } = visit.words;
  return html`<div class="basket">
    <ul class="rows">
      ${cart.line_items.map((line) => row(visit, cart, line))}
    </ul>
    <aside class="bill">
      ${codes(visit, cart)} ${sums(visit, cart)}
      <p class="soft small">${basket.later}</p>
      <form method="post" action="${visit.path("/cart/checkout")}">
        <button class="go full">${basket.checkout}</button>
      </form>
      <p class="small"><a href="${visit.path("/c")}">${basket.onward}</a></p>
    </aside>
  </div>`;
}

function row(visit: ShopVisit, { currency }: Cart, line: Line): Html {
  const { basket } = visit.words;
  const name = line.name ?? visit.front.words.item;
  const each = line.unit_price_minor;
  const action = visit.path("/cart/change");
  return html`<li>
    ${picture(visit, line.image ?? undefined, { alt: "", sizes: "7rem" })}
    <div class="what">
      <p class="name">${shownName(visit, line)}</p>
      ${each !== null && line.quantity > 1 && html`<p class="soft small">${basket.each(visit.amount(each, currency))}</p>`}
      ${line.problem !== null && html`<p class="fault">${problemOf(visit, line)}</p>`}
    </div>
    <p class="sum">
      ${line.subtotal_minor !== null && line.subtotal_minor !== undefined && visit.amount(line.subtotal_minor, currency)}
    </p>
    <form class="count-of" method="post" action="${action}">
      <input type="hidden" name="line" value="${line.id ?? ""}" />
      <input
        name="quantity"
        type="number"
        inputmode="numeric"
        min="1"
        value="${line.quantity}"
        required
        aria-label="${basket.quantity(isolated(name))}"
      />
      <button class="small">${basket.update}</button>
      <button
        class="small quiet"
        name="remove"
        value="1"
        formnovalidate
        aria-label="${basket.removeOf(isolated(name))}"
      >
        ${basket.remove}
      </button>
    </form>
  </li>`;
}

/** The name as a link to the product, where it can still be seen. */
function shownName(visit: ShopVisit, line: Line): Html {
  const name = line.name ?? visit.front.words.item;
  if (line.product_slug === null || line.product_slug === undefined) return html`${name}`;
  const href = `${visit.path(`/p/${line.product_slug}`)}?v=${line.variant_id}`;
  return html`<a href="${href}">${name}</a>`;
}

/** The sentence about a line that cannot be sold as it is. */
function problemOf({ words }: ShopVisit, { problem, available }: Line): string {
  const isShort = problem === "insufficient_stock" && available !== null && available > 0;
  return isShort ? words.basket.short(available) : words.basket.gone;
}

function codes(visit: ShopVisit, cart: Cart): Html {
  const { basket } = visit.words;
  const action = visit.path("/cart/code");
  return html`${cart.discount_codes.map(
      (code) =>
        html`<form class="code" method="post" action="${action}">
          <input type="hidden" name="drop" value="${code}" /><span>${code}</span>
          <button class="small quiet" aria-label="${basket.removeOf(isolated(code))}">
            ${basket.remove}
          </button>
        </form>`,
    )}
    ${cart.rejected_codes.map(({ code }) => html`<p class="fault" role="status">${basket.codeGone(isolated(code))}</p>`)}
    <details class="narrow">
      <summary>${basket.code}</summary>
      <form class="code" method="post" action="${action}">
        <input name="code" maxlength="40" required aria-label="${basket.code}" autocomplete="off" />
        <button class="small">${basket.apply}</button>
      </form>
    </details>`;
}

function sums(visit: ShopVisit, cart: Cart): Html {
  const { basket } = visit.words;
  const { currency } = cart;
  const between: readonly (readonly [string, number])[] = [
    [basket.subtotal, cart.subtotal_minor],
    [basket.discount, -cart.discount_total_minor],
    [cart.shipping?.label ?? visit.front.words.sums.shipping, cart.shipping_total_minor],
    [basket.tax, cart.tax_total_minor],
  ];
  const parts = between.filter(([, minor], at) => at === 0 || minor !== 0);
  return html`<dl class="sums">
    ${
      parts.length > 1 &&
      parts.map(
        ([label, minor]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${visit.amount(minor, currency)}</dd>
          </div>`,
      )
    }
    <div class="total">
      <dt>${basket.total}</dt>
      <dd>${visit.amount(cart.total_minor, currency)}</dd>
    </div>
  </dl>`;
}

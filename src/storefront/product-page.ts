// The page of a product: pictures, options, price, state, and the one button. Without script the customer sees the
// price of the choice that the page was asked for, and the cart refuses a combination that there is not.

import { productWire } from "#catalog/products/schema.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { shopResponse } from "./frame.ts";
import {
  fewLeft,
  goods,
  isSoldOut,
  minorOf,
  picture,
  priceIn,
  priceText,
  type Variant,
} from "./goods.ts";
import { notFound } from "./lone-page.ts";
import type { Product, ShopVisit } from "./shop-visit.ts";

/** As many as a page shows beside the product. */
const RELATED = 4;
/** The most units that the select offers; more are typed in the cart. */
const QUANTITY_OFFERED = 10;
/** Search engines show so many characters. */
const DESCRIPTION_LENGTH = 155;

/** The page; a former slug leads to the current one. */
export async function productPage(visit: ShopVisit, slug: string): Promise<Response> {
  const product = await findProduct(visit, { slug });
  if (product === null) return notFound(visit);
  if (product.slug !== slug) {
    const Location = visit.path(`/p/${product.slug}`);
    return new Response(null, { status: 301, headers: { Location } });
  }
  return shownProduct(visit, product, { asked: visit.url.searchParams.get("v") });
}

/** The first product that passes the filters; null for none. */
async function findProduct(
  { asker }: ShopVisit,
  filters: Readonly<Record<string, string>>,
): Promise<Product | null> {
  const query = { ...filters, limit: "1" };
  const { data } = await asker.list(productWire, "GET /v2/products", { query });
  return data[0] ?? null;
}

interface Choice {
  /** The id of the variant that is asked for; null for none. */
  readonly asked: string | null;
  /** The sentence about a choice that was refused. */
  readonly problem?: string;
  readonly status?: number;
}

export async function shownProduct(
  visit: ShopVisit,
  product: Product,
  { asked, problem, status = 200 }: Choice,
): Promise<Response> {
  const { asker, words, front } = visit;
  const params = { id: product.id };
  const query = { limit: String(RELATED) };
  const related = await asker.list(productWire, "GET /v2/products/{id}/related", { params, query });
  const chosen = chosenOf(product, asked);
  const main = html`<div class="wrap">
      <nav aria-label="${words.hereYouAre}">
        <ol class="crumbs">
          <li><a href="${visit.path("/")}">${front.name}</a></li>
          <li><a href="${visit.path("/c")}">${words.all}</a></li>
          <li aria-current="page">${product.name}</li>
        </ol>
      </nav>
      <div class="product">
        ${gallery(visit, product, chosen)} ${buyForm(visit, product, { chosen, problem })}
      </div>
      ${
        related.data.length > 0 &&
        html`<section>
          <div class="head"><h2>${words.product.related}</h2></div>
          ${goods(visit, related.data)}
        </section>`
      }
    </div>
    ${bar(visit, product, chosen)}`;
  return shopResponse(visit, {
    title: product.seo?.title ?? product.name,
    description: product.seo?.description ?? product.description.slice(0, DESCRIPTION_LENGTH),
    main,
    status,
  });
}

/** The variant that is asked for, or the first that can be ordered. */
function chosenOf({ variants }: Product, asked: string | null): Variant | undefined {
  return (
    variants.find(({ id }) => id === asked) ?? variants.find((one) => one.in_stock) ?? variants[0]
  );
}

function gallery(visit: ShopVisit, product: Product, chosen: Variant | undefined): Html {
  const own = chosen?.image ?? null;
  const images =
    own === null ? product.images : [own, ...product.images.filter(({ url }) => url !== own.url)];
  const sizes = "(min-width: 60rem) 40rem, 86vw";
  if (images.length === 0) {
    return html`<ul class="gallery">
      <li>${picture(visit, undefined, { alt: "", sizes })}</li>
    </ul>`;
  }
  return html`<ul class="gallery" tabindex="0" aria-label="${visit.words.product.pictures}">
    ${images.map(
      (image, at) =>
        html`<li>${picture(visit, image, { alt: image.alt, sizes, isFirst: at === 0 })}</li>`,
    )}
  </ul>`;
}

interface Chosen {
  readonly chosen: Variant | undefined;
  readonly problem: string | undefined;
}

function buyForm(visit: ShopVisit, product: Product, { chosen, problem }: Chosen): Html {
  const { words } = visit;
  const price = chosen && priceIn(visit, chosen);
  return html`<form class="buy" id="buy" method="post" action="${visit.path("/cart/add")}">
    <div>
      ${product.brand !== null && html`<p class="brand">${product.brand}</p>`}
      <h1>${product.name}</h1>
    </div>
    ${problem !== undefined && html`<p class="notice" role="alert">${problem}</p>`}
    ${price !== undefined && html`<p class="price">${priceText(visit, price)}</p>`}
    ${choices(visit, product, chosen)} ${state(visit, product, chosen)}
    ${
      canBeBought(visit, product) &&
      html`<div class="take">
        <label class="unseen" for="q">${words.product.howMany}</label>
        <select id="q" name="quantity">
          ${upTo(chosen).map((units) => html`<option value="${units}">${units}</option>`)}
        </select>
        <button class="go">${words.product.add}</button>
      </div>`
    }
    ${paragraphs(product.description)} ${pairs(visit, chosen)}
  </form>`;
}

/** The numbers of units that the select offers, as far as the chosen variant is in stock. */
function upTo(chosen: Variant | undefined): readonly number[] {
  const most = Math.min(QUANTITY_OFFERED, Math.max(1, chosen?.available ?? QUANTITY_OFFERED));
  return Array.from({ length: most }, (_, at) => at + 1);
}

function canBeBought(visit: ShopVisit, product: Product): boolean {
  return !isSoldOut(product) && product.variants.some((one) => priceIn(visit, one) !== undefined);
}

/** Chips of each option, or of the variants where they have none. */
function choices(visit: ShopVisit, product: Product, chosen: Variant | undefined): Html {
  const { id, options, variants } = product;
  const only = html`<input type="hidden" name="variant_id" value="${chosen?.id ?? ""}" />`;
  if (variants.length <= 1) return only;
  if (options.length === 0) {
    const chips = variants.map((one) => ({
      value: one.id,
      label: one.title,
      isChosen: one === chosen,
      isIn: one.in_stock,
    }));
    return chipSet(visit, { name: "variant_id", legend: visit.words.product.variant, chips });
  }
  return html`<input type="hidden" name="product_id" value="${id}" /> ${options.map(
      ({ name, values }, at) =>
        chipSet(visit, {
          name: `o${at}`,
          legend: name,
          chips: values.map((value) => ({
            value,
            label: value,
            isChosen: chosen?.options[name] === value,
            isIn: variants.some((one) => one.options[name] === value && one.in_stock),
          })),
        }),
    )}`;
}

interface Chip {
  readonly value: string;
  readonly label: string;
  readonly isChosen: boolean;
  /** True if a unit can be ordered. */
  readonly isIn: boolean;
}

interface ChipSet {
  readonly name: string;
  readonly legend: string;
  readonly chips: readonly Chip[];
}

function chipSet({ words }: ShopVisit, { name, legend, chips }: ChipSet): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    <div class="chips">
      ${chips.map(
        ({ value, label, isChosen, isIn }) =>
          html`<label
            ><input
              type="radio"
              name="${name}"
              value="${value}"
              required
              ${attribute("checked", isChosen && isIn)}
              ${attribute("disabled", !isIn)}
            />${label}${!isIn && html`<span class="unseen">${words.product.soldOutMark}</span>`}</label
          >`,
      )}
    </div>
  </fieldset>`;
}

/** A mark and a word. */
function state(visit: ShopVisit, product: Product, chosen: Variant | undefined): Html {
  const { words } = visit;
  if (isSoldOut(product)) return html`<p class="state out">${words.product.soldOut}</p>`;
  if (!canBeBought(visit, product))
    return html`<p class="state out">${words.product.notPriced}</p>`;
  const left = chosen === undefined ? null : fewLeft([chosen]);
  if (left !== null) return html`<p class="state few">${words.product.onlyLeft(left)}</p>`;
  return html`<p class="state">${words.product.inStock}</p>`;
}

function paragraphs(text: string): Html | null {
  const parts = text.split(/\n{2,}/).filter((part) => part.trim() !== "");
  if (parts.length === 0) return null;
  return html`<div class="prose">${parts.map((part) => html`<p>${part}</p>`)}</div>`;
}

function pairs({ words }: ShopVisit, chosen: Variant | undefined): Html | null {
  const shown: readonly (readonly [string, string | null])[] = [
    [words.product.number, chosen?.sku ?? null],
    [words.product.weight, gramsOf(words, chosen)],
  ];
  const told = shown.filter(([, value]) => value !== null);
  if (told.length === 0) return null;
  return html`<dl class="pairs">
    ${told.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function gramsOf({ product }: ShopVisit["words"], chosen: Variant | undefined): string | null {
  const grams = chosen?.weight_grams ?? null;
  return grams === null ? null : product.grams(grams);
}

/** On a phone the button is at the thumb. */
function bar(visit: ShopVisit, product: Product, chosen: Variant | undefined): Html | null {
  const price = chosen && priceIn(visit, chosen);
  if (price === undefined || !canBeBought(visit, product)) return null;
  return html`<div class="bar">
    <div>
      <p class="name">${product.name}</p>
      <p class="price">${visit.amount(minorOf(price), price.currency)}</p>
    </div>
    <button class="go" form="buy">${visit.words.product.add}</button>
  </div>`;
}

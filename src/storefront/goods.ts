// Products as the collections of the shop show them: a picture, a name, a price, and a mark. Pure.

import { DAY_MS } from "#kernel/time.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { icon } from "./icons.ts";
import type { Product, ShopVisit } from "./shop-visit.ts";

export type Variant = Product["variants"][number];
type Price = Variant["prices"][number];
type Image = Product["images"][number];

/** So long is a product new. */
const NEW_MS = 14 * DAY_MS;
/** So few are told. */
const FEW = 5;
/** The side of a linked picture, which tells no size: the style crops it. */
const SIDE_DEFAULT = 400;

/** The price of a variant in the currency of the shop. */
export function priceIn(visit: ShopVisit, { prices }: Variant): Price | undefined {
  return prices.find(({ currency }) => currency === visit.storefront.currency);
}

/** The lowest price of the product, of what can be ordered if something can; undefined for none in the currency. */
function lowestPrice(visit: ShopVisit, variants: readonly Variant[]): Price | undefined {
  const inStock = variants.filter((one) => one.in_stock);
  const prices = (inStock.length > 0 ? inStock : variants).flatMap(
    (one) => priceIn(visit, one) ?? [],
  );
  return prices.toSorted((one, other) => minorOf(one) - minorOf(other))[0];
}

export function minorOf({ amount_minor }: Price): number {
  return amount_minor ?? 0;
}

/** A price, and the former one beside it where there is a higher one. */
export function priceText(visit: ShopVisit, price: Price): Html {
  const { currency, compare_at_minor: former } = price;
  const now = visit.amount(minorOf(price), currency);
  if (former === undefined || former === null || former <= minorOf(price)) return html`${now}`;
  return html`<span class="now">${now}</span>
    <s><span class="unseen">${visit.words.former} </span>${visit.amount(former, currency)}</s>`;
}

/** The units that are left of what can be ordered; null where there are enough, or they are not counted. */
export function fewLeft(variants: readonly Variant[]): number | null {
  const inStock = variants.filter((one) => one.in_stock);
  const counts = inStock.map(({ available }) => available);
  const counted = counts.filter((count) => count !== null);
  const sum = counted.reduce((total, count) => total + count, 0);
  return counted.length === counts.length && sum > 0 && sum <= FEW ? sum : null;
}

export function isSoldOut({ variants }: Pick<Product, "variants">): boolean {
  return variants.every((one) => !one.in_stock);
}

interface Mark {
  readonly text: string;
  readonly isSale: boolean;
}

function markOf(visit: ShopVisit, product: Product, price: Price | undefined): Mark | null {
  const { marks } = visit.words;
  if (isSoldOut(product)) return { text: marks.soldOut, isSale: false };
  const former = price?.compare_at_minor ?? 0;
  if (price !== undefined && former > minorOf(price)) {
    const percent = Math.round((1 - minorOf(price) / former) * 100);
    return { text: `−${visit.front.words.percent(percent)}`, isSale: true };
  }
  const left = fewLeft(product.variants);
  if (left !== null) return { text: marks.left(left), isSale: false };
  const ageMs = visit.terms.shop.clock.now() - Date.parse(product.created_at);
  return ageMs < NEW_MS ? { text: marks.new, isSale: false } : null;
}

/** A card, which leads to the product as a whole. */
function card(visit: ShopVisit, product: Product): Html {
  const price = lowestPrice(visit, product.variants);
  const mark = markOf(visit, product, price);
  const amounts = new Set(
    product.variants.flatMap((one) => priceIn(visit, one) ?? []).map(minorOf),
  );
  const shown = price === undefined ? null : priceText(visit, price);
  return html`<li class="${isSoldOut(product) ? "good gone" : "good"}">
    ${mark !== null && html`<span class="${mark.isSale ? "mark sale" : "mark"}">${mark.text}</span>`}
    <div class="picture">
      ${picture(visit, product.images[0], { alt: "", sizes: "(min-width: 68rem) 18rem, (min-width: 48rem) 30vw, 46vw" })}
    </div>
    <h2><a href="${visit.path(`/p/${product.slug}`)}">${product.name}</a></h2>
    ${
      shown !== null &&
      html`<p class="price">
        ${amounts.size > 1 && !shown.text.includes("<s>") ? visit.words.from(shown.text) : shown}
      </p>`
    }
  </li>`;
}

/** Products on a shelf. */
export function goods(visit: ShopVisit, products: readonly Product[]): Html {
  return html`<ul class="shelf">
    ${products.map((one) => card(visit, one))}
  </ul>`;
}

export interface Shown {
  /** Empty where the words beside it say the same. */
  readonly alt: string;
  /** The width of the `img` in the layout, as `sizes` has it. */
  readonly sizes: string;
  /** True for the picture that is seen first. */
  readonly isFirst?: boolean;
}

/** A picture in the size that the browser chooses; a drawn one where the product has none. */
export function picture(
  visit: ShopVisit,
  image: Image | undefined,
  { alt, sizes, isFirst = false }: Shown,
): Html {
  if (image === undefined) return html`<span class="blank">${icon("goods")}</span>`;
  const files = (image.sizes ?? []).map(({ width, url }) => `${visit.source(url)} ${width}w`);
  return html`<img
    src="${visit.source(image.url)}"
    ${files.length > 1 && [attribute("srcset", files.join(", ")), attribute("sizes", sizes)]}
    alt="${alt}"
    width="${image.width ?? SIDE_DEFAULT}"
    height="${image.height ?? SIDE_DEFAULT}"
    ${isFirst ? attribute("fetchpriority", "high") : attribute("loading", "lazy")}
  />`;
}

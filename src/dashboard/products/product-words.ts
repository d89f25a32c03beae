// A product as its list and its pages show it: picture, price from the lowest to the highest, and what is left.

import type { Static } from "typebox";

import type { productWire, variantWire } from "#catalog/products/schema.ts";
import { icon } from "#dashboard/kit/icons.ts";
import { amountIn } from "#dashboard/kit/parts/money.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

export type Product = Static<(typeof productWire)["schema"]>;
export type Variant = Static<(typeof variantWire)["schema"]>;

/** The title of the only variant of a product that has no choice. */
const PLAIN_TITLE = "Default";

/** The variant as it is named beside its product: the product's name where it has no title of its own. */
export function variantName(product: Pick<Product, "name">, { title }: Variant): string {
  return title === PLAIN_TITLE ? product.name : title;
}

/** The first picture, or a drawn parcel; `width` is how wide it is shown. */
export function thumb(
  visit: Visit,
  { images }: Pick<Product, "images">,
  width: "3.5rem" | "20rem" = "3.5rem",
): Html {
  const [image] = images;
  if (image === undefined) return html`<span class="thumb">${icon("goods")}</span>`;
  return picture(visit, image, width);
}

/** The smallest file is sharp enough for a thumb, and the browser chooses for what is wider. */
export function picture(
  visit: Visit,
  { url, sizes }: Product["images"][number],
  width: "3.5rem" | "5rem" | "20rem",
): Html {
  const files = sizes.map((size) => `${sourceOf(visit, size.url)} ${size.width}w`);
  return html`<img
    class="thumb"
    src="${sourceOf(visit, sizes[0]?.url ?? url)}"
    ${width === "20rem" && files.length > 1 && [attribute("srcset", files.join(", ")), attribute("sizes", width)]}
    alt=""
    loading="lazy"
    width="56"
    height="56"
  />`;
}

/** A picture of this server at the host that the browser named: the policy lets in no other one without https. */
function sourceOf({ dashboardUrl }: Visit, url: string): string {
  return url.startsWith(`${dashboardUrl}/`) ? url.slice(dashboardUrl.length) : url;
}

/** The price in the shop's currency, from the lowest to the highest. */
export function priceSpan(visit: Visit, variants: readonly Variant[]): Html {
  const { currency } = visit.store;
  const prices = variants.flatMap((variant) => variant.prices);
  const own = prices.filter((price) => price.currency === currency);
  const shown = own.length > 0 ? own : prices.slice(0, 1);
  const [first] = shown;
  if (first === undefined) return html`<span class="soft">${en.goods.noPrice}</span>`;
  const amounts = shown.map((price) => price.amount_minor);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const from = amountIn(currency, least, first.currency);
  return least === most ? from : html`${from} – ${amountIn(currency, most, first.currency)}`;
}

/** How many can still be sold, in words. */
export function leftOf(variants: readonly Pick<Variant, "available">[]): string {
  const { goods } = en;
  let units = 0;
  for (const { available } of variants) {
    if (available === null) return goods.uncounted;
    units += available;
  }
  if (units === 0) return goods.soldOut;
  return units < 0 ? goods.short(-units) : goods.left(units);
}

export function statusMark({ status }: Pick<Product, "status">): Html {
  const looks = { active: "done", draft: "", archived: "off" } as const;
  return mark(looks[status], en.goods.status[status]);
}

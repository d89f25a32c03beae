// The first page of the shop: three arches, what a customer asks first, the newest products, and the collections.

import { productWire } from "#catalog/products/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import { menuOf, shopResponse } from "./frame.ts";
import { goods, picture } from "./goods.ts";
import { icon } from "./icons.ts";
import type { Collection, Product, ShopVisit } from "./shop-visit.ts";

/** Two rows on a wide screen. */
const NEWEST = 8;
/** So many countries are named. */
const COUNTRIES_NAMED = 3;

export async function homePage(visit: ShopVisit): Promise<Response> {
  const { words, front, asker } = visit;
  const query = { limit: String(NEWEST) };
  const { data: newest } = await asker.list(productWire, "GET /v2/products", { query });
  const collections = await menuOf(visit);
  const main = html`${hero(visit, newest)}
    <div class="wrap">
      ${facts(visit)}
      ${
        newest.length > 0 &&
        html`<section>
          <div class="head">
            <h2>${words.newest}</h2>
            <a href="${visit.path("/c")}">${words.allNew}</a>
          </div>
          ${goods(visit, newest)}
        </section>`
      }
      ${
        collections.length > 0 &&
        html`<section>
          <div class="head"><h2>${words.collections}</h2></div>
          <ul class="names">
            ${collections.map((one) => name(visit, one))}
          </ul>
        </section>`
      }
    </div>`;
  return shopResponse(visit, { title: front.name, main });
}

/** The newest pictures, the first in the middle. */
function hero(visit: ShopVisit, newest: readonly Product[]): Html {
  const { words, front } = visit;
  const [middle, left, right] = newest.filter(({ images }) => images.length > 0);
  const arch = (product: Product | undefined, isFirst: boolean) =>
    product !== undefined &&
    picture(visit, product.images[0], {
      alt: "",
      sizes: "(min-width: 60rem) 20rem, 46vw",
      isFirst,
    });
  return html`<div class="hero">
    ${
      middle !== undefined &&
      html`<figure class="${right === undefined ? "arches one" : "arches"}">
        ${right !== undefined && arch(left, false)} ${arch(middle, true)} ${arch(right, false)}
      </figure>`
    }
    <div class="text">
      <h1>${front.name}</h1>
      ${front.supportLine !== null && html`<p>${front.supportLine}</p>`}
      <div class="acts2">
        <a class="button go" href="${visit.path("/c")}">${words.seeNew}</a>
        <a class="button" href="${visit.path("/search")}">${words.searchFor}</a>
      </div>
    </div>
  </div>`;
}

function facts(visit: ShopVisit): Html | null {
  const { words, storefront } = visit;
  const { ships_to: countries, pickup, payment_methods: methods } = storefront;
  const lines = [
    countries !== null &&
      countries.length > 0 &&
      html`<li>${icon("van")}<span>${words.delivers(countryNames(visit, countries))}</span></li>`,
    pickup && html`<li>${icon("stall")}<span>${words.collects}</span></li>`,
    methods.length > 0 &&
      html`<li>
        ${icon("phone")}<span
          >${listed(
            visit,
            methods.map(({ label }) => label),
          )}</span
        >
      </li>`,
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return html`<ul class="facts">
    ${lines}
  </ul>`;
}

function countryNames(visit: ShopVisit, codes: readonly string[]): string {
  if (codes.length > COUNTRIES_NAMED) return visit.words.countries(codes.length);
  const names = new Intl.DisplayNames([visit.front.language], { type: "region" });
  return listed(
    visit,
    codes.map((code) => names.of(code) ?? code),
  );
}

function listed({ front }: ShopVisit, names: readonly string[]): string {
  return new Intl.ListFormat(front.language, { type: "conjunction" }).format(names);
}

function name(visit: ShopVisit, { slug, title, image }: Collection): Html {
  return html`<li>
    <a href="${visit.path(`/c/${slug}`)}"
      ><span>${title}</span>
      ${image !== null && picture(visit, image, { alt: "", sizes: "6.5rem" })}</a
    >
  </li>`;
}

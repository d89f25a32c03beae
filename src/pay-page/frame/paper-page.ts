// The document of a page in the look of `shop.css`, and the policy under which it is whole. Invariant: a page runs no
// script, and loads nothing but the files of the shop, pictures, and the style that has its color.

import type { Mode } from "#platform/database/shop.ts";
import { ownPaths } from "#platform/html/html-document.ts";
import { attribute, type Html, html, trusted } from "#platform/html/html.ts";
import { tagOf } from "#shop/store/branding.ts";

import { brandTokens } from "./brand.ts";
import { SHOP_ASSETS, shopAsset } from "./shop-assets.ts";
import type { Shopfront } from "./shop-frame.ts";

export interface PaperPage {
  readonly shop: Shopfront;
  readonly mode: Mode;
  readonly title: string;
  /** Elements of the head beside those that every page has. */
  readonly head: Html;
  /** The bar at the top, below the border of cloth. */
  readonly header: Html | null;
  readonly main: Html;
  readonly footer: Html | null;
}

/** The whole document. */
export function paperPage({ shop, mode, title, head, header, main, footer }: PaperPage): string {
  const { name, words, brandColor } = shop;
  const isTest = mode === "test";
  return html`<!doctype html>
    <html lang="${tagOf(shop.language, shop.locale)}" ${attribute("class", isTest && "test")}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${name === "" || title === name ? title : `${title} · ${name}`}</title>
        ${head}
        <link rel="stylesheet" href="${shopAsset("shop.css")}" />
        ${trusted(`<style>${brandTokens(brandColor)}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">${words.skip}</a>
        <div class="cloth"></div>
        ${isTest && html`<p class="said" role="status">${words.testMode}</p>`} ${header}
        <main id="main">${main}</main>
        ${footer}
      </body>
    </html> `.text;
}

interface PolicyTerms {
  readonly publicUrl: string;
  /** The paths of this server from which pictures are shown, beside those of any https address. */
  readonly pictures: readonly string[];
  /** The paths to which forms lead. */
  readonly forms: readonly string[];
}

/** The policy of the page in the color. */
export function paperPolicy(
  request: Request,
  color: string | null,
  { publicUrl, pictures, forms }: PolicyTerms,
): string {
  const own = (paths: readonly string[]) => ownPaths(request, { publicUrl, paths });
  const digest = new Bun.CryptoHasher("sha256").update(brandTokens(color)).digest("base64");
  return [
    "default-src 'none'",
    `style-src ${own([SHOP_ASSETS])} 'sha256-${digest}'`,
    `font-src ${own([SHOP_ASSETS])}`,
    `img-src https: ${own(pictures)}`,
    `form-action ${forms.length === 0 ? "'none'" : own(forms)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** The bar of a page without a menu: who the shop is. */
export function plainHeader({ name, logoUrl }: Shopfront): Html | null {
  if (name === "") return null;
  return html`<header class="wrap">
    <p class="shop">
      ${logoUrl !== null && html`<img src="${logoUrl}" alt="" />`}<span>${name}</span>
    </p>
  </header>`;
}

// The frame of a page for customers: the shop's logo, name and color above, its contact and line below. Invariant:
// a page loads nothing but the logo, from the one address that the shop named, and runs no script.

import type { Mode } from "#platform/database/shop.ts";
import { pagePolicy, SANDBOX } from "#platform/html/content-policy.ts";
import { htmlDocument } from "#platform/html/html-document.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { type Branding, plainBranding } from "#shop/store/branding/branding.ts";

import { brandStyle } from "./brand.ts";
import { en } from "./words.ts";

/** What a page shows of its shop. */
export interface Shopfront extends Branding {
  readonly name: string;
}

/** The frame of a page of no shop. */
export const noShopfront: Shopfront = { ...plainBranding, name: "" };

export interface FramedPage {
  readonly shop: Shopfront;
  readonly mode: Mode;
  readonly title: string;
  /** The style of the page's family. */
  readonly style: string;
  /** The class of the main part. */
  readonly state: string | null;
  readonly body: Html;
}

/** A page with what its policy has to allow. */
export interface ShownPage {
  readonly text: string;
  readonly style: string;
  readonly logoUrl: string | null;
}

/** Renders a page within the frame of its shop. */
export function framePage({ shop, mode, title, style, state, body }: FramedPage): ShownPage {
  const { name, logoUrl, locale } = shop;
  const whole = `${style}${FRAME_STYLE}${brandStyle(shop.brandColor)}`;
  const text = htmlDocument({
    language: languageOf(locale),
    title: name === "" ? title : `${title} · ${name}`,
    style: whole,
    body: html`${name !== "" && renderHeader(shop, mode)}
      <main ${attribute("class", state)}>${body}</main>
      ${renderFooter(shop)}`,
  });
  return { text, style: whole, logoUrl };
}

/** Renders a heading and a sentence, where there is nothing else to show. */
export function frameFault(
  shop: Shopfront,
  fault: { readonly heading: string; readonly sentence: string; readonly style: string },
): ShownPage {
  const { heading, sentence, style } = fault;
  const body = html`<h1>${heading}</h1>
    <p>${sentence}</p>
    ${renderWayOn(shop)}`;
  return framePage({ shop, mode: "live", title: heading, style, state: null, body });
}

/** Where the customer of a paid order looks again, and goes on. */
export function renderThanks(shop: Shopfront): Html {
  return html`<div class="thanks">
    <p class="remark">${en.thanks.again}</p>
    ${renderWayOn(shop)}
  </div>`;
}

/** A link to the shop; nothing where it named no address. */
export function renderWayOn({ name, websiteUrl }: Shopfront): Html | null {
  if (websiteUrl === null) return null;
  return html`<p><a class="button" href="${websiteUrl}">${en.visit(name)}</a></p>`;
}

/** The answer with a page whose forms lead to `formAction`. */
export function answerPage(status: number, page: ShownPage, formAction: string): Response {
  const policy = `${pagePolicy(page.style, formAction)}${logoPolicy(page.logoUrl)}${SANDBOX}`;
  return new Response(page.text, {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
  });
}

/** A policy names no query, and its own separators only encoded. */
function logoPolicy(logoUrl: string | null): string {
  if (logoUrl === null) return "";
  const { origin, pathname } = new URL(logoUrl);
  return `; img-src ${origin}${pathname.replaceAll(";", "%3B").replaceAll(",", "%2C")}`;
}

const FRAME_STYLE = `
.brand { display: flex; gap: .75rem; align-items: center; min-width: 0; }
.logo { display: block; width: auto; height: 2.5rem; max-width: 8rem; object-fit: contain; }
footer { display: grid; gap: .5rem; text-wrap: balance; max-width: 26rem; margin: 0 auto; padding: 1.25rem; font-size: .875rem; color: var(--faint); text-align: center; overflow-wrap: anywhere; }
footer a { color: inherit; }
.contact { display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: center; }
.contact span { flex-basis: 100%; }
.thanks { display: grid; gap: .75rem; }
`;

function renderHeader({ name, logoUrl }: Shopfront, mode: Mode): Html {
  return html`<header>
    <div class="brand">
      ${logoUrl !== null && html`<img class="logo" src="${logoUrl}" alt="" />`}
      <p class="shop">${name}</p>
    </div>
    ${mode === "test" && html`<p class="mode">${en.testMode}</p>`}
  </header>`;
}

function renderFooter({ contactEmail, contactPhone, supportLine }: Shopfront): Html | null {
  const isReached = contactEmail !== null || contactPhone !== null;
  if (!isReached && supportLine === null) return null;
  return html`<footer>
    ${
      isReached &&
      html`<p class="contact">
        <span>${en.questions}</span>
        ${contactEmail !== null && html`<a href="mailto:${contactEmail}">${contactEmail}</a>`}
        ${contactPhone !== null && html`<a href="tel:${contactPhone}">${contactPhone}</a>`}
      </p>`
    }
    ${supportLine !== null && html`<p>${supportLine}</p>`}
  </footer>`;
}

/** The texts are in one language: a locale of another one decides on dates and amounts only. */
export function languageOf(locale: string | null): string {
  const isOfTexts = locale !== null && new Intl.Locale(locale).language === en.language;
  return isOfTexts ? locale : en.language;
}

// The frame of a page for customers: the shop's logo, name and color above, its contact and line below. Invariant:
// a page loads nothing but the logo, from the one address that the shop named, and runs no script.

import { inEnglish, type Localized } from "#pay-page/words/localize.ts";
import type { Mode } from "#platform/database/shop.ts";
import { htmlDocument, pagePolicy, SANDBOX } from "#platform/html/html-document.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { type Branding, plainBranding, tagOf } from "#shop/store/branding.ts";

import { brandStyle } from "./brand.ts";

/** The part of the shop that a page shows, and in which language. */
export interface Shopfront extends Branding, Localized {
  readonly name: string;
}

/** The frame of a page of no shop. */
export const noShopfront: Shopfront = inEnglish({ ...plainBranding, name: "" });

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

/** A page with what its headers have to say. */
export interface ShownPage {
  readonly text: string;
  /** BCP 47, of the texts. */
  readonly language: string;
  readonly style: string;
  readonly logoUrl: string | null;
}

/** Renders a page within the frame of its shop. */
export function framePage({ shop, mode, title, style, state, body }: FramedPage): ShownPage {
  const { name, logoUrl } = shop;
  const language = tagOf(shop.language, shop.locale);
  const whole = `${style}${FRAME_STYLE}${brandStyle(shop.brandColor)}`;
  const text = htmlDocument({
    language,
    title: name === "" ? title : `${title} · ${name}`,
    style: whole,
    body: html`${name !== "" && renderHeader(shop, mode)}
      <main ${attribute("class", state)}>${body}</main>
      ${renderFooter(shop)}`,
  });
  return { text, language, style: whole, logoUrl };
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

/** Tells the customer of a paid order where to look again and go on. */
export function renderThanks(shop: Shopfront): Html {
  return html`<div class="thanks">
    <p class="remark">${shop.words.thanks.again}</p>
    ${renderWayOn(shop)}
  </div>`;
}

/** A link to the shop; nothing where it named no address. */
export function renderWayOn({ name, websiteUrl, words }: Shopfront): Html | null {
  if (websiteUrl === null) return null;
  return html`<p><a class="button" href="${websiteUrl}">${words.visit(name)}</a></p>`;
}

/** The answer with a page whose forms lead to `formAction`. */
export function answerPage(status: number, page: ShownPage, formAction: string): Response {
  const policy = `${pagePolicy(page.style, formAction)}${logoPolicy(page.logoUrl)}${SANDBOX}`;
  return new Response(page.text, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": page.language,
      "Content-Security-Policy": policy,
    },
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

function renderHeader({ name, logoUrl, words }: Shopfront, mode: Mode): Html {
  return html`<header>
    <div class="brand">
      ${logoUrl !== null && html`<img class="logo" src="${logoUrl}" alt="" />`}
      <p class="shop">${name}</p>
    </div>
    ${mode === "test" && html`<p class="mode">${words.testMode}</p>`}
  </header>`;
}

function renderFooter({ contactEmail, contactPhone, supportLine, words }: Shopfront): Html | null {
  const isReached = contactEmail !== null || contactPhone !== null;
  if (!isReached && supportLine === null) return null;
  return html`<footer>
    ${
      isReached &&
      html`<p class="contact">
        <span>${words.questions}</span>
        ${contactEmail !== null && html`<a href="mailto:${contactEmail}">${contactEmail}</a>`}
        ${contactPhone !== null && html`<a href="tel:${contactPhone}">${contactPhone}</a>`}
      </p>`
    }
    ${supportLine !== null && html`<p>${supportLine}</p>`}
  </footer>`;
}

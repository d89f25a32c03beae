// The page of the example storefront: as it is served, and as one file to start a storefront from. Pure.

import { type Html, html, trusted } from "#platform/html/html.ts";
import account from "#storefront/assets/account.js" with { type: "text" };
import addresses from "#storefront/assets/addresses.js" with { type: "text" };
import cart from "#storefront/assets/cart.js" with { type: "text" };
import checkout from "#storefront/assets/checkout.js" with { type: "text" };
import filters from "#storefront/assets/filters.js" with { type: "text" };
import parts from "#storefront/assets/parts.js" with { type: "text" };
import products from "#storefront/assets/products.js" with { type: "text" };
import session from "#storefront/assets/session.js" with { type: "text" };
import store from "#storefront/assets/store.js" with { type: "text" };

import style from "#storefront/assets/store.css" with { type: "text" };

/** The files that the served page loads, by name. */
export const storeFiles = {
  "session.js": session,
  "parts.js": parts,
  "cart.js": cart,
  "addresses.js": addresses,
  "account.js": account,
  "checkout.js": checkout,
  "filters.js": filters,
  "products.js": products,
  "store.js": store,
  "store.css": style,
} as const;

/** The facts that the page is told of the shop. */
export interface StoreFacts {
  readonly name: string;
  /** The address of the server, without a final slash. */
  readonly server: string;
  /** A publishable key. */
  readonly key: string;
  /** BCP 47: how amounts are written. */
  readonly locale: string;
}

/** The place at which the page is served. */
export interface StorePlace {
  /** The path of its files, with a final slash. */
  readonly folder: string;
  /** The address of its orders in the dashboard; null if that is not served. */
  readonly orders: string | null;
}

/** The page as the test shop serves it. */
export function servedStore(facts: StoreFacts, { folder, orders }: StorePlace): string {
  return storeDocument(facts, {
    head: html`<link rel="stylesheet" href="${folder}store.css" />
      <script type="module" src="${folder}store.js"></script>`,
    above: html`<p class="mode">A test shop: no money moves.</p>`,
    below: html`<footer>
      ${orders !== null && html`<a href="${orders}">Its orders in the dashboard</a>`}
      <a href="/guides/storefront">How to build a storefront</a>
    </footer>`,
  });
}

/** The same as one file that needs no other: what is served in files, joined. */
export function exampleStore(): string {
  const facts = {
    name: "Shop",
    server: "http://127.0.0.1:4000",
    key: "STOREFRONT_KEY",
    locale: "en",
  };
  // Each after those that it uses.
  const script = [session, parts, cart, filters, products, addresses, account, checkout, store]
    .map(joined)
    .join("\n");
  const head = html`${trusted(`<style>\n${style}</style>`)}
  ${trusted(`<script type="module">\n${script}</script>`)}`;
  return storeDocument(facts, { head, above: null, below: null });
}

const imports = /^import .* from "\.\/.*";\n/gm;
const exportList = /^export \{.*\};\n/gm;

/** A module without what binds it to the others. */
function joined(text: string): string {
  return text
    .replaceAll(imports, "")
    .replaceAll(exportList, "")
    .replaceAll(/^export /gm, "")
    .replace(/\n{3,}/g, "\n\n");
}

interface Around {
  readonly head: Html;
  readonly above: Html | null;
  readonly below: Html | null;
}

function storeDocument(
  { name, server, key, locale }: StoreFacts,
  { head, above, below }: Around,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${name}</title>
        ${head}
      </head>
      <body data-server="${server}" data-key="${key}" data-locale="${locale}">
        <header>
          ${above}
          <a id="home" href=".">${name}</a>
          <nav aria-label="You">
            <span id="account"></span>
            <span id="cart"></span>
          </nav>
        </header>
        <p id="message" role="alert" hidden></p>
        <main>
          <p id="loading">Loading…</p>
          <noscript><p>This example needs JavaScript.</p></noscript>
        </main>
        ${below}
      </body>
    </html> `.text;
}

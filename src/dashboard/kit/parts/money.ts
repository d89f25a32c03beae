// Amounts as people read them. The code of the currency stands only where it is not the shop's, or for a sum that
// is seen alone.

import { digitsOf } from "#dashboard/kit/amounts.ts";
import { type Html, html } from "#platform/html/html.ts";

const LOCALE = "en-GB";
const names = new Intl.DisplayNames([LOCALE], { type: "currency" });

/** The amount with its code: `GHS 1,234.50`. */
export function textOfMoney(amountMinor: number, currency: string): string {
  return `${currency} ${digitsOf(amountMinor, currency)}`;
}

/** The amount with its code, which a reader speaks as the currency's name. */
export function money(amountMinor: number, currency: string): Html {
  return html`<span class="money"
    ><abbr title="${names.of(currency) ?? currency}">${currency}</abbr
    >${digitsOf(amountMinor, currency)}</span
  >`;
}

/** As many characters as a phone shows in the largest letters. */
const LARGE_MAX = 9;

/** The sum that a page is about, in large letters. */
export function largeSum(amountMinor: number, currency: string): Html {
  const isLong = digitsOf(amountMinor, currency).length > LARGE_MAX;
  return html`<p class="${isLong ? "sum long" : "sum"}">${money(amountMinor, currency)}</p>`;
}

/** The amount alone, where its code would only be repeated; with its code if the currency is not the shop's. */
export function amountIn(shopCurrency: string, amountMinor: number, currency: string): Html {
  if (currency !== shopCurrency) return money(amountMinor, currency);
  return html`<span class="money">${digitsOf(amountMinor, currency)}</span>`;
}

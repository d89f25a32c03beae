// The sums of a sale beside its lines, as customers read them: discounts, shipping and taxes. Pure. Invariant: the
// amounts before a total add up to it.

import { type CurrencyCode, exponentOf } from "#kernel/currency.ts";
import { formatAmount, percentOf } from "#kernel/money.ts";
import type { Localized } from "#pay-page/words/localize.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import { effectiveDiscounts, TITLE_ERASED } from "#pricing/quote/breakdown.ts";
import type { Order } from "#sales/rows/order.ts";
import type { Branding } from "#shop/store/branding.ts";

/** A name and its amount. */
export type SumLine = readonly [string, string];

/** The amounts between the lines and the total. */
export function totalOfOrder(order: Order, shop: Localized): SumLine[] {
  const total = print(order.totalMinor, order.currency, shop.locale);
  return [...sumsBeforeTotal(order, shop), [shop.words.sums.total, total]];
}

type Sold = Pick<
  Order,
  "breakdown" | "subtotalMinor" | "shippingLabel" | "shippingMinor" | "currency"
>;

/** The goods, each discount, the shipping before its own discount, and each tax on top; nothing for goods alone. */
export function sumsBeforeTotal(
  { breakdown, subtotalMinor, currency, ...sold }: Sold,
  { locale, words }: Localized,
): SumLine[] {
  const discounts = effectiveDiscounts(breakdown).map(
    ({ title: given, code, target, amountMinor }): Part & { readonly target: string } => {
      const title = given === TITLE_ERASED ? words.sums.discount : given;
      const name = code === null ? title : `${isolated(title)} (${code})`;
      return { name, minor: -amountMinor, target };
    },
  );
  const shipping = {
    name: sold.shippingLabel ?? words.sums.shipping,
    minor: sold.shippingMinor + (breakdown?.shipping.discountMinor ?? 0),
  };
  // A delivery for nothing says so.
  const isShipped = shipping.minor !== 0 || sold.shippingLabel !== null;
  const parts: Part[] = [
    ...discounts.filter(({ target }) => target !== "shipping"),
    ...(isShipped ? [shipping] : []),
    ...discounts.filter(({ target }) => target === "shipping"),
    ...taxesOf(breakdown, false, words),
  ];
  if (parts.length === 0) return [];
  const goods = { name: words.sums.subtotal, minor: subtotalMinor };
  return [goods, ...parts].map(({ name, minor }) => [name, print(minor, currency, locale)]);
}

interface Part {
  readonly name: string;
  readonly minor: number;
}

/** The taxes that the total of a sale contains. */
export function includedTaxesOf(
  { breakdown, currency }: Pick<Sold, "breakdown" | "currency">,
  { locale, words }: Localized,
): string[] {
  return taxesOf(breakdown, true, words).map(({ name, minor }) =>
    words.sums.includes(name, print(minor, currency, locale)),
  );
}

function taxesOf(
  breakdown: Sold["breakdown"],
  isIncluded: boolean,
  words: Localized["words"],
): Part[] {
  return (breakdown?.taxes ?? [])
    .filter((tax) => tax.isIncluded === isIncluded && tax.amountMinor !== 0)
    .map(({ rate: { name, millionths }, amountMinor }) => ({
      name: `${isolated(name)} ${words.percent(percentOf(millionths))}`,
      minor: amountMinor,
    }));
}

/** The places of commas in the whole part of an amount. */
const THOUSANDS = /(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g;

/** The amount with its currency as people of the locale write it; without one, such as `GHS 1,249.50`. */
export function print(
  amountMinor: number,
  currency: CurrencyCode,
  locale: Branding["locale"],
): string {
  const amount = formatAmount(amountMinor, currency);
  if (locale === null) return `${currency} ${amount.replace(THOUSANDS, ",")}`;
  const digits = exponentOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // The largest amount has fewer digits than a number keeps, so none is lost.
  return isolated(format.format(Number(amount)));
}

// The lists of amounts on pages for customers.

export const SUMS_STYLE = `
dl.sums div:last-child { font-size: 1.0625rem; font-weight: 700; }
dl.sums div:last-child dt { color: inherit; }
dl.sums dt { min-width: 0; overflow-wrap: anywhere; }
dl.sums dd { font-variant-numeric: tabular-nums; white-space: nowrap; }
.included { margin-top: .35rem; font-size: .875rem; color: var(--faint); text-align: right; }
`;

/** Renders names and amounts, of which the style marks the last; nothing without one. */
export function renderSums(sums: readonly SumLine[], style = ""): Html | null {
  if (sums.length === 0) return null;
  return html`<dl class="${`sums ${style}`.trimEnd()}">
    ${sums.map(
      ([name, amount]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${amount}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Renders the taxes that the total contains; nothing without one. */
export function renderIncluded(included: readonly string[]): readonly Html[] {
  return included.map((tax) => html`<p class="included">${tax}</p>`);
}

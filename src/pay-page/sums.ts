// What a sale comes to beside its lines, as customers read it: discounts, shipping and taxes. Pure. Invariant: the
// amounts before a total add up to it.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount, percentOf } from "#kernel/money.ts";
import type { Order } from "#sales/orders/order.ts";

/** A name and its amount. */
export type Sum = readonly [string, string];

/** The amounts between the lines and the total. */
export function totalOfOrder(order: Order): Sum[] {
  return [...partsOf(order), ["Total", print(order.totalMinor, order.currency)]];
}

type Sold = Pick<
  Order,
  "breakdown" | "subtotalMinor" | "shippingLabel" | "shippingMinor" | "currency"
>;

/** The goods, each discount, the shipping before its own discount, and each tax on top; nothing for goods alone. */
export function partsOf({ breakdown, subtotalMinor, currency, ...sold }: Sold): Sum[] {
  const discounts = (breakdown?.discounts ?? []).map(
    ({ title, code, target, amountMinor }): Part & { readonly target: string } => ({
      name: code === null ? title : `${title} (${code})`,
      minor: -amountMinor,
      target,
    }),
  );
  const shipping = {
    name: sold.shippingLabel ?? "Shipping",
    minor: sold.shippingMinor + (breakdown?.shipping.discountMinor ?? 0),
  };
  // What is delivered for nothing says so.
  const isShipped = shipping.minor !== 0 || sold.shippingLabel !== null;
  const parts: Part[] = [
    ...discounts.filter(({ target }) => target !== "shipping"),
    ...(isShipped ? [shipping] : []),
    ...discounts.filter(({ target }) => target === "shipping"),
    ...taxesOf(breakdown, false),
  ];
  if (parts.length === 0) return [];
  const goods = { name: "Subtotal", minor: subtotalMinor };
  return [goods, ...parts].map(({ name, minor }) => [name, print(minor, currency)]);
}

interface Part {
  readonly name: string;
  readonly minor: number;
}

/** The taxes that the total of a sale contains. */
export function includedTaxesOf({ breakdown, currency }: Pick<Sold, "breakdown" | "currency">) {
  return taxesOf(breakdown, true).map(
    ({ name, minor }) => `includes ${name}: ${print(minor, currency)}`,
  );
}

function taxesOf(breakdown: Sold["breakdown"], isIncluded: boolean): Part[] {
  return (breakdown?.taxes ?? [])
    .filter((tax) => tax.isIncluded === isIncluded && tax.amountMinor !== 0)
    .map(({ rate: { name, millionths }, amountMinor }) => ({
      name: `${name} ${percentOf(millionths)} %`,
      minor: amountMinor,
    }));
}

/** The amount with its currency, such as `GHS 249.50`. */
export function print(amountMinor: number, currency: CurrencyCode): string {
  return `${currency} ${formatAmount(amountMinor, currency)}`;
}

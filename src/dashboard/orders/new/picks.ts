// The items of a new order while it is made: named as the interface takes them, in the address of a search as well as
// in the form that is sent.

import type { Static } from "typebox";

import type { productWire } from "#catalog/products/schema.ts";

import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { isChosen, QUANTITY } from "../chosen-lines.ts";

type Product = Static<(typeof productWire)["schema"]>;

/** A variant that may be ordered, with what was typed beside it. */
export interface Item {
  readonly id: string;
  readonly productId: string;
  readonly name: string;
  readonly priceMinor: number | null;
  /** Null where units are not counted. */
  readonly available: number | null;
  readonly quantity: string;
}

/** Items of one order that are shown with what was typed: the product of each is asked for. */
export const PICKS_MAX = 50;

/** What was typed beside variants, by variant; of at most 50 of them. */
export function typedQuantities(visit: Visit): ReadonlyMap<string, string> {
  return new Map([...allQuantities(visit)].slice(0, PICKS_MAX));
}

/** What is not shown of what was typed: items that are gone, by their names, and whether there were too many. */
export function leftOut(visit: Visit, picked: readonly Item[]) {
  const fields = fieldsOf(visit);
  const typed = allQuantities(visit);
  const gone = [...typedQuantities(visit).keys()]
    .filter((variant) => picked.every(({ id }) => id !== variant))
    .map((variant) => fields.get(nameField(variant)) ?? en.newOrder.anItem);
  return { gone, isTooMany: typed.size > PICKS_MAX };
}

function allQuantities(visit: Visit): ReadonlyMap<string, string> {
  const fields = fieldsOf(visit);
  const typed = new Map<string, string>();
  for (const [name, quantity] of fields) {
    const index = QUANTITY.exec(name)?.[1];
    const variant = index === undefined ? null : fields.get(`/line_items/${index}/variant_id`);
    if (variant !== null && isChosen(quantity)) typed.set(variant, quantity.trim());
  }
  return typed;
}

function fieldsOf({ submitted, url }: Visit): URLSearchParams {
  return submitted?.fields ?? url.searchParams;
}

/** The products of the variants beside which something was typed. */
export function pickedProducts(visit: Visit, typed: ReadonlyMap<string, string>): string[] {
  const fields = fieldsOf(visit);
  const products = [...typed.keys()].map((variant) => fields.get(productField(variant)) ?? "");
  return [...new Set(products)].filter((id) => id !== "");
}

/** The field that keeps the product of a variant: no part of what is sent to the interface. */
export function productField(variantId: string): string {
  return `product_of_${variantId}`;
}

/** The field that keeps what a variant is called, for when it is gone. */
export function nameField(variantId: string): string {
  return `name_of_${variantId}`;
}

/** The variants of products, in the shop's currency. */
export function itemsOfProducts(
  products: readonly Product[],
  { currency }: Visit["store"],
  typed: ReadonlyMap<string, string>,
): Item[] {
  return products.flatMap(({ id: productId, name, variants }) =>
    variants.map((variant) => ({
      id: variant.id,
      productId,
      name: variants.length === 1 ? name : `${name} – ${variant.title}`,
      priceMinor: variant.prices.find((price) => price.currency === currency)?.amount_minor ?? null,
      available: variant.available,
      quantity: typed.get(variant.id) ?? "",
    })),
  );
}

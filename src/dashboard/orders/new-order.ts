// The items of a new order while it is made: named as the interface takes them, in the address of a search as well as
// in the form that is sent.

import type { Static } from "typebox";

import type { productWire } from "#catalog/products/schema.ts";
import { customerWire } from "#customers/schema.ts";
import { nullIfGone } from "#dashboard/kit/asker.ts";
import { type Customer, nameOf } from "#dashboard/kit/parts/contacts.ts";
import { input, select } from "#dashboard/kit/parts/field.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { addressLines } from "#dashboard/orders/order/aside.ts";
import { en } from "#dashboard/words/en.ts";
import { assume } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

import { isChosen, QUANTITY } from "./chosen-lines.ts";

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

/** The quantities that were typed beside variants, by variant; of at most 50 of them. */
export function typedQuantities(visit: Visit): ReadonlyMap<string, string> {
  return new Map([...allQuantities(visit)].slice(0, PICKS_MAX));
}

/** The typed items that are not shown: items that are gone, by their names, and whether there were too many. */
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

// Who a new order is for: the customer whose page led here, with one of their addresses, or one who is typed.

const CUSTOMER = "/customer_id";
const ADDRESS = "/shipping_address";
const words = en.newOrder;

/** The path of a new order for the customer. */
export function newOrderFor({ id }: Customer): string {
  return `/orders/new?customer=${id}`;
}

export async function customerPart(visit: Visit): Promise<Html> {
  const { submitted } = visit;
  const known = await knownCustomer(visit);
  if (known !== null) return knownPart(visit, known);
  return html`<p class="small soft">${words.customerHint}</p>
    ${input(submitted, { label: words.phone, name: "/customer/phone", type: "tel" })}
    ${input(submitted, { label: words.name, name: "/customer/name" })}`;
}

/** Null as well for one who was erased: an order needs another customer then. */
async function knownCustomer(visit: Visit): Promise<Customer | null> {
  const id = visit.submitted?.value(CUSTOMER) ?? visit.query("customer");
  if (id === "" || !visit.may("customers:read")) return null;
  const params = { id };
  const asked: Promise<Customer> = visit.ask(customerWire, "GET /v2/customers/{id}", { params });
  const customer = await asked.catch(nullIfGone);
  return customer?.erased_at === null ? customer : null;
}

/** The value of an address is all of it: what was chosen is what is sent, also if the customer's list changes. */
function knownPart({ submitted }: Visit, customer: Customer): Html {
  const options = customer.addresses.map((address) => {
    const { name, line1, city } = address;
    const known = [name === customer.name ? null : name, line1, city];
    return { value: JSON.stringify(address), label: known.filter(Boolean).join(", ") };
  });
  const none = { value: "", label: words.noDelivery };
  return html`<input type="hidden" name="${CUSTOMER}" value="${customer.id}" />
    <p><strong dir="auto">${nameOf(customer)}</strong></p>
    ${options.length > 0 && select(submitted, { label: en.oneOrder.deliverTo, name: ADDRESS, value: options[0]?.value ?? null, options: [...options, none] })}`;
}

/** The place to which an order goes that the interface has taken for a preview; null for one that is fetched. */
export function deliveryPart(fields: URLSearchParams): Html | null {
  const chosen = fields.get(ADDRESS) ?? "";
  if (chosen === "") return null;
  // The cast below holds: the interface refuses what is no address.
  return html`<section>
    <h2>${en.oneOrder.deliverTo}</h2>
    ${addressLines(assume<Customer["addresses"][number]>(addressIn(chosen)))}
  </section>`;
}

/** The body with the address that was chosen. What is none stays a text, which the interface refuses. */
export function withAddress({ shipping_address: chosen, ...body }: JsonObject): JsonObject {
  return typeof chosen === "string" ? { ...body, shipping_address: addressIn(chosen) } : body;
}

function addressIn(text: string): JsonValue {
  try {
    // The cast holds: JSON has no other values.
    return assume<JsonValue>(JSON.parse(text));
  } catch {
    return text;
  }
}

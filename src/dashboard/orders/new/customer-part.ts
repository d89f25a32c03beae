// Who a new order is for: the customer whose page led here, with one of their addresses, or one who is typed.

import { customerWire } from "#customers/schema.ts";
import { assume } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/json/strict-json.ts";

import { nullIfGone } from "../../asker.ts";
import { type Customer, nameOf } from "../../customers/customer-words.ts";
import { input, select } from "../../parts/field.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { addressLines } from "../order/aside.ts";

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

/** Where an order goes that the interface has taken for a preview; null for one that is fetched. */
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

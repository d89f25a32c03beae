// The name of a customer, and the ways to reach them.

import type { Static } from "typebox";

import type { customerWire } from "#customers/schema.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";

import { callLink, emailLink, whatsAppLink } from "./contact.ts";

export type Customer = Static<(typeof customerWire)["schema"]>;

const words = en.customers;

/** The name, or what is known in its place. */
export function nameOf({ name, phone, email }: Customer): string {
  return name ?? phone ?? email ?? words.erased;
}

/** The phone and the email, but for what stands in place of a name. */
function contactsOf(customer: Customer): string {
  const { phone, email } = customer;
  return [phone, email].filter((one) => one !== null && one !== nameOf(customer)).join(" · ");
}

/** A customer as a row that leads to their page. */
export function customerRow(visit: Visit, customer: Customer): Html {
  return html`<li id="${customer.id}">
    <a class="row" href="${visit.href(`/customers/${customer.id}`)}"
      ><span class="name"><span class="who" dir="auto">${nameOf(customer)}</span></span
      ><span class="what">${contactsOf(customer)}</span
      ><span class="sum">${words.orders(customer.orders_count)}</span></a
    >
  </li>`;
}

/** The buttons that call, and that begin a message; null for a customer without a contact. */
export function waysToReach({ store }: Visit, { name, phone, email }: Customer): Html | null {
  if (phone === null && email === null) return null;
  const body = words.greeting(name ?? "", store.name);
  return html`<div class="acts">
    ${phone !== null && [callLink(phone), whatsAppLink(phone, body)]}
    ${email !== null && emailLink(email, { body })}
  </div>`;
}

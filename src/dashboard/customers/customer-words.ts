// What a customer is called, and the ways to reach them.

import type { Static } from "typebox";

import type { customerWire } from "#customers/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import { icon } from "../icons.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

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
  const greeting = encodeURIComponent(words.greeting(name ?? "", store.name));
  return html`<div class="acts">
    ${
      phone !== null &&
      html`<a class="button" href="tel:${phone}">${icon("call")} ${words.call}</a>
        <a
          class="button"
          href="https://wa.me/${phone.replaceAll(/\D/g, "")}?text=${greeting}"
          rel="noreferrer"
          >${icon("chat")} ${words.whatsApp}</a
        >`
    }
    ${email !== null && html`<a class="button" href="mailto:${mailAddress(email)}?body=${greeting}">${icon("mail")} ${words.write}</a>`}
  </div>`;
}

/** The address as a mailto link has it: encoded, but for its at sign (RFC 6068, section 2). */
export function mailAddress(email: string): string {
  return encodeURIComponent(email).replace("%40", "@");
}

// How people are reached: the name of a customer, the buttons that call or begin a message, and how a link that was
// made for a person gets to them.

import type { Static } from "typebox";

import type { customerWire } from "#customers/schema.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { typed } from "#kernel/typed-text.ts";
import { type Html, html } from "#platform/html/html.ts";
import { isLoopbackHost } from "#platform/net/target-url.ts";

export function callLink(phone: string): Html {
  return html`<a class="button" href="tel:${phone}">${icon("call")} ${en.contact.call}</a>`;
}

/** Begins a message with this text in WhatsApp. */
export function whatsAppLink(phone: string, text: string): Html {
  const address = `https://wa.me/${phone.replaceAll(/\D/g, "")}?text=${encodeURIComponent(text)}`;
  return html`<a class="button" href="${address}" rel="noreferrer"
    >${icon("chat")} ${en.contact.whatsApp}</a
  >`;
}

/** Begins an email. Its address is encoded, but for its at sign (RFC 6068, section 2). */
export function emailLink(
  email: string,
  { subject, body }: { subject?: string; body: string },
): Html {
  const to = encodeURIComponent(email).replace("%40", "@");
  const head = subject === undefined ? "" : `subject=${encodeURIComponent(subject)}&`;
  const address = `mailto:${to}?${head}body=${encodeURIComponent(body)}`;
  return html`<a class="button" href="${address}">${icon("mail")} ${en.contact.email}</a>`;
}

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

/** The name in a message of the shop, which is sent to a phone or an email that a stranger may have named. */
export function greeted(name: string | null): string {
  return typed(name) ?? "";
}

/** The buttons that call, and that begin a message; null for a customer without a contact. */
export function waysToReach({ store }: Visit, { name, phone, email }: Customer): Html | null {
  if (phone === null && email === null) return null;
  const body = words.greeting(greeted(name), store.name);
  return html`<div class="acts">
    ${phone !== null && [callLink(phone), whatsAppLink(phone, body)]}
    ${email !== null && emailLink(email, { body })}
  </div>`;
}

const { people } = en;

/** The ways to send the link; none that leads to nothing but the machine of the shop. */
export function waysToSend(link: string, shop: string): Html {
  if (isLoopbackHost(new URL(link).hostname)) {
    return html`<div class="note"><span>${people.linkOfThisMachine}</span></div>`;
  }
  const text = encodeURIComponent(people.whatsappText(shop, link));
  return html`<p>
    <a class="button" href="https://wa.me/?text=${text}" rel="noreferrer"
      >${icon("chat")} ${people.whatsapp}</a
    >
  </p>`;
}

// A key or a secret, with the way to copy it.

/** The text in one line of its own; `id` is that of the element, by which it is copied. */
export function secret(id: string, text: string): Html {
  return html`<div class="secret">
    <code id="${id}">${text}</code
    ><button type="button" data-copy="${id}" data-done="${en.copied}">
      ${icon("copy")} ${en.copy}
    </button>
  </div>`;
}

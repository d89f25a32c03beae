// Who ordered, where it goes, and what was noted.

import { callLink, greeted, whatsAppLink } from "#dashboard/kit/parts/contacts.ts";
import { textarea, versionField } from "#dashboard/kit/parts/field.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { countryName } from "#pay-page/delivery/read-address.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

/** The member of an order's metadata that keeps the merchant's own note. */
export const MERCHANT_NOTE = "merchant_note";

export function asideOf(visit: Visit, order: OrderAnswer): Html {
  return html`${customerPart(visit, order)} ${addressPart(order)} ${notePart(order)}
    ${visit.may("orders:write") && ownNotePart(visit, order)}
    <section>
      <h2>${en.oneOrder.record}</h2>
      <p><a href="${visit.href(`/orders/${order.id}/receipt`)}">${en.oneOrder.acts.receipt}</a></p>
      <p><a href="${order.status_url}">${en.oneOrder.link}</a></p>
      <p class="mono small soft">${order.id}</p>
    </section>`;
}

function customerPart(
  visit: Visit,
  { customer, customer_id: id, number }: OrderAnswer,
): Html | null {
  if (customer === null) return null;
  const { store } = visit;
  const { name, phone, email } = customer;
  const text = en.oneOrder.greeting(greeted(name), number, store.name);
  return html`<section>
    <h2>${en.oneOrder.customer}</h2>
    <p>
      ${name !== null && html`<strong>${name}</strong><br />`}${phone}
      ${email !== null && html`${phone !== null && html`<br />`}${email}`}
    </p>
    ${id !== null && visit.may("customers:read") && html`<p><a href="${visit.href(`/customers/${id}`)}">${en.oneOrder.customerPage}</a></p>`}
    ${
      phone !== null &&
      html`<div class="acts">${callLink(phone)} ${whatsAppLink(phone, text)}</div>`
    }
  </section>`;
}

function addressPart(order: OrderAnswer): Html | null {
  const { shipping_address: address } = order;
  if (address === null) return null;
  return html`<section>
    <h2>${en.oneOrder.deliverTo}</h2>
    ${addressLines(address)}
  </section>`;
}

/** An address as it stands on a parcel. */
export function addressLines(address: NonNullable<OrderAnswer["shipping_address"]>): Html {
  const { name, line1, line2, city, region, postal_code: code, country, phone } = address;
  const lines: readonly (string | null)[] = [
    name,
    line1,
    line2,
    [code, city].filter(Boolean).join(" "),
    region,
    country === null ? null : countryName(country, "en"),
    phone,
  ];
  return html`<address>${linesOf(lines)}</address>`;
}

/** The customer's notes, line by line. */
export function notePart({ notes }: OrderAnswer): Html | null {
  if (notes === null || notes === "") return null;
  return html`<section>
    <h2>${en.oneOrder.note}</h2>
    <p class="said" dir="auto">“${notes}”</p>
  </section>`;
}

function ownNotePart({ submitted, page }: Visit, { metadata, version }: OrderAnswer): Html {
  const kept = metadata[MERCHANT_NOTE];
  return html`<section>
    <h2>${en.oneOrder.ownNote}</h2>
    <form class="stack" method="post" action="${page}/note">
      ${versionField(submitted?.name === "note" ? submitted : null, version)}
      ${textarea(submitted, { label: en.oneOrder.ownNote, name: "/metadata/merchant_note", value: typeof kept === "string" ? kept : "", hint: en.oneOrder.ownNoteHint, isLabelHidden: true })}
      <button>${en.oneOrder.saveNote}</button>
    </form>
  </section>`;
}

function linesOf(lines: readonly (string | null)[]): Html[] {
  return lines.filter(Boolean).map((line) => html`${line}<br />`);
}

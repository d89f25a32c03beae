// Carts that were left at the checkout, with the link that brings their customers back.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import { emailLink, whatsAppLink } from "#dashboard/kit/parts/contacts.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { amountIn } from "#dashboard/kit/parts/money.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { noteInLine } from "#dashboard/kit/parts/order-words.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { emailsOfCarts, resendForm } from "#dashboard/orders/emails-part.ts";
import { en } from "#dashboard/words/en.ts";
import { notesOf } from "#kernel/metadata.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import { cartWire } from "#sales/carts/schema.ts";

const words = en.worklists;

type Cart = Static<(typeof cartWire)["schema"]>;

export const cartsPage: Page = {
  path: "/carts",
  scopes: ["carts:read"],
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = { status: "abandoned", limit: "20", ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(cartWire, "GET /v2/carts", { query });
    const emails = await emailsOfCarts(
      visit,
      listed.data.map(({ id }) => id),
    );
    const rows = listed.data.map((cart) => rowOf(visit, cart, emails.get(cart.id) ?? null));
    return {
      title: words.carts,
      follows: "cart",
      body: html`${heading({ title: words.carts })} ${doneNote(visit)}
        ${refusedNote(visit.submitted)}
        <div class="list">
          ${
            rows.length === 0
              ? emptyList(words.cartsEmpty, words.cartsEmptyWhat)
              : html`<ol class="rows">
                  ${rows}
                </ol>`
          }
        </div>
        ${olderLink(visit, listed)}`,
    };
  },
  forms: { resend: resendForm },
};

function rowOf(visit: Visit, cart: Cart, email: Html | null): Html {
  const { subtotal_minor: minor, currency, line_items: lines } = cart;
  const items = lines
    .map(({ quantity, name, metadata }) => {
      const item = `${quantity} × ${isolated(name ?? "")}`;
      const notes = notesOf(metadata).map(noteInLine);
      return notes.length === 0 ? item : `${item} (${notes.join(", ")})`;
    })
    .join(", ");
  return html`<li>
    <div class="lined firm">
      <div>
        <strong>${nameOf(cart)}</strong>
        <p class="small soft">${items}</p>
        <p class="small soft">${momentOf(cart.updated_at, visit.when)}</p>
      </div>
      <strong>${amountIn(visit.store.currency, minor, currency)}</strong>
    </div>
    ${cart.recovery_url !== null && waysBack(visit, cart, cart.recovery_url)}
    ${email !== null && html`<div class="lined">${email}</div>`}
  </li>`;
}

function nameOf({ customer }: Cart): string {
  return customer?.name ?? customer?.phone ?? customer?.email ?? words.someone;
}

/** The link that brings the customer back, and messages with it. */
function waysBack({ store }: Visit, { customer, phone, email }: Cart, url: string): Html {
  const called = customer?.phone ?? phone;
  const to = customer?.email ?? email;
  const body = words.reminder(store.name, url);
  return html`<div class="acts">
    ${called !== null && whatsAppLink(called, body)}
    ${to !== null && emailLink(to, { subject: words.subject(store.name), body })}
    <a class="button" href="${url}">${words.openLink}</a>
  </div>`;
}

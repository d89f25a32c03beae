// An order on paper: the packing slip, which names no price, and the receipt, as wide as a till roll.

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { customerOf, noteInLine } from "#dashboard/kit/parts/order-words.ts";
import { dateOf, hourOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { notesOf } from "#kernel/metadata.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

import { askOrder } from "./acts.ts";
import { addressLines, notePart } from "./aside.ts";
import { receiptOf } from "./bill.ts";
import { paymentsOf } from "./payments-part.ts";

const words = en.oneOrder.print;

/** The slip of what goes into the parcel: each item with a box to tick. */
export const slipPage: Page = {
  path: "/orders/{id}/slip",
  scopes: ["orders:read"],
  show: async (visit) => {
    const order = await askOrder(visit);
    return printed(visit, order, { title: words.slip(order.number), body: slipOf(order) });
  },
};

/** The parcel's slip: who receives it, and each item with a box to tick. */
export function slipOf(order: OrderAnswer): Html {
  const parcel = parcelOf(order);
  const { shipping_address: address } = order;
  // Who receives the parcel may be another person than the customer.
  const phone = address?.phone ?? order.customer?.phone ?? null;
  return html`<div class="slip stack">
    <section>
      <h2>${words.to}</h2>
      <p>
        <strong>${address?.name ?? customerOf(order)}</strong
        >${phone !== null && html`<br />${phone}`}
      </p>
      ${address !== null && addressLines({ ...address, name: null, phone: null })}
    </section>
    ${parcel.length === 0 && html`<p>${words.nothing}</p>`}
    <ul class="rows">
      ${parcel.map(
        ({ units, name, sku, notes }) =>
          html`<li>
            <span class="box"></span><b>${units}</b
            ><span
              >${name} <span class="mono small">${sku}</span>${notes.map(
                (note) => html`<br /><span class="small">${note}</span>`,
              )}</span
            >
          </li>`,
      )}
    </ul>
    ${notePart(order)}
  </div>`;
}

/** When the order was placed. */
export function placedAt(visit: Visit, { created_at: at }: OrderAnswer): Html {
  const { zone } = visit.when;
  return html`<p>${dateOf(at, zone)} ${hourOf(at, zone)}</p>`;
}

/** The bill as the customer takes it along. */
export const receiptPage: Page = {
  path: "/orders/{id}/receipt",
  scopes: ["orders:read"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const payments = await paymentsOf(visit, order);
    const { legal_name: legalName, name, tax_id: taxId } = visit.store;
    return printed(visit, order, {
      title: words.receipt(order.number),
      body: html`<div class="receipt stack">
        <p>
          <strong>${legalName ?? name}</strong
          >${taxId !== null && html`<br />${words.taxId} ${taxId}`}
        </p>
        ${receiptOf(visit, order, payments)}
        <p>
          ${words.customer}:
          ${customerOf(order)}${order.tax_id !== null && html`<br />${words.taxId} ${order.tax_id}`}${order.tax_exemption === "reverse_charge" && html`<br />${words.reverseCharge}`}
        </p>
      </div>`,
    });
  },
};

interface Printed {
  readonly title: string;
  readonly body: Html;
}

/** On paper only the title, the time and the body are left. */
function printed(visit: Visit, order: OrderAnswer, { title, body }: Printed): PageContent {
  const back = [visit.href(`/orders/${order.id}`), en.oneOrder.title(order.number)] as const;
  return {
    title,
    body: html`${heading({ title, back })}
      <p class="noprint soft">${words.how}</p>
      ${placedAt(visit, order)} ${body}`,
  };
}

/** The units that are left to send; of an order that is sent, those that were. */
function parcelOf({ line_items: lines }: OrderAnswer) {
  const parcel = lines.map((line) => {
    const { name, sku, quantity, cancelled_quantity: cancelled, fulfilled_quantity: sent } = line;
    const notes = notesOf(line.metadata).map(noteInLine);
    return { name, sku, notes, sent, units: quantity - cancelled - sent };
  });
  const isSent = parcel.every(({ units }) => units === 0);
  return parcel
    .map(({ sent, ...line }) => (isSent ? { ...line, units: sent } : line))
    .filter(({ units }) => units > 0);
}

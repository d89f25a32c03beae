// The bill of an order, as it would be torn from a roll.

import { type Hole, type Html, html } from "#platform/html/html.ts";

import { amountIn, money } from "../../parts/money.ts";
import type { Order } from "../../parts/order-words.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";

type Line = Order["line_items"][number];

/** The lines, what is taken off and put on, and what is paid of it. */
export function billOf({ store }: Visit, order: Order): Html {
  const amount = (minor: number) => amountIn(store.currency, minor, order.currency);
  const sum = (label: string, minor: number) =>
    minor !== 0 &&
    html`<div>
      <dt>${label}</dt>
      <dd>${amount(minor)}</dd>
    </div>`;
  const words = en.oneOrder;
  const added = order.tax_lines.filter(({ included }) => !included);
  const included = order.tax_lines.filter((tax) => tax.included);
  const hasParts = order.total_minor !== order.subtotal_minor;
  return html`<div class="bill">
    <ul>
      ${order.line_items.map((line) => lineOf(line, amount))}
    </ul>
    <dl>
      ${hasParts && sum(words.subtotal, order.subtotal_minor)}
      ${sum(words.discount, -order.discount_total_minor)}
      ${sum(words.shipping, order.shipping_total_minor)}
      ${added.map((tax) => sum(tax.name, tax.amount_minor))}
      <div class="total">
        <dt>${words.total}</dt>
        <dd>${money(order.total_minor, order.currency)}</dd>
      </div>
      ${included.map((tax) => sum(words.taxIn(tax.name), tax.amount_minor))}
      ${sum(words.credited, -order.credited_total_minor)} ${sum(words.kept, order.kept_total_minor)}
      ${sum(words.writtenOff, -order.written_off_total_minor)}
      ${sum(words.paid, order.paid_total_minor)}
      ${sum(words.refunding, order.refunded_total_minor - order.refunding_total_minor)}
      ${sum(words.refunded, -order.refunded_total_minor)} ${sum(words.due, order.due_minor)}
    </dl>
  </div>`;
}

function lineOf(line: Line, amount: (minor: number) => Html): Html {
  return html`<li>
    <span class="qty">${line.quantity}</span><span>${line.name}</span
    ><span class="end">${amount(line.subtotal_minor)}</span
    ><span class="sku"
      >${partsOf(line, amount).map((part, index) => [index > 0 && " · ", part])}</span
    >
  </li>`;
}

function partsOf(line: Line, amount: (minor: number) => Html): Hole[] {
  const { sku, quantity, unit_price_minor: priceMinor } = line;
  return [
    ...(sku === null ? [] : [html`<span class="mono">${sku}</span>`]),
    ...(quantity === 1 ? [] : [html`${amount(priceMinor)} ${en.oneOrder.each}`]),
    ...movedOf(line),
  ];
}

/** What became of its units, where it is not the same for all. */
function movedOf(line: Line): string[] {
  const { cancelledUnits, returnedUnits, sentUnits } = en.oneOrder;
  const { quantity, cancelled_quantity, returned_quantity, fulfilled_quantity } = line;
  const isPart = fulfilled_quantity > 0 && fulfilled_quantity < quantity - cancelled_quantity;
  return [
    ...(cancelled_quantity > 0 ? [cancelledUnits(cancelled_quantity)] : []),
    ...(isPart ? [sentUnits(fulfilled_quantity, quantity)] : []),
    ...(returned_quantity > 0 ? [returnedUnits(returned_quantity)] : []),
  ];
}

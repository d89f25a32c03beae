// The bill of an order, as it would be torn from a roll, and that of a sale which is not made yet.

import { amountIn, money } from "#dashboard/kit/parts/money.ts";
import { noteInLine } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { notesOf, publicNotesOf } from "#kernel/metadata.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

import type { Payment } from "./payments-part.ts";

type Line = OrderAnswer["line_items"][number];
type SoldLine = Pick<Line, "sku" | "name" | "quantity" | "unit_price_minor" | "subtotal_minor">;

/** The part of an order, or of its preview, that a bill has. */
type Sale<L> = Pick<
  OrderAnswer,
  "currency" | "subtotal_minor" | "shipping_total_minor" | "tax_lines" | "total_minor"
> & { readonly line_items: readonly L[] };

interface NewSale extends Sale<SoldLine> {
  readonly discounts: readonly Pick<
    OrderAnswer["discounts"][number],
    "title" | "target" | "amount_minor"
  >[];
}

type Sum = readonly [label: string, minor: number];

interface BillTerms<L> {
  /** The discounts of the items. */
  readonly discounts: readonly Sum[];
  /** The fate of the units of a line, and what was chosen of it. */
  readonly remarksOf: (line: L) => readonly string[];
  /** The sums that follow the total, by their labels. */
  readonly rest: readonly Sum[];
}

/** The lines, what is taken off and put on, and what is paid of it. */
export function billOf(visit: Visit, order: OrderAnswer, payments: readonly Payment[]): Html {
  return billOfOrder(visit, order, { askedMinor: sumToApprove(payments), isForShop: true });
}

/** The same for the customer, who is told nothing of a refund that waits for an approval and of what the shop notes. */
export function receiptOf(visit: Visit, order: OrderAnswer, payments: readonly Payment[]): Html {
  return billOfOrder(visit, order, { askedMinor: sumToApprove(payments), isForShop: false });
}

function sumToApprove(payments: readonly Payment[]): number {
  return payments
    .flatMap(({ refunds }) => refunds)
    .filter(({ status }) => status === "needs_approval")
    .reduce((sum, { amount_minor: minor }) => sum + minor, 0);
}

interface OrderTerms {
  /** Refunds that wait for an approval, which the order counts as on their way. */
  readonly askedMinor: number;
  readonly isForShop: boolean;
}

function billOfOrder(visit: Visit, order: OrderAnswer, terms: OrderTerms): Html {
  const { askedMinor, isForShop } = terms;
  const words = en.oneOrder;
  const onItsWayMinor = order.refunding_total_minor - order.refunded_total_minor - askedMinor;
  return bill(visit, order, {
    discounts: [[words.discount, -order.discount_total_minor]],
    remarksOf: (line) => [
      ...movedOf(line),
      ...(isForShop ? notesOf : publicNotesOf)(line.metadata).map(noteInLine),
    ],
    rest: [
      [words.credited, -order.credited_total_minor],
      [words.kept, order.kept_total_minor],
      [words.writtenOff, -order.written_off_total_minor],
      [words.paid, order.paid_total_minor],
      [words.refundAsked, isForShop ? -askedMinor : 0],
      [words.refunding, -onItsWayMinor],
      [words.refunded, -order.refunded_total_minor],
      [words.due, order.due_minor],
    ],
  });
}

/** The same of a sale that is not made: nothing is paid or sent of it. Each discount is named, to be told. */
export function billOfSale(visit: Visit, sale: NewSale): Html {
  const ofItems = sale.discounts.filter(({ target }) => target !== "shipping");
  const discounts = ofItems.map(({ title, amount_minor: minor }): Sum => [title, -minor]);
  return bill(visit, sale, { discounts, remarksOf: () => [], rest: [] });
}

function bill<L extends SoldLine>(
  { store }: Visit,
  sale: Sale<L>,
  { discounts, remarksOf, rest }: BillTerms<L>,
): Html {
  const amount = (minor: number) => amountIn(store.currency, minor, sale.currency);
  const sum = (label: string, minor: number) =>
    minor !== 0 &&
    html`<div>
      <dt>${label}</dt>
      <dd>${amount(minor)}</dd>
    </div>`;
  const words = en.oneOrder;
  const added = sale.tax_lines.filter(({ included }) => !included);
  const included = sale.tax_lines.filter((tax) => tax.included);
  const hasParts = sale.total_minor !== sale.subtotal_minor;
  return html`<div class="bill">
    <ul>
      ${sale.line_items.map((line) => lineOf(line, { amount, remarks: remarksOf(line) }))}
    </ul>
    <dl>
      ${hasParts && sum(words.subtotal, sale.subtotal_minor)}
      ${discounts.map(([label, minor]) => sum(label, minor))}
      ${sum(words.shipping, sale.shipping_total_minor)}
      ${added.map((tax) => sum(tax.name, tax.amount_minor))}
      <div class="total">
        <dt>${words.total}</dt>
        <dd>${money(sale.total_minor, sale.currency)}</dd>
      </div>
      ${included.map((tax) => sum(words.taxIn(tax.name), tax.amount_minor))}
      ${rest.map(([label, minor]) => sum(label, minor))}
    </dl>
  </div>`;
}

interface LineTerms {
  readonly amount: (minor: number) => Html;
  readonly remarks: readonly string[];
}

function lineOf(line: SoldLine, terms: LineTerms): Html {
  return html`<li>
    <span class="qty">${line.quantity}</span><span>${line.name}</span
    ><span class="end">${terms.amount(line.subtotal_minor)}</span
    ><span class="sku"
      >${lineDetails(line, terms).map((part, index) => [index > 0 && " · ", part])}</span
    >
  </li>`;
}

function lineDetails(line: SoldLine, { amount, remarks }: LineTerms): Hole[] {
  const { sku, quantity, unit_price_minor: priceMinor } = line;
  return [
    ...(sku === null ? [] : [html`<span class="mono">${sku}</span>`]),
    ...(quantity === 1 ? [] : [html`${amount(priceMinor)} ${en.oneOrder.each}`]),
    ...remarks,
  ];
}

/** The fate of its units, where it is not the same for all. */
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

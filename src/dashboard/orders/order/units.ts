// How many units of each line: a number beside each, named as the interface takes them.

import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { idOf, versionField } from "#dashboard/kit/parts/field.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { fieldOfChosenLine, onlyChosenLines, shortageOf } from "#dashboard/orders/chosen-lines.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

import { actPage, askOrder, toOrder } from "./acts.ts";

type Line = OrderAnswer["line_items"][number];

interface UnitTerms {
  readonly order: OrderAnswer;
  /** The most units that may be named of a line. */
  readonly most: (line: Line) => number;
  /** The number with which each line begins: its most, or none. */
  readonly beginsWith: "all" | "none";
}

/** A row for each line that has units; null if none has. */
export function unitFields(
  submitted: SubmittedForm | null,
  { order, most, beginsWith }: UnitTerms,
): Html | null {
  if (order.line_items.every((line) => most(line) === 0)) return null;
  return unitRows(submitted, order.line_items, (line) => {
    const units = most(line);
    if (units === 0) return null;
    return {
      units: beginsWith === "all" ? units : 0,
      left: en.oneOrder.send.left(units),
      known: [["line_item_id", line.id]],
    };
  });
}

/** The content of the row of a line. */
interface UnitRow {
  /** The number in the field at first. */
  readonly units: number;
  readonly left?: string;
  /** The members that name the line, as hidden fields; the first of them tells it from the others. */
  readonly known: readonly [Member, ...Member[]];
}

type Member = readonly [name: string, value: string | number];

/** A number beside each line; a line without a row is left out. */
function unitRows(
  submitted: SubmittedForm | null,
  lines: readonly Line[],
  rowOf: (line: Line) => UnitRow | null,
): Html {
  const numberOf = rowNumbers(submitted);
  return html`<ul class="rows units">
    ${lines.map((line) => {
      const row = rowOf(line);
      return (
        row !== null && unitRow(submitted, { ...row, line, at: `/line_items/${numberOf(row)}` })
      );
    })}
  </ul>`;
}

const MEMBER = /^\/line_items\/(\d{1,4})\/(\w+)$/;

/** Numbers the rows: each keeps the one that it had in the form, whatever lines came or went since it was shown. */
function rowNumbers(submitted: SubmittedForm | null): (row: UnitRow) => number {
  const had = new Map<string, number[]>();
  for (const [name, value] of submitted?.fields ?? []) {
    const [, number, member] = MEMBER.exec(name) ?? [];
    const key = `${member} ${value}`;
    if (number !== undefined) had.set(key, [...(had.get(key) ?? []), Number(number)]);
  }
  let free = Math.max(-1, ...[...had.values()].flat()) + 1;
  return ({ known: [[name, value]] }) => had.get(`${name} ${value}`)?.shift() ?? free++;
}

function unitRow(
  submitted: SubmittedForm | null,
  { line, units, left, known, at }: UnitRow & { readonly line: Line; readonly at: string },
): Html {
  const name = `${at}/quantity`;
  const fault = submitted?.faultOf(name) ?? shortageOf(submitted, line.variant_id);
  const id = idOf(name);
  return html`<li class="lined">
    <label for="${id}"
      >${line.name} ${left !== undefined && html`<span class="soft small">${left}</span>`}
      ${fault !== undefined && html`<br /><span class="fault" id="${id}-fault">${fault}</span>`}</label
    >
    ${known.map(([member, value]) => html`<input type="hidden" name="${at}/${member}" value="${value}" />`)}
    <input
      class="units"
      id="${id}"
      name="${name}"
      inputmode="numeric"
      autocomplete="off"
      value="${submitted?.value(name) ?? units}"
      ${fault !== undefined && [attribute("aria-invalid", "true"), attribute("aria-describedby", `${id}-fault`)]}
    />
  </li>`;
}

export function unsentUnits(line: Line): number {
  return line.quantity - line.cancelled_quantity - line.fulfilled_quantity;
}

/** Units that were sent and did not come back. */
export function keptUnits(line: Line): number {
  return line.fulfilled_quantity - line.returned_quantity;
}

// How many of each item an order has is changed, while nothing of it is paid or sent.

const words = en.oneOrder.change;

/** Returns true if the interface lets the items change. */
export function mayChangeItems(order: OrderAnswer): boolean {
  const isUntouched =
    order.fulfillment_status === "unfulfilled" && order.credited_total_minor === 0;
  return order.status === "open" && order.payment_status === "unpaid" && isUntouched;
}

export const changePage: Page = {
  path: "/orders/{id}/items",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const { title } = words;
    const body = mayChangeItems(order) ? formOf(visit, order) : html`<p>${words.nothing}</p>`;
    return actPage(visit, order, { title, body });
  },
  forms: {
    items: {
      route: "PUT /v2/orders/{id}",
      doneMessage: "changed",
      redirectTo: toOrder,
      prepareBody: onlyChosenLines,
      fieldOf: fieldOfChosenLine,
    },
  },
};

function formOf(visit: Visit, order: OrderAnswer): Html {
  const rows = unitRows(visit.submitted, order.line_items, (line) => ({
    units: line.quantity,
    ...(visit.submitted?.status === 412 ? { left: en.now(String(line.quantity)) } : {}),
    known: knownOf(line),
  }));
  return html`<form class="stack" method="post" action="${visit.page}/items">
    ${versionField(visit.submitted, order.version)}
    <p>${words.what}</p>
    ${rows}
    <p><button class="go">${words.act}</button></p>
  </form>`;
}

/** The item that a line sells: a variant, or something of the merchant's own. */
function knownOf(line: Line): UnitRow["known"] {
  const { variant_id: variant, name, sku, unit_price: price, tax_class: taxClass } = line;
  if (variant !== null) return [["variant_id", variant]];
  return [
    ["name", name],
    ["unit_price", price],
    ...(sku === null ? [] : [["sku", sku] as const]),
    ...(taxClass === null ? [] : [["tax_class", taxClass] as const]),
  ];
}

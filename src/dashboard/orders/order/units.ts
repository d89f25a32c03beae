// How many units of each line: a number beside each, named as the interface takes them.

import { attribute, type Html, html } from "#platform/html/html.ts";

import type { Sent } from "../../forms/sent.ts";
import { idOf } from "../../parts/field.ts";
import type { Order } from "../../parts/order-words.ts";
import { en } from "../../words/en.ts";
import { shortageOf } from "../meant-lines.ts";

type Line = Order["line_items"][number];

interface UnitTerms {
  readonly order: Order;
  /** The most units that may be named of a line. */
  readonly most: (line: Line) => number;
  /** Whether each line begins with its most, or with none. */
  readonly beginsWith: "all" | "none";
}

/** A row for each line that has units; null if none has. */
export function unitFields(sent: Sent | null, { order, most, beginsWith }: UnitTerms): Html | null {
  if (order.line_items.every((line) => most(line) === 0)) return null;
  return unitRows(sent, order.line_items, (line, index) => {
    const units = most(line);
    if (units === 0) return null;
    return {
      units: beginsWith === "all" ? units : 0,
      left: en.oneOrder.send.left(units),
      known: html`<input
        type="hidden"
        name="${`/line_items/${index}/line_item_id`}"
        value="${line.id}"
      />`,
    };
  });
}

interface UnitRow {
  /** What stands in the field at first. */
  readonly units: number;
  readonly left?: string;
  /** The hidden fields that name the line. */
  readonly known: Html;
}

/** A number beside each line; a line without a row is left out. Its place in the order is its place in the form. */
export function unitRows(
  sent: Sent | null,
  lines: readonly Line[],
  rowOf: (line: Line, index: number) => UnitRow | null,
): Html {
  return html`<ul class="rows units">
    ${lines.map((line, index) => {
      const row = rowOf(line, index);
      return row !== null && unitRow(sent, `/line_items/${index}/quantity`, { ...row, line });
    })}
  </ul>`;
}

function unitRow(
  sent: Sent | null,
  name: string,
  { line, units, left, known }: UnitRow & { readonly line: Line },
): Html {
  const fault = sent?.faultOf(name) ?? shortageOf(sent, line.variant_id);
  const id = idOf(name);
  return html`<li class="lined">
    <label for="${id}"
      >${line.name} ${left !== undefined && html`<span class="soft small">${left}</span>`}
      ${fault !== undefined && html`<br /><span class="fault" id="${id}-fault">${fault}</span>`}</label
    >
    ${known}
    <input
      class="units"
      id="${id}"
      name="${name}"
      inputmode="numeric"
      autocomplete="off"
      value="${sent?.typed(name) ?? units}"
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

// How many of each item an order has is changed, while nothing of it is paid or sent.

import { type Html, html } from "#platform/html/html.ts";

import type { Page } from "../../page.ts";
import { versionField } from "../../parts/field.ts";
import type { Order } from "../../parts/order-words.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { fieldOfChosenLine, onlyChosenLines } from "../chosen-lines.ts";
import { actPage, askOrder, toOrder } from "./acts.ts";
import { type UnitRow, unitRows } from "./units.ts";

type Line = Order["line_items"][number];
const words = en.oneOrder.change;

/** Whether the interface lets the items change. */
export function mayChangeItems(order: Order): boolean {
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

function formOf(visit: Visit, order: Order): Html {
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

/** What a line sells: a variant, or something of the merchant's own. */
function knownOf({ variant_id: variant, name, sku, unit_price: price }: Line): UnitRow["known"] {
  if (variant !== null) return [["variant_id", variant]];
  const priced = [
    ["name", name],
    ["unit_price", price],
  ] as const;
  return sku === null ? priced : [...priced, ["sku", sku]];
}

// The filter of the list of orders, behind a disclosure.

import { attribute, type Html, html } from "#platform/html/html.ts";

import { input, type Option, select } from "../parts/field.ts";
import { daysAfter } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const words = en.orders;

const { on_delivery: _, ...payments } = en.order.payments;
const sendings = { ...en.order.sending, unfulfilled: words.notSent };

/** The filter as the interface takes it; empty without one. */
export function filterOf(visit: Visit): Readonly<Record<string, string>> {
  const sending = visit.query("sending");
  const to = visit.query("to");
  const asked = {
    payment_status: visit.query("payment"),
    ...(sending === "cancelled" ? { status: sending } : { fulfillment_status: sending }),
    channel: visit.query("channel"),
    "created_at[gte]": visit.query("from"),
    "created_at[lt]": to === "" ? "" : daysAfter(to, 1),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
}

/** The form; open where a filter is set. */
export function filterForm(visit: Visit): Html {
  const isSet = Object.keys(filterOf(visit)).length > 0;
  const choice = (name: "payment" | "sending" | "channel", of: Readonly<Record<string, string>>) =>
    select(null, { name, label: words[name], value: visit.query(name), options: optionsOf(of) });
  const day = (name: "from" | "to") =>
    input(null, { name, label: words[name], value: visit.query(name), type: "date" });
  return html`<details class="filter" ${attribute("open", isSet)}>
    <summary>${words.filter}</summary>
    <form action="${visit.href("/orders")}" aria-label="${words.filterLabel}">
      <input type="hidden" name="show" value="all" />
      ${choice("payment", payments)} ${choice("sending", sendings)} ${day("from")} ${day("to")}
      ${choice("channel", en.order.channels)}
      <p class="acts">
        <button>${words.apply}</button>
        ${isSet && html`<a href="${visit.href("/orders?show=all")}">${words.clear}</a>`}
      </p>
    </form>
  </details>`;
}

function optionsOf(of: Readonly<Record<string, string>>): Option[] {
  const known = Object.entries(of).map(([value, label]) => ({ value, label }));
  return [{ value: "", label: words.any }, ...known];
}

// The pages of acts on an order: send a part, take back, refund, record a payment, cancel.

import { html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import type { Page } from "../../page.ts";
import { checkbox, input, onceField, select, textarea } from "../../parts/field.ts";
import { textOfMoney, typedAmount } from "../../parts/money.ts";
import { en } from "../../words/en.ts";
import { onlyMeant, pointsToMeant } from "../meant-lines.ts";
import { actPage, askOrder, choicesOf, toOrder, versionOf } from "./acts.ts";
import { withPreview } from "./effect-page.ts";
import {
  isAboveLimit,
  keptMinor,
  moneyBackFields,
  pointsToMoney,
  withMoneyBack,
} from "./money-back.ts";
import { keptUnits, unitFields, unsentUnits } from "./units.ts";

/** Units leave the shop, with how to follow them. */
export const sendPage: Page = {
  path: "/orders/{id}/send",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.send;
    const terms = { order, most: unsentUnits, beginsWith: "all" } as const;
    const fields = order.status === "open" ? unitFields(visit.sent, terms) : null;
    if (fields === null)
      return actPage(visit, order, { title: words.title, body: html`<p>${words.nothing}</p>` });
    const body = html`<form class="stack" method="post" action="${visit.page}/part">
      ${versionOf(order)}
      <p>${words.what}</p>
      ${fields} ${input(visit.sent, { label: words.carrier, name: "/tracking/carrier" })}
      ${input(visit.sent, { label: words.number, name: "/tracking/number" })}
      ${input(visit.sent, { label: words.url, name: "/tracking/url", type: "url" })}
      <p><button class="go">${words.act}</button></p>
    </form>`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: {
    part: {
      asks: "PUT /v2/orders/{id}/fulfill",
      says: "sent",
      leadsTo: toOrder,
      completes: onlyMeant,
      pointsTo: pointsToMeant,
    },
  },
};

/** What is not sent is cancelled, all of it or a part. */
export const cancelPage: Page = {
  path: "/orders/{id}/cancel",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.cancel;
    const paidMinor = keptMinor(order);
    const units = order.line_items.reduce((sum, line) => sum + unsentUnits(line), 0);
    const terms = { order, most: unsentUnits, beginsWith: "all" } as const;
    const body = html`<form class="stack" method="post" action="${visit.page}/check">
      ${versionOf(order)}
      <p>
        ${paidMinor > 0 && words.paid(textOfMoney(paidMinor, order.currency))}${units > 1 ? words.whatPart : words.what}
      </p>
      ${units > 1 && unitFields(visit.sent, terms)}
      ${select(visit.sent, { label: words.reason, name: "/reason", options: choicesOf(words.reasons) })}
      ${moneyBackFields(visit, order)} ${textarea(visit.sent, { label: words.note, name: "/note" })}
      <p class="acts">
        <button class="go">${en.oneOrder.effect.check}</button>
        <a class="button quiet" href="${visit.href(toOrder(null, visit))}">${words.back}</a>
      </p>
    </form>`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: withPreview(
    "POST /v2/orders/{id}/cancel/preview",
    {
      asks: "PUT /v2/orders/{id}/cancel",
      says: "cancelled",
      leadsTo: toOrder,
      needsConfirmation: isAboveLimit,
      completes: meantUnits,
      pointsTo: pointsToUnits,
    },
    { ...en.oneOrder.cancel, form: "cancel" },
  ),
};

/** Sent units came back. */
export const returnPage: Page = {
  path: "/orders/{id}/return",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.back;
    const fields = unitFields(visit.sent, { order, most: keptUnits, beginsWith: "none" });
    if (fields === null)
      return actPage(visit, order, { title: words.title, body: html`<p>${words.nothing}</p>` });
    const body = html`<form class="stack" method="post" action="${visit.page}/check">
      ${versionOf(order)}
      <p>${words.what}</p>
      ${fields}
      ${select(visit.sent, { label: words.reason, name: "/reason", options: choicesOf(words.reasons) })}
      ${checkbox(visit.sent, { label: words.restock, name: "/restock", isChecked: true })}
      ${moneyBackFields(visit, order)} ${textarea(visit.sent, { label: words.note, name: "/note" })}
      <p><button class="go">${en.oneOrder.effect.check}</button></p>
    </form>`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: withPreview(
    "POST /v2/orders/{id}/returns/preview",
    {
      asks: "POST /v2/orders/{id}/returns",
      says: "returned",
      leadsTo: toOrder,
      needsConfirmation: isAboveLimit,
      completes: meantUnits,
      pointsTo: pointsToUnits,
    },
    { ...en.oneOrder.back, form: "units" },
  ),
};

/** Money goes back without items. */
export const refundPage: Page = {
  path: "/orders/{id}/refund",
  scopes: ["payments:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.refund;
    const mostMinor = keptMinor(order);
    if (mostMinor <= 0)
      return actPage(visit, order, { title: words.title, body: html`<p>${words.nothing}</p>` });
    const body = html`<form class="stack" method="post" action="${visit.page}/check">
      ${onceField()}
      <p>${words.what(textOfMoney(mostMinor, order.currency))}</p>
      ${input(visit.sent, { label: `${words.amount} (${order.currency})`, name: "/amount", digits: "decimal", value: typedAmount(mostMinor, order.currency), isRequired: true })}
      ${select(visit.sent, { label: words.reason, name: "/reason", options: choicesOf(words.reasons) })}
      ${textarea(visit.sent, { label: words.note, name: "/note" })}
      <p><button class="go">${en.oneOrder.effect.check}</button></p>
    </form>`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: withPreview(
    "POST /v2/orders/{id}/refunds/preview",
    {
      asks: "POST /v2/orders/{id}/refunds",
      says: "refunded",
      leadsTo: toOrder,
      needsConfirmation: isAboveLimit,
    },
    { ...en.oneOrder.refund, form: "amount" },
  ),
};

function meantUnits(body: JsonObject): JsonObject {
  return withMoneyBack(onlyMeant(body));
}

function pointsToUnits(pointer: string, fields: URLSearchParams): string {
  return pointsToMeant(pointsToMoney(pointer, fields), fields);
}

// The pages of acts on an order: send a part, take back, refund, record a payment, cancel.

import type { Page } from "#dashboard/kit/page.ts";
import {
  amountInput,
  checkbox,
  input,
  nonceField,
  select,
  textarea,
  versionField,
} from "#dashboard/kit/parts/field.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { methodNamed } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { fieldOfChosenLine, onlyChosenLines } from "#dashboard/orders/chosen-lines.ts";
import { en } from "#dashboard/words/en.ts";
import { paymentWire } from "#payments/rows/schema.ts";
import { html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import {
  actPage,
  askField,
  askOrder,
  choicesOf,
  fieldOfMoneyBack,
  isAboveLimit,
  keptMinor,
  moneyBackFields,
  toOrder,
  withMoneyBack,
  withPreview,
} from "./acts.ts";
import { keptUnits, unitFields, unsentUnits } from "./units.ts";

/** Units leave the shop, with how to follow them. */
export const sendPage: Page = {
  path: "/orders/{id}/send",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.send;
    const terms = { order, most: unsentUnits, beginsWith: "all" } as const;
    const fields = order.status === "open" ? unitFields(visit.submitted, terms) : null;
    if (fields === null)
      return actPage(visit, order, { title: words.title, body: html`<p>${words.nothing}</p>` });
    const body = html`<form class="stack" method="post" action="${visit.page}/part">
      ${versionField(visit.submitted, order.version)}
      <p>${words.what}</p>
      ${fields} ${input(visit.submitted, { label: words.carrier, name: "/tracking/carrier" })}
      ${input(visit.submitted, { label: words.number, name: "/tracking/number" })}
      ${input(visit.submitted, { label: words.url, name: "/tracking/url", type: "url" })}
      <p><button class="go">${words.act}</button></p>
    </form>`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: {
    part: {
      route: "POST /v2/orders/{id}/fulfill",
      doneMessage: "sent",
      redirectTo: toOrder,
      prepareBody: onlyChosenLines,
      fieldOf: fieldOfChosenLine,
    },
  },
};

/** Cancels what is not sent, all of it or a part. */
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
      ${versionField(visit.submitted, order.version)}
      <p>
        ${paidMinor > 0 && words.paid(textOfMoney(paidMinor, order.currency))}${units > 1 ? words.whatPart : words.what}
      </p>
      ${units > 1 && unitFields(visit.submitted, terms)}
      ${select(visit.submitted, { label: words.reason, name: "/reason", options: choicesOf(words.reasons) })}
      ${moneyBackFields(visit, order)}
      ${textarea(visit.submitted, { label: words.note, name: "/note" })}
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
      route: "POST /v2/orders/{id}/cancel",
      doneMessage: "cancelled",
      redirectTo: toOrder,
      needsConfirmation: isAboveLimit,
      prepareBody: chosenUnits,
      fieldOf: fieldOfUnits,
    },
    { ...en.oneOrder.cancel, form: "cancel", handsBackLater: true },
  ),
};

/** Sent units came back. */
export const returnPage: Page = {
  path: "/orders/{id}/return",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.back;
    const fields = unitFields(visit.submitted, { order, most: keptUnits, beginsWith: "none" });
    if (fields === null)
      return actPage(visit, order, { title: words.title, body: html`<p>${words.nothing}</p>` });
    const body = html`<form class="stack" method="post" action="${visit.page}/check">
      ${versionField(visit.submitted, order.version)}
      <p>${words.what}</p>
      ${fields}
      ${select(visit.submitted, { label: words.reason, name: "/reason", options: choicesOf(words.reasons) })}
      ${checkbox(visit.submitted, { label: words.restock, name: "/restock", isChecked: true })}
      ${moneyBackFields(visit, order)}
      ${textarea(visit.submitted, { label: words.note, name: "/note" })}
      <p><button class="go">${en.oneOrder.effect.check}</button></p>
    </form>`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: withPreview(
    "POST /v2/orders/{id}/returns/preview",
    {
      route: "POST /v2/orders/{id}/returns",
      doneMessage: "returned",
      redirectTo: toOrder,
      needsConfirmation: isAboveLimit,
      prepareBody: chosenUnits,
      fieldOf: fieldOfUnits,
    },
    { ...en.oneOrder.back, form: "units", handsBackLater: true },
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
      ${nonceField()} ${askField(visit)}
      <p>${words.what(textOfMoney(mostMinor, order.currency))}</p>
      ${amountInput(visit.submitted, { label: `${words.amount} (${order.currency})`, name: "/amount", writing: visit.writing(order.currency), minor: mostMinor, isRequired: true })}
      ${select(visit.submitted, { label: words.reason, name: "/reason", options: choicesOf(words.reasons) })}
      ${textarea(visit.submitted, { label: words.note, name: "/note" })}
      <p><button class="go">${en.oneOrder.effect.check}</button></p>
    </form>`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: withPreview(
    "POST /v2/orders/{id}/refunds/preview",
    {
      route: "POST /v2/orders/{id}/refunds",
      doneMessage: "refunded",
      redirectTo: toOrder,
      needsConfirmation: isAboveLimit,
    },
    { ...en.oneOrder.refund, form: "amount", handsBackLater: false },
  ),
};

function chosenUnits(body: JsonObject): JsonObject {
  return withMoneyBack(onlyChosenLines(body));
}

function fieldOfUnits(pointer: string, fields: URLSearchParams): string {
  return fieldOfChosenLine(fieldOfMoneyBack(pointer, fields), fields);
}

// Money that does not fit what was asked for goes back, all of it. The page says how much, because it cannot be taken
// back.

export const giveBackPage: Page = {
  path: "/orders/{id}/give-back/{payment_id}",
  scopes: ["payments:write"],
  show: async (visit) => {
    const words = en.oneOrder.giveBack;
    const order = await askOrder(visit);
    const { received, status, method } = await visit.ask(paymentWire, "GET /v2/payments/{ref}", {
      params: refOf(visit),
    });
    if (received === null || status !== "review") {
      const { giveItBack: title } = en.oneOrder;
      return actPage(visit, order, { title, body: html`<p>${words.nothing}</p>` });
    }
    const amount = textOfMoney(received.amount_minor, received.currency);
    const title = words.title(amount);
    const body = html`<form class="stack" method="post" action="${visit.page}/all">
      ${nonceField()}
      <p>${words.what(amount, methodNamed(method))}</p>
      <p class="acts">
        <button class="danger">${title}</button>
        <a class="button quiet" href="${visit.href(toOrder(null, visit))}">${en.cancel}</a>
      </p>
    </form>`;
    return actPage(visit, order, { title, body });
  },
  forms: {
    all: {
      route: "POST /v2/payments/{ref}/refunds",
      doneMessage: "refunded",
      redirectTo: toOrder,
      findParams: async (visit) => refOf(visit),
      needsConfirmation: async ({ store }) => store.refund_limit_minor !== null,
    },
  },
};

function refOf({ params }: Visit): { readonly ref: string } {
  return { ref: params["payment_id"] ?? "" };
}

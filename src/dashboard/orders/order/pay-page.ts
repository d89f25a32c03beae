// Money that was taken by hand is recorded, or what is still to be paid is given up.

import { paymentWire } from "#payments/payments/schema.ts";
import { html } from "#platform/html/html.ts";

import type { Page } from "../../page.ts";
import { input, onceField, select } from "../../parts/field.ts";
import { methodsByHand, optionsOf } from "../../parts/methods.ts";
import { textOfMoney, typedAmount } from "../../parts/money.ts";
import type { Order } from "../../parts/order-words.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { actPage, askOrder, toOrder } from "./acts.ts";

export const payPage: Page = {
  path: "/orders/{id}/pay",
  scopes: ["payments:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.pay;
    const { title } = words;
    if (order.due_minor === 0)
      return actPage(visit, order, { title, body: html`<p>${words.nothing}</p>` });
    const options = optionsOf(await methodsByHand(visit));
    const due = textOfMoney(order.due_minor, order.currency);
    const body = html`<p>${words.what(due)}</p>
      ${options.length === 0 ? html`<p>${words.none}</p>` : recordForm(visit, order, options)}
      <p>
        <a class="tap" href="${visit.href(`/orders/${order.id}/write-off`)}">${words.writeOff}</a>
      </p>`;
    return actPage(visit, order, { title, body });
  },
  forms: {
    record: {
      asks: "POST /v2/payments/{ref}/confirm",
      says: "paid",
      leadsTo: toOrder,
      finds: findPayment,
    },
  },
};

/** What is still to be paid is given up. */
export const writeOffPage: Page = {
  path: "/orders/{id}/write-off",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const { writeOff: title, writeOffWhat, writeOffAmount, nothing } = en.oneOrder.pay;
    if (order.due_minor === 0)
      return actPage(visit, order, { title, body: html`<p>${nothing}</p>` });
    const body = html`<form class="stack" method="post" action="${visit.page}/amount">
      ${onceField()}
      <p>${writeOffWhat}</p>
      ${input(visit.sent, { label: `${writeOffAmount} (${order.currency})`, name: "/amount", digits: "decimal", value: typedAmount(order.due_minor, order.currency) })}
      <p><button class="go">${title}</button></p>
    </form>`;
    return actPage(visit, order, { title, body });
  },
  forms: {
    amount: {
      asks: "POST /v2/orders/{id}/write-off",
      says: "saved",
      needsConfirmation: true,
      leadsTo: toOrder,
    },
  },
};

function recordForm(visit: Visit, order: Order, options: ReturnType<typeof optionsOf>) {
  const words = en.oneOrder.pay;
  const agreed = options.find(({ value }) => value === order.payment_method);
  return html`<form class="stack" method="post" action="${visit.page}/record">
    ${onceField()}
    ${select(visit.sent, { label: words.method, name: "method", value: agreed?.value ?? "", options })}
    ${input(visit.sent, { label: `${words.amount} (${order.currency})`, name: "/amount", digits: "decimal", value: typedAmount(order.due_minor, order.currency), isRequired: true })}
    <p><button class="go">${words.act}</button></p>
  </form>`;
}

/** The payment by hand that waits for this money, or a new one. Throws `Refused`. */
async function findPayment(visit: Visit, form: URLSearchParams) {
  const order = await askOrder(visit);
  const method = form.get("method") ?? "";
  const listed = await visit.list(paymentWire, "GET /v2/payments", {
    query: { order_id: order.id },
  });
  const open = listed.data.find(
    (one) => one.method === method && one.gateway === null && one.status === "pending",
  );
  if (open !== undefined) return { ref: open.reference };
  const { reference } = await visit.ask(paymentWire, "POST /v2/payments/initialize", {
    body: { order_id: order.id, method },
    idempotencyKey: `pay-${visit.visitor.person.id}-${form.get("form") ?? ""}`,
  });
  return { ref: reference };
}

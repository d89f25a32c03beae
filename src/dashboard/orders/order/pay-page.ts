// Money that was taken by hand is recorded, or what is still to be paid is given up.

import { readAmountField, wireAmountOf } from "#dashboard/kit/amounts.ts";
import { readAnswer } from "#dashboard/kit/asker.ts";
import { sendOnce } from "#dashboard/kit/forms/send-once.ts";
import { membersOf, NONCE } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { amountInput, nonceField, select } from "#dashboard/kit/parts/field.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { methodsByHand, optionsOf } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import { paymentWire } from "#payments/rows/schema.ts";
import { html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

import { actPage, askOrder, toOrder } from "./acts.ts";

const AMOUNT = "/amount";

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
    const open = await waitingByHand(visit, order);
    const due = textOfMoney(order.due_minor, order.currency);
    const body = html`<p>${words.what(due)}</p>
      ${options.length === 0 ? html`<p>${words.none}</p>` : recordForm(visit, order, { options, open })}
      <p>
        <a class="tap" href="${visit.href(`/orders/${order.id}/write-off`)}">${words.writeOff}</a>
      </p>`;
    return actPage(visit, order, { title, body });
  },
  forms: {
    record: {
      route: "POST /v2/payments/{ref}/confirm",
      doneMessage: "paid",
      redirectTo: toOrder,
      findParams: findPayment,
    },
  },
};

/** Writes off what is still to be paid. */
export const writeOffPage: Page = {
  path: "/orders/{id}/write-off",
  scopes: ["orders:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const { writeOff: title, writeOffWhat, writeOffAmount, nothing } = en.oneOrder.pay;
    if (order.due_minor === 0)
      return actPage(visit, order, { title, body: html`<p>${nothing}</p>` });
    const body = html`<form class="stack" method="post" action="${visit.page}/amount">
      ${nonceField()}
      <p>${writeOffWhat}</p>
      ${amountInput(visit.submitted, { label: `${writeOffAmount} (${order.currency})`, name: "/amount", writing: visit.writing(order.currency), minor: order.due_minor })}
      <p><button class="go">${title}</button></p>
    </form>`;
    return actPage(visit, order, { title, body });
  },
  forms: {
    amount: {
      route: "POST /v2/orders/{id}/write-off",
      doneMessage: "saved",
      needsConfirmation: true,
      redirectTo: toOrder,
    },
  },
};

function recordForm(
  visit: Visit,
  order: OrderAnswer,
  { options, open }: { readonly options: ReturnType<typeof optionsOf>; readonly open: Waiting },
) {
  const words = en.oneOrder.pay;
  const agreed = options.find(({ value }) => value === order.payment_method);
  return html`<form class="stack" method="post" action="${visit.page}/record">
    ${nonceField()}
    ${open.map(({ method, reference }) => html`<input type="hidden" name="${waitingField(method)}" value="${reference}" />`)}
    ${select(visit.submitted, { label: words.method, name: "method", value: agreed?.value ?? "", options })}
    ${amountInput(visit.submitted, { label: `${words.amount} (${order.currency})`, name: AMOUNT, writing: visit.writing(order.currency), minor: order.due_minor, isRequired: true })}
    <p><button class="go">${words.act}</button></p>
  </form>`;
}

type Waiting = readonly { readonly method: string; readonly reference: string }[];

/** The payments by hand that wait for this money. */
async function waitingByHand(visit: Visit, { id }: OrderAnswer): Promise<Waiting> {
  const query = { order_id: id, status: "pending" };
  const { data } = await visit.list(paymentWire, "GET /v2/payments", { query });
  return data.filter(({ gateway }) => gateway === null);
}

function waitingField(method: string): string {
  return `waiting_${method}`;
}

/**
 * The payment by hand that waited for this money when the form was shown, or a new one: the same form submitted
 * again is about the same payment. Throws `Refused`, and before any request is sent where the amount is none.
 */
async function findPayment(visit: Visit, fields: URLSearchParams) {
  const method = fields.get("method") ?? "";
  const waiting = fields.get(waitingField(method));
  if (waiting !== null) return { ref: waiting };
  const order = await askOrder(visit);
  const faults = new Faults();
  const amount = readAmountField(fields, AMOUNT, visit.writing(order.currency));
  readPositiveAmount(wireAmountOf(amount), order.currency, { faults, pointer: AMOUNT });
  faults.refuseIfAny();
  const answer = await sendOnce(visit, "POST /v2/payments/initialize", {
    params: {},
    body: { order_id: order.id, method },
    version: null,
    nonce: fields.get(NONCE),
  });
  const { reference } = membersOf(readAnswer(answer));
  return { ref: typeof reference === "string" ? reference : "" };
}

// Money that was taken by hand is recorded, or what is still to be paid is given up.

import type { Page } from "#dashboard/kit/page.ts";
import {
  amountInput,
  checkbox,
  input,
  nonceField,
  select,
  textarea,
} from "#dashboard/kit/parts/field.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { methodNamed, methodsByHand, optionsOf } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";
import { receivingAccounts } from "#shop/settings/receiving-account-schema.ts";

import { actPage, askOrder, toOrder } from "./acts.ts";

export const payPage: Page = {
  path: "/orders/{id}/pay",
  scopes: ["payments:write"],
  show: async (visit) => {
    const order = await askOrder(visit);
    const words = en.oneOrder.pay;
    const options = optionsOf(await methodsByHand(visit));
    const body = html`<p>${whatFollows(order)}</p>
      ${options.length === 0 ? html`<p>${words.none}</p>` : await recordForm(visit, order, options)}
      ${
        order.due_minor > 0 &&
        html`<p>
          <a class="tap" href="${visit.href(`/orders/${order.id}/write-off`)}">${words.writeOff}</a>
        </p>`
      }`;
    return actPage(visit, order, { title: words.title, body });
  },
  forms: {
    record: {
      route: "POST /v2/orders/{id}/payments",
      doneMessage: "paid",
      redirectTo: toOrder,
    },
  },
};

/** Money may come at any time: what becomes of it depends on what the order still owes. */
function whatFollows({ status, due_minor: dueMinor, currency }: OrderAnswer): string {
  const words = en.oneOrder.pay;
  if (status === "cancelled") return words.ofCancelled;
  return dueMinor > 0 ? words.what(textOfMoney(dueMinor, currency)) : words.beyond;
}

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

async function recordForm(visit: Visit, order: OrderAnswer, options: ReturnType<typeof optionsOf>) {
  const { submitted } = visit;
  const words = en.oneOrder.pay;
  const agreed = options.find(({ value }) => value === order.payment_method);
  const due = order.due_minor > 0 ? { minor: order.due_minor } : {};
  return html`<form class="stack" method="post" action="${visit.page}/record">
    ${nonceField()}
    ${select(submitted, { label: words.method, name: "/method", value: agreed?.value ?? "", options })}
    ${amountInput(submitted, { label: `${words.amount} (${order.currency})`, name: "/amount", writing: visit.writing(order.currency), ...due, isRequired: true })}
    ${input(submitted, { label: words.day, name: "/received_on", type: "date", hint: words.dayHint })}
    ${input(submitted, { label: words.reference, name: "/transaction_reference", hint: words.referenceHint })}
    ${submitted?.code === "transaction_seen" && checkbox(submitted, { label: words.seen, name: "/seen", isChecked: false })}
    ${await accountField(visit)} ${textarea(submitted, { label: words.note, name: "/note" })}
    <p><button class="go">${words.act}</button></p>
  </form>`;
}

/** The choice of the account that took the money; null where the shop has none, or the person may not see them. */
async function accountField(visit: Visit): Promise<Html | null> {
  if (!visit.may("store:read")) return null;
  const { data } = await visit.list(receivingAccounts.wire, "GET /v2/receiving-accounts");
  if (data.length === 0) return null;
  const { account, noAccount } = en.oneOrder.pay;
  const options = data.map(({ id, label, method }) => ({
    value: id,
    label: `${label} · ${methodNamed(method)}`,
  }));
  return select(visit.submitted, {
    label: account,
    name: "/account_id",
    options: [{ value: "", label: noAccount }, ...options],
  });
}

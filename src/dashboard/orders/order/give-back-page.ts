// Money that does not fit what was asked for goes back, all of it. The page says how much, because it cannot be taken
// back.

import { paymentWire } from "#payments/payments/schema.ts";
import { html } from "#platform/html/html.ts";

import type { Page } from "../../page.ts";
import { nonceField } from "../../parts/field.ts";
import { textOfMoney } from "../../parts/money.ts";
import { methodNamed } from "../../parts/order-words.ts";
import type { Visit } from "../../visit.ts";
import { en } from "../../words/en.ts";
import { actPage, askOrder, toOrder } from "./acts.ts";

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

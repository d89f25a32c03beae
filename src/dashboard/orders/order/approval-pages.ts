// The pages on which a refund above the limit of who asked for it is approved or declined.

import type { Page } from "#dashboard/kit/page.ts";
import { textarea } from "#dashboard/kit/parts/field.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { refundWire } from "#payments/rows/schema.ts";
import { html } from "#platform/html/html.ts";

import { actPage, askOrder, toOrder } from "./acts.ts";

const words = en.oneOrder.approval;

export const approvePage: Page = {
  path: "/orders/{id}/approve/{refund_id}",
  scopes: ["refunds:write"],
  show: (visit) => decisionPage(visit, "approve"),
  forms: {
    yes: {
      route: "POST /v2/refunds/{id}/approve",
      doneMessage: "approved",
      redirectTo: toOrder,
      findParams: async (visit) => idOf(visit),
      needsConfirmation: async () => true,
    },
  },
};

export const declinePage: Page = {
  path: "/orders/{id}/decline/{refund_id}",
  scopes: ["refunds:write"],
  show: (visit) => decisionPage(visit, "decline"),
  forms: {
    no: {
      route: "POST /v2/refunds/{id}/decline",
      doneMessage: "declined",
      redirectTo: toOrder,
      findParams: async (visit) => idOf(visit),
    },
  },
};

async function decisionPage(visit: Visit, decision: "approve" | "decline") {
  const order = await askOrder(visit);
  const params = idOf(visit);
  const refund = await visit.ask(refundWire, "GET /v2/refunds/{id}", { params });
  const amount = textOfMoney(refund.amount_minor, refund.currency);
  const { title, what, form, look } = words[decision];
  if (refund.status !== "needs_approval") {
    return actPage(visit, order, { title: title(amount), body: html`<p>${words.nothing}</p>` });
  }
  const body = html`<form class="stack" method="post" action="${`${visit.page}/${form}`}">
    <p>${what(amount)}</p>
    ${refund.note !== null && refund.note !== "" && html`<p class="soft">${refund.note}</p>`}
    ${decision === "decline" && textarea(visit.submitted, { label: words.why, name: "/note" })}
    <p class="acts">
      <button class="${look}">${title(amount)}</button>
      <a class="button quiet" href="${visit.href(toOrder(null, visit))}">${en.cancel}</a>
    </p>
  </form>`;
  return actPage(visit, order, { title: title(amount), body });
}

function idOf({ params }: Visit): { readonly id: string } {
  return { id: params["refund_id"] ?? "" };
}

// The payments of an order, and those that wait for a person: disputes, money that does not fit, refunds that failed.

import type { Static } from "typebox";

import { NONCE } from "#dashboard/kit/forms/submitted-form.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { mark, methodNamed } from "#dashboard/kit/parts/order-words.ts";
import { shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { dayStartMs } from "#kernel/time.ts";
import { disputeWire, paymentWire } from "#payments/rows/schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { OrderAnswer } from "#sales/orders/schema.ts";

export interface Payment extends Static<(typeof paymentWire)["schema"]> {}
type Refund = Payment["refunds"][number];

/** Attempts that came to nothing are left out. */
const told = new Set<string>([
  "succeeded",
  "partially_refunded",
  "refunded",
  "review",
  "processing",
]);

/** Lists the payments of the order; none for a person who may not read them. */
export async function paymentsOf(
  visit: Visit,
  { id }: Pick<OrderAnswer, "id">,
): Promise<readonly Payment[]> {
  if (!visit.may("payments:read")) return [];
  return (await visit.list(paymentWire, "GET /v2/payments", { query: { order_id: id } })).data;
}

export function paymentsPart(visit: Visit, payments: readonly Payment[]): Html | null {
  const shown = payments.filter(({ status }) => told.has(status));
  if (shown.length === 0) return null;
  return html`<section>
    <h2>${en.oneOrder.payments}</h2>
    <ul class="rows">
      ${shown.map((payment) => html`<li>${paymentOf(visit, payment)}</li>`)}
    </ul>
  </section>`;
}

const gateways: Readonly<Record<string, string>> = en.oneOrder.gateways;

/** Notes on what to do about the payments that are disputed, and until when. */
export async function disputeNotes(visit: Visit, payments: readonly Payment[]): Promise<Html[]> {
  const notes = payments.map(async ({ id }) => {
    const query = { payment: id, status: "warning,open" };
    const { data } = await visit.list(disputeWire, "GET /v2/disputes", { query });
    return data.map(({ amount_minor: minor, currency, gateway, due_at: dueAt }) => {
      const day = dueAt === null ? null : shortDayOf(dueAt, visit.when);
      return html`<div class="note stop">
        <div>
          <p><strong>${en.oneOrder.disputed(textOfMoney(minor, currency))}</strong></p>
          <p>${en.oneOrder.disputedHow(gateways[gateway] ?? gateway, day)}</p>
        </div>
      </div>`;
    });
  });
  return (await Promise.all(notes)).flat();
}

function paymentOf(visit: Visit, payment: Payment): Html {
  const minor = payment.captured_total_minor || payment.amount_minor;
  const isOff = payment.status === "refunded";
  const look = payment.status === "review" ? "stop" : isOff ? "off" : "done";
  return html`<div class="lined">
      <span>${textOfMoney(minor, payment.currency)} · ${methodNamed(payment.method)}</span>
      ${mark(look, en.oneOrder.states[payment.status])}
    </div>
    ${factsOf(visit, payment)}
    ${payment.status === "review" && visit.may("payments:write") && reviewForms(visit, payment)}
    ${payment.refunds.filter(needsPerson).map((refund) => refundForms(visit, refund))}`;
}

const brands: Readonly<Record<string, string>> = en.oneOrder.brands;

/** The instrument of the payment and the gateway's fee, and what was told of money by hand, where that is known. */
function factsOf(visit: Visit, payment: Payment): Html | null {
  const { instrument, fee, received_on: day, transaction_reference: reference, note } = payment;
  const { brand, last4 } = instrument ?? { brand: null, last4: null };
  const name = brand === null ? null : (brands[brand] ?? brand);
  const ending = last4 === null ? null : en.oneOrder.ending(last4);
  const paidWith = [name, ending].filter((one) => one !== null).join(" ");
  const kept = fee === null ? "" : en.oneOrder.fee(textOfMoney(fee.amount_minor, fee.currency));
  const came = day === null ? "" : en.oneOrder.cameOn(dayNamed(visit, day));
  const facts = [paidWith, kept, came, reference ?? "", note ?? ""]
    .filter((one) => one !== "")
    .join(" · ");
  return facts === "" ? null : html`<p class="small">${facts}</p>`;
}

function dayNamed({ when }: Visit, day: string): string {
  return shortDayOf(dayStartMs(day, when.zone), when);
}

function needsPerson({ status }: Refund): boolean {
  return status === "needs_attention" || status === "failed" || status === "needs_approval";
}

function reviewForms(visit: Visit, { id, received, reference, version }: Payment): Html {
  const came = received === null ? "" : textOfMoney(received.amount_minor, received.currency);
  const hidden = html`<input type="hidden" name="@ref" value="${reference}" />
    <input type="hidden" name="${NONCE}" value="${`${reference} ${version}`}" />`;
  return html`<p class="small">${en.oneOrder.review(came)}</p>
    <div class="acts">
      <form method="post" action="${visit.page}/accept">
        ${hidden}<button>${en.oneOrder.accept}</button>
      </form>
      <a class="button quiet" href="${`${visit.page}/give-back/${id}`}"
        >${en.oneOrder.giveItBack}</a
      >
    </div>`;
}

function refundForms(visit: Visit, refund: Refund): Html {
  const { attention, id, version, status, external } = refund;
  const isAsked = status === "needs_approval";
  const why = en.oneOrder.attention[isAsked ? "approval" : (attention ?? "failed")];
  const amount = textOfMoney(refund.amount_minor, refund.currency);
  const decision = (path: "approve" | "decline", word: string) =>
    html`<a class="button quiet" href="${`${visit.page}/${path}/${id}`}">${word}</a>`;
  if (isAsked) {
    return html`<p class="small">${amount}: ${why}</p>
      ${
        visit.may("refunds:write") &&
        html`<div class="acts">
          ${decision("approve", en.oneOrder.approve)} ${decision("decline", en.oneOrder.decline)}
        </div>`
      }`;
  }
  const act = (path: "retry" | "close" | "drop", word: string) =>
    html`<form method="post" action="${`${visit.page}/${path}`}">
      <input type="hidden" name="@id" value="${id}" />
      <input type="hidden" name="version" value="${version}" />
      <button>${word}</button>
    </form>`;
  return html`<p class="small">${amount}: ${why}</p>
    ${
      visit.may("payments:write") &&
      html`<div class="acts">
        ${status === "failed" && !external && act("retry", en.oneOrder.tryAgain)}
        ${act("close", en.oneOrder.handedBack)}
        ${(status === "failed" || attention === "by_hand") && act("drop", en.oneOrder.notNeeded)}
      </div>`
    }`;
}

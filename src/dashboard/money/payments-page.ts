// The list of payments, newest first, by what became of them. Each leads to its order, where something can be done.

import { type Listed, Refused } from "#dashboard/kit/asker.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink, rowOfOrder, searchBox, tabs } from "#dashboard/kit/parts/list.ts";
import { amountIn } from "#dashboard/kit/parts/money.ts";
import { mark, methodNamed } from "#dashboard/kit/parts/order-words.ts";
import { agoOrDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import type { Payment } from "#dashboard/orders/order/payments-part.ts";
import { en } from "#dashboard/words/en.ts";
import { isPaidInPerson, paymentMethods } from "#kernel/payment-method.ts";
import { paymentWire } from "#payments/rows/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import { namesOfRows } from "./worklists.ts";

const words = en.payments;

const shows = ["received", "waiting", "transfers", "review", "failed"] as const;
type Show = (typeof shows)[number];

const waiting = ["pending", "requires_action", "processing"] as const;

const queryOf: Readonly<Record<Show, Readonly<Record<string, string>>>> = {
  received: { status: "succeeded,partially_refunded,refunded" },
  waiting: { status: waiting.join(",") },
  transfers: {
    status: "pending",
    by: "hand",
    method: paymentMethods.filter((method) => !isPaidInPerson(method)).join(","),
  },
  review: { status: "review" },
  failed: { status: "failed,cancelled,expired" },
};

export const paymentsPage: Page = {
  path: "/payments",
  scopes: ["payments:read"],
  show: async (visit) => {
    const show = shows.find((one) => one === visit.query("show")) ?? "received";
    const q = visit.query("q").trim();
    const listed = q === "" ? await listOf(visit, show) : await foundBy(visit, q);
    return {
      title: en.nav.payments,
      follows: "payment",
      body: html`${heading({ title: en.nav.payments })}
        <div class="tools">
          ${searchBox(visit, { placeholder: words.search })}
          ${tabs(
            words.which,
            shows.map((one) => ({
              href: `${visit.page}?show=${one}`,
              word: words.tabs[one],
              isHere: q === "" && one === show,
            })),
          )}
        </div>
        <div class="list">
          ${
            listed.data.length > 0
              ? await rowsOf(visit, listed.data)
              : q === ""
                ? emptyList(words.empty[show], words.emptyWhat[show])
                : emptyList(words.notFound, words.notFoundWhat(q))
          }
          ${olderLink(visit, listed)}
        </div>`,
    };
  },
};

function listOf(visit: Visit, show: Show): Promise<Listed<Payment>> {
  const cursor = visit.query("cursor");
  const query = {
    ...queryOf[show],
    limit: "20",
    ...(cursor === "" ? {} : { cursor }),
  };
  return visit.list(paymentWire, "GET /v2/payments", { query });
}

/** The payment with this reference or id, as a bank or a customer names it. */
async function foundBy(visit: Visit, ref: string): Promise<Listed<Payment>> {
  try {
    const payment = await visit.ask(paymentWire, "GET /v2/payments/{ref}", { params: { ref } });
    return { data: [payment], has_more: false, next_cursor: null };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return paidByTransfer(visit, ref);
    throw error;
  }
}

/** The payments by hand that have the reference of a bank or a wallet. */
export function paidByTransfer(visit: Visit, reference: string): Promise<Listed<Payment>> {
  const query = { transaction_reference: reference };
  return visit.list(paymentWire, "GET /v2/payments", { query });
}

async function rowsOf(visit: Visit, payments: readonly Payment[]): Promise<Html> {
  return html`<ol class="rows">
    ${payments.map(await paymentRows(visit, payments))}
  </ol>`;
}

/** Returns what makes a row of one of the payments. */
export async function paymentRows(visit: Visit, payments: readonly Payment[]) {
  const nameOf = visit.may("orders:read") ? await namesOfRows(visit, payments) : () => null;
  return (payment: Payment): Html => {
    const minor = payment.captured_total_minor || payment.amount_minor;
    const reference = payment.transaction_reference ?? payment.reference;
    const row = html`${nameOf(payment)}<span class="what"
        >${methodNamed(payment.method)} · <span class="mono">${reference}</span></span
      ><span class="marks">${mark(lookOf(payment), en.oneOrder.states[payment.status])}</span
      ><span class="when">${agoOrDayOf(payment.created_at, visit.when)}</span
      ><span class="sum">${amountIn(visit.store.currency, minor, payment.currency)}</span>`;
    return html`<li>${rowOfOrder(visit, payment.order_id, row)}</li>`;
  };
}

function lookOf({ status }: Payment): "done" | "wait" | "stop" | "off" {
  if (status === "review") return "stop";
  if (status === "succeeded") return "done";
  return waiting.some((one) => one === status) ? "wait" : "off";
}

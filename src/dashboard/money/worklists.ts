// Worklists, of what waits for a person: refunds and disputes that are not decided, and emails that failed. Each leads
// to its order, where it is tried again, closed or sent again.

import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink, rowOfOrder } from "#dashboard/kit/parts/list.ts";
import { amountIn } from "#dashboard/kit/parts/money.ts";
import { mark, nameOnRow } from "#dashboard/kit/parts/order-words.ts";
import { momentOf, shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { whyOf } from "#dashboard/orders/emails-part.ts";
import { en } from "#dashboard/words/en.ts";
import { emailWire } from "#emails/schema.ts";
import { disputeWire, refundWire } from "#payments/rows/schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";

const words = en.worklists;

export const refundsPage: Page = {
  path: "/refunds",
  scopes: ["payments:read", "orders:read"],
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = {
      status: "needs_approval,needs_attention,failed",
      limit: "20",
      ...(cursor === "" ? {} : { cursor }),
    };
    const listed = await visit.list(refundWire, "GET /v2/refunds", { query });
    const nameOf = await namesOfRows(visit, listed.data);
    const rows = listed.data.map((refund) => {
      const isAsked = refund.status === "needs_approval";
      const why = en.oneOrder.attention[isAsked ? "approval" : (refund.attention ?? "failed")];
      const what = [why, refund.note ?? ""].join(" ");
      const row = html`${nameOf(refund)}<span class="what">${what}</span
        ><span class="marks">${mark("stop", en.oneOrder.refundStates[refund.status])}</span
        ><span class="when">${momentOf(refund.created_at, visit.when)}</span
        ><span class="sum"
          >${amountIn(visit.store.currency, refund.amount_minor, refund.currency)}</span
        >`;
      return html`<li>${rowOfOrder(visit, refund.order_id, row)}</li>`;
    });
    return {
      title: words.refunds,
      follows: "refund",
      body: html`${heading({ title: words.refunds })}
        <div class="list">
          ${
            rows.length === 0
              ? emptyList(words.refundsEmpty, words.refundsEmptyWhat)
              : html`<ol class="rows">
                  ${rows}
                </ol>`
          }
        </div>
        ${olderLink(visit, listed)}`,
    };
  },
};

// Disputes that are not decided: each leads to its order. The evidence is sent at the gateway.

const vendors: Readonly<Record<string, string>> = words.vendors;

export const disputesPage: Page = {
  path: "/disputes",
  scopes: ["payments:read", "orders:read"],
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = { status: "warning,open", limit: "20", ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(disputeWire, "GET /v2/disputes", { query });
    const nameOf = await namesOfRows(visit, listed.data);
    const rows = listed.data.map((dispute) => {
      const { order_id: order, due_at: dueAt } = dispute;
      const vendor = vendors[dispute.gateway] ?? dispute.gateway;
      const row = html`${nameOf(dispute)}<span class="what"
          >${`${vendor} ${dispute.gateway_dispute_id}`}</span
        ><span class="marks">${mark("stop", words.disputeStates[dispute.status])}</span
        ><span class="when"
          >${dueAt === null ? "" : words.answerBefore(shortDayOf(dueAt, visit.when))}</span
        ><span class="sum"
          >${amountIn(visit.store.currency, dispute.amount_minor, dispute.currency)}</span
        >`;
      return html`<li>${rowOfOrder(visit, order, row)}</li>`;
    });
    return {
      title: words.disputes,
      follows: "payment",
      body: html`${heading({ title: words.disputes })}
        ${rows.length > 0 && html`<p class="soft">${words.disputesHow}</p>`}
        <div class="list">
          ${
            rows.length === 0
              ? emptyList(words.disputesEmpty, words.disputesEmptyWhat)
              : html`<ol class="rows">
                  ${rows}
                </ol>`
          }
        </div>
        ${olderLink(visit, listed)}`,
    };
  },
};

export const failedEmailsPage: Page = {
  path: "/emails",
  scopes: ["orders:read"],
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = { status: "failed", limit: "20", ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(emailWire, "GET /v2/emails", { query });
    const nameOf = await namesOfRows(visit, listed.data);
    const rows = listed.data.map((email) => {
      const { name } = en.emails.templates[email.template];
      const isOfCart = email.cart_id !== null;
      const who = isOfCart ? html`<span class="name">${words.cart}</span>` : nameOf(email);
      const row = html`${who}<span class="what">${name} · ${whyOf(email.error)}</span
        ><span class="when">${momentOf(email.created_at, visit.when)}</span>`;
      if (isOfCart) return html`<li><a class="row" href="${visit.href("/carts")}">${row}</a></li>`;
      return html`<li>${rowOfOrder(visit, email.order_id, row)}</li>`;
    });
    return {
      title: words.emails,
      body: html`${heading({ title: words.emails })}
        <div class="list">
          ${
            rows.length === 0
              ? emptyList(words.emailsEmpty, words.emailsEmptyWhat)
              : html`<ol class="rows">
                  ${rows}
                </ol>`
          }
        </div>
        ${olderLink(visit, listed)}`,
    };
  },
};

interface RowOfOrder {
  /** Null for a payment link. */
  readonly order_id: string | null;
}

/** Returns how each row of a page begins: with the number of its order and the customer. */
export async function namesOfRows(
  visit: Visit,
  rows: readonly RowOfOrder[],
): Promise<(row: RowOfOrder) => Html> {
  const ids = [...new Set(rows.flatMap(({ order_id: id }) => (id === null ? [] : [id])))];
  const orders = ids.length === 0 ? [] : await ordersWith(visit, ids);
  return ({ order_id: id }) => {
    const order = orders.find((one) => one.id === id);
    return order === undefined
      ? html`<span class="name">${en.worklists.link}</span>`
      : nameOnRow(order);
  };
}

async function ordersWith(visit: Visit, ids: readonly string[]): Promise<readonly OrderAnswer[]> {
  const query = { id: ids.join(","), limit: String(ids.length) };
  return (await visit.list(orderWire, "GET /v2/orders", { query })).data;
}

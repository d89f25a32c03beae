// Refunds that wait for a person: each leads to its order, where it is tried again or closed.

import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink, rowOfOrder } from "#dashboard/kit/parts/list.ts";
import { amountIn } from "#dashboard/kit/parts/money.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import { momentOf, shortDayOf } from "#dashboard/kit/parts/times.ts";
import { en } from "#dashboard/words/en.ts";
import { disputeWire, refundWire } from "#payments/rows/schema.ts";
import { html } from "#platform/html/html.ts";

import { namesOfRows } from "./orders-of-rows.ts";

const words = en.worklists;

export const refundsPage: Page = {
  path: "/refunds",
  scopes: ["payments:read", "orders:read"],
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = {
      status: "needs_attention,failed",
      limit: "20",
      ...(cursor === "" ? {} : { cursor }),
    };
    const listed = await visit.list(refundWire, "GET /v2/refunds", { query });
    const nameOf = await namesOfRows(visit, listed.data);
    const rows = listed.data.map((refund) => {
      const why = en.oneOrder.attention[refund.attention ?? "failed"];
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

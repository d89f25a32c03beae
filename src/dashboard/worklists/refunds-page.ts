// Refunds that wait for a person: each leads to its order, where it is tried again or closed.

import { refundWire } from "#payments/payments/schema.ts";
import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { emptyList, olderLink, rowOfOrder } from "../parts/list.ts";
import { amountIn } from "../parts/money.ts";
import { mark } from "../parts/order-words.ts";
import { momentOf } from "../parts/times.ts";
import { en } from "../words/en.ts";
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

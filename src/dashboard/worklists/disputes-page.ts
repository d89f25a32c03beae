// Disputes that are not decided: each leads to its order. The evidence is sent at the gateway.

import { disputeWire } from "#payments/disputes/schema.ts";
import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { emptyList, olderLink, rowOfOrder } from "../parts/list.ts";
import { amountIn } from "../parts/money.ts";
import { mark } from "../parts/order-words.ts";
import { shortDayOf } from "../parts/times.ts";
import { en } from "../words/en.ts";
import { namesOfRows } from "./orders-of-rows.ts";

const words = en.worklists;
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

// Emails to customers that failed: each leads to its order or to the carts, from where it is sent again.

import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink, rowOfOrder } from "#dashboard/kit/parts/list.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import { whyOf } from "#dashboard/orders/emails-part.ts";
import { en } from "#dashboard/words/en.ts";
import { emailWire } from "#emails/schema.ts";
import { html } from "#platform/html/html.ts";

import { namesOfRows } from "./orders-of-rows.ts";

const words = en.worklists;

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

// The endpoints of webhooks, and how each is doing.

import { webhookWire } from "#messaging/webhooks/endpoints/schema.ts";
import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { emptyList, olderLink } from "../parts/list.ts";
import { mark } from "../parts/order-words.ts";
import { momentOf } from "../parts/times.ts";
import { en } from "../words/en.ts";

const words = en.worklists;

export const webhooksPage: Page = {
  path: "/webhooks",
  scopes: ["webhooks:read"],
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = { limit: "20", ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(webhookWire, "GET /v2/webhooks", { query });
    const rows = listed.data.map((webhook) => {
      const since = webhook.failing_since;
      const isOff = webhook.status === "disabled";
      const state = isOff
        ? mark("off", words.disabled)
        : since === null
          ? mark("done", words.healthy)
          : mark("stop", words.failing(momentOf(since, visit.when)));
      return html`<li class="lined">
        <div>
          <strong>${webhook.url}</strong>
          <p class="small soft">${webhook.description}</p>
        </div>
        ${state}
      </li>`;
    });
    return {
      title: words.webhooks,
      body: html`${heading({ title: words.webhooks })}
        <div class="list">
          ${
            rows.length === 0
              ? emptyList(words.webhooksEmpty, words.webhooksEmptyWhat)
              : html`<ol class="rows">
                  ${rows}
                </ol>`
          }
        </div>
        ${olderLink(visit, listed)}`,
    };
  },
};

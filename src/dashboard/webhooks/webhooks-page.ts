// The endpoints of webhooks, and how each is doing. Those that fail come first.

import { webhookWire } from "#messaging/webhooks/endpoints/schema.ts";
import { ENDPOINTS_MAX } from "#messaging/webhooks/endpoints/webhook.ts";
import { type Html, html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { goLink, heading } from "../parts/heading.ts";
import { emptyList } from "../parts/list.ts";
import { doneNote } from "../parts/note.ts";
import { nearOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import {
  eventsOf,
  isFailing,
  pathOf,
  shortUrl,
  standingOf,
  type Webhook,
} from "./endpoint-words.ts";

const { webhooks } = en;

/** Where what waits for the merchant leads: to the one that fails, or to all. */
export const FAILING = "/webhooks?show=failing";

export const webhooksPage: Page = {
  path: "/webhooks",
  scopes: ["webhooks:read"],
  show: async (visit) => {
    const query = { limit: String(ENDPOINTS_MAX) };
    const { data } = await visit.list(webhookWire, "GET /v2/webhooks", { query });
    const failing = data.filter(isFailing);
    const [first] = failing;
    if (visit.query("show") === "failing" && first !== undefined && failing.length === 1) {
      return { redirectTo: pathOf(first) };
    }
    const rows = [...failing, ...data.filter((webhook) => !isFailing(webhook))];
    const act = visit.may("webhooks:write") && goLink(visit.href("/webhooks/new"), webhooks.add);
    return {
      title: webhooks.title,
      follows: "webhook.",
      body: html`${heading({ title: webhooks.title, act })} ${doneNote(visit)}
      ${
        rows.length === 0
          ? emptyList(webhooks.empty, webhooks.what)
          : html`<p class="soft">${webhooks.what}</p>
              <ol class="rows">
                ${rows.map((webhook) => rowOf(visit, webhook))}
              </ol>`
      }`,
    };
  },
};

function rowOf(visit: Visit, webhook: Webhook): Html {
  const { description, last_success_at: last } = webhook;
  const delivered = last === null ? null : webhooks.delivered(nearOf(last, visit.when));
  return html`<li id="${webhook.id}">
    <a class="row" href="${visit.href(pathOf(webhook))}"
      ><span class="name">${shortUrl(webhook)}</span
      ><span class="what">${[description, eventsOf(webhook)].filter(Boolean).join(" · ")}</span
      ><span class="marks"
        >${standingOf(visit, webhook)}
        ${delivered !== null && html`<span class="small soft">${delivered}</span>`}</span
      ></a
    >
  </li>`;
}

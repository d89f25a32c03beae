// The latest deliveries to an endpoint, and which of them are shown.

import { deliveryWire } from "#messaging/webhooks/deliveries/schema.ts";
import { type Html, html } from "#platform/html/html.ts";

import type { Listed } from "../asker.ts";
import { byDay, olderLink } from "../parts/list.ts";
import { tabs } from "../parts/search-box.ts";
import { hourOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { answerMark, type Delivery, deliveryMark, deliveryPath } from "./delivery-words.ts";

const { webhooks } = en;
const LIMIT = "20";

const shows = {
  all: null,
  waiting: "pending,sending",
  failed: "exhausted,cancelled",
} as const;

/** The deliveries that the address asks for, newest first. */
export async function deliveriesPart(visit: Visit, id: string): Promise<Html> {
  const shown = visit.query("show");
  const show = shown === "waiting" || shown === "failed" ? shown : "all";
  const status = shows[show];
  const cursor = visit.query("cursor");
  const found = await visit.list(deliveryWire, "GET /v2/webhooks/{id}/deliveries", {
    params: { id },
    query: {
      limit: LIMIT,
      ...(status === null ? {} : { status }),
      ...(cursor === "" ? {} : { cursor }),
    },
  });
  const of = (["all", "waiting", "failed"] as const).map((name) => ({
    href: `${visit.page}${name === "all" ? "" : `?show=${name}`}`,
    word: webhooks.show[name],
    isHere: name === show,
  }));
  return html`<section class="list" id="deliveries">
    <h2>${webhooks.deliveries}</h2>
    ${tabs(webhooks.deliveries, of)} ${listOf(visit, found)} ${olderLink(visit, found)}
  </section>`;
}

function listOf(visit: Visit, { data }: Listed<Delivery>): Html {
  if (data.length === 0) return html`<p class="soft">${webhooks.noDeliveries}</p>`;
  return html`<ol class="rows calls">
    ${byDay(data, visit.when, (delivery) => rowOf(visit, delivery))}
  </ol>`;
}

function rowOf(visit: Visit, delivery: Delivery): Html {
  const { id, event, created_at: at, attempts } = delivery;
  const last = attempts.at(-1);
  return html`<li id="${id}">
    <a class="row" href="${visit.href(deliveryPath(delivery))}"
      ><span class="name"><code>${event}</code></span
      ><span class="sum">${last !== undefined && answerMark(last)}</span
      ><span class="what"
        >${deliveryMark(visit, delivery)}${attempts.length > 1 && ` · ${webhooks.tries(attempts.length)}`}</span
      ><span class="when">${hourOf(at, visit.when.zone)}</span></a
    >
  </li>`;
}

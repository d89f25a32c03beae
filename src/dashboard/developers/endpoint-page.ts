// The page of one endpoint: how it stands, what it is told, its latest deliveries, and what can be done with it.

import type { Listed } from "#dashboard/kit/asker.ts";
import type { RequestForm } from "#dashboard/kit/forms/form.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { nonceField, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { byDay, olderLink, tabs } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { hourOf, longDayOf, momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { type Done, en } from "#dashboard/words/en.ts";
import { deliveryWire } from "#messaging/webhooks/deliveries/schema.ts";
import { FAILING_MS_MAX } from "#messaging/webhooks/endpoints/webhook.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { VERIFY, webhookOf } from "./endpoint-acts.ts";
import {
  answerMark,
  type Delivery,
  deliveryMark,
  deliveryPath,
  eventsOf,
  hostOf,
  pathOf,
  standingOf,
  type Webhook,
} from "./webhook-words.ts";

// The latest deliveries to an endpoint, and which of them are shown.

const { webhooks } = en;
const LIMIT = "20";

const shows = {
  all: null,
  waiting: "pending,sending",
  failed: "exhausted,cancelled",
} as const;

/** The deliveries that the address asks for, newest first. */
async function deliveriesPart(visit: Visit, id: string): Promise<Html> {
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

// A test event to the endpoint of the page, and what is said once something was sent by hand.

/** The form, which leads to what came back. */
export const pingAct: RequestForm = {
  route: "POST /v2/webhooks/{id}/ping",
  doneMessage: arrival,
  redirectTo: ({ id }, { params }) => {
    const path = pathOf({ id: params["id"] ?? "" });
    return typeof id === "string" ? `${path}/deliveries/${id}` : path;
  },
};

/** The result of the delivery that is answered: it arrived, or not. */
export function arrival({ status }: JsonObject): Done {
  return status === "succeeded" ? "delivered" : "undelivered";
}

export const endpointPage: Page = {
  path: "/webhooks/{id}",
  scopes: ["webhooks:read"],
  show: async (visit) => {
    const webhook = await webhookOf(visit);
    const title = hostOf(webhook);
    const act = visit.may("webhooks:write") && barOf(visit, webhook);
    return {
      title,
      follows: webhook.id,
      body: html`${heading({ title, back: [visit.href("/webhooks"), webhooks.back], act })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <section id="standing">
          <p class="mono">${webhook.url}</p>
          <p>${standingOf(visit, webhook)}</p>
          ${whyOf(visit, webhook)}
        </section>
        <div class="two">
          ${await deliveriesPart(visit, webhook.id)}
          <aside class="stack">${factsOf(visit, webhook)}</aside>
        </div>`,
    };
  },
  forms: {
    ping: pingAct,
    on: { route: "PUT /v2/webhooks/{id}", doneMessage: "turnedOn" },
  },
};

/** The trouble of an endpoint, and what becomes of it. */
function whyOf({ when }: Visit, webhook: Webhook): Html | null {
  const { status, disabled_reason: reason, failing_since: since, failures_in_row: tries } = webhook;
  if (status === "disabled") {
    const says = `${reason === null ? "" : webhooks.offWhat[reason]} ${webhooks.turnOnWhat}`;
    return html`<p class="narrow">${says}</p>`;
  }
  if (since === null) return null;
  const day = longDayOf(Date.parse(since) + FAILING_MS_MAX, when);
  return html`<p class="narrow">${webhooks.failingWhat(tries, day)}</p>`;
}

/** A test event, or turning it on where it is off; the rest in a menu. */
function barOf(visit: Visit, webhook: Webhook): Html {
  const isOff = webhook.status === "disabled";
  const at = (path: string) => visit.href(`${pathOf(webhook)}/${path}`);
  return html`<div class="bar" id="acts-of">
    ${isOff ? onForm(visit, webhook) : pingForm(visit, true)}
    <a class="button" href="${at("edit")}">${webhooks.edit}</a>
    <button class="bare" popovertarget="acts" aria-label="${webhooks.more}" type="button">
      ${icon("dots")}
    </button>
    <div id="acts" popover class="menu">
      ${isOff && pingForm(visit, false)}
      <a href="${at("rotate")}">${webhooks.rotate}</a>
      ${
        !isOff &&
        html`<a href="${at("replay")}">${webhooks.replayPast}</a>
          <a href="${at("off")}">${webhooks.off}</a>`
      }
      <hr />
      <a class="danger" href="${at("delete")}">${webhooks.remove}</a>
    </div>
  </div>`;
}

function pingForm({ page }: Visit, isFirst: boolean): Html {
  return html`<form method="post" action="${page}/ping">
    ${nonceField()}<button class="${isFirst ? "go" : ""}">${webhooks.ping}</button>
  </form>`;
}

function onForm({ page, submitted }: Visit, { version }: Webhook): Html {
  return html`<form method="post" action="${page}/on">
    ${versionField(submitted, version)}<input type="hidden" name="/status" value="enabled" />
    <button class="go">${webhooks.turnOn}</button>
  </form>`;
}

function factsOf(visit: Visit, webhook: Webhook): Html {
  const { when } = visit;
  const { last_success_at: last, disabled_at: offAt, old_secret_expires_at: oldEnds } = webhook;
  const { replay } = webhook;
  const facts: readonly (readonly [string, Hole])[] = [
    [webhooks.description, webhook.description ?? ""],
    [webhooks.events, eventsOf(webhook)],
    [webhooks.offSince, offAt === null ? "" : momentOf(offAt, when)],
    [webhooks.lastSuccess, last === null ? webhooks.never : momentOf(last, when)],
    [webhooks.limits, webhooks.limitsWhat],
    [
      webhooks.secret,
      html`${webhooks.secretKept} ${oldEnds !== null && webhooks.secretOld(momentOf(oldEnds, when))}
        <a href="${VERIFY}">${webhooks.verify}</a>`,
    ],
    [webhooks.replay, replay === null ? "" : webhooks.replayWhat(replay.after, replay.until)],
    [webhooks.made, momentOf(webhook.created_at, when)],
  ];
  return html`<dl class="facts">
      ${facts.map(
        ([name, value]) =>
          value !== "" &&
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <p class="mono small soft">${webhook.id}</p>`;
}

// The page of one endpoint: how it stands, what it is told, its latest deliveries, and what can be done with it.

import { FAILING_MS_MAX } from "#messaging/webhooks/endpoints/webhook.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";

import { icon } from "../icons.ts";
import type { Page } from "../page.ts";
import { nonceField, versionField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import { longDayOf, momentOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { webhookOf } from "./act-pages.ts";
import { deliveriesPart } from "./deliveries-part.ts";
import { eventsOf, hostOf, pathOf, standingOf, type Webhook } from "./endpoint-words.ts";
import { pingAct } from "./ping-act.ts";
import { VERIFY } from "./secret-shown.ts";

const { webhooks } = en;

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

/** What is wrong with it, and what becomes of that. */
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

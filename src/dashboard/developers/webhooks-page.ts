// The endpoints of webhooks, and how each is doing. Those that fail come first.

import { instantOfDay } from "#dashboard/kit/forms/form-body.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { checkbox, input, nonceField } from "#dashboard/kit/parts/field.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { dateOf, nearOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { webhookWire } from "#messaging/webhooks/endpoints/schema.ts";
import { ENDPOINTS_MAX } from "#messaging/webhooks/endpoints/webhook.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { actPage, backToEndpoint, showSecret, webhookOf } from "./endpoint-acts.ts";
import { endpointFields, withEvents } from "./endpoint-fields.ts";
import {
  eventsOf,
  hostOf,
  isFailing,
  pathOf,
  shortUrl,
  standingOf,
  type Webhook,
} from "./webhook-words.ts";

const { webhooks } = en;

/** The address to which failing webhooks that wait for the merchant lead: to the one that fails, or to all. */
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

// A new endpoint. Its signing secret is in the answer to the form and on no other page.

export const newEndpointPage: Page = {
  path: "/webhooks/new",
  scopes: ["webhooks:write"],
  confirmsFirst: true,
  show: async (visit) => ({
    title: webhooks.add,
    body: html`${heading({ title: webhooks.add, back: [visit.href("/webhooks"), webhooks.back] })}
      ${refusedNote(visit.submitted)}
      <form class="stack form" method="post" action="${visit.page}/make">
        ${nonceField()} ${endpointFields(visit, null)}
        <p><button class="go">${webhooks.add}</button></p>
      </form>`,
  }),
  forms: {
    make: {
      route: "POST /v2/webhooks",
      doneMessage: "made",
      needsConfirmation: true,
      prepareBody: withEvents,
      showAnswer: showSecret,
    },
  },
};

// Past events for an endpoint, of days that are chosen.

export const replayPage: Page = {
  path: "/webhooks/{id}/replay",
  scopes: ["webhooks:write"],
  show: async (visit) => {
    const webhook = await webhookOf(visit);
    const { submitted } = visit;
    return actPage(visit, webhook, {
      title: webhooks.replayPast,
      body: html`<p class="narrow">${webhooks.replayEffect(hostOf(webhook))}</p>
        <form class="stack form" method="post" action="${visit.page}/start">
          ${nonceField()}
          <div class="pair">
            ${input(submitted, { label: webhooks.replayFrom, name: "/from", type: "date", value: firstDayOf(visit, webhook), isRequired: true })}
            ${input(submitted, { label: webhooks.replayTo, name: "/to", type: "date", hint: webhooks.replayToHint })}
          </div>
          ${checkbox(submitted, { label: webhooks.replayFailed, name: "/failed_only", hint: webhooks.replayFailedHint, isChecked: true })}
          <p><button class="go">${webhooks.replayPast}</button></p>
        </form>`,
    });
  },
  forms: {
    start: {
      route: "POST /v2/webhooks/{id}/replay",
      doneMessage: "replayed",
      prepareBody: withDays,
      redirectTo: backToEndpoint,
    },
  },
};

/** Since when something is likely to be missing. */
function firstDayOf({ when }: Visit, { last_success_at: last, created_at: made }: Webhook): string {
  return dateOf(last ?? made, when.zone);
}

/** Both days are meant whole, in the shop's time zone. */
function withDays({ from = null, to = null, ...rest }: JsonObject, { store }: Visit): JsonObject {
  return {
    ...rest,
    from: instantOfDay(from, store.timezone, 0),
    to: instantOfDay(to, store.timezone, 1),
  };
}

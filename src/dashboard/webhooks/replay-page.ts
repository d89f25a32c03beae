// Past events for an endpoint, of days that are chosen.

import { html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import { instantOfDay } from "../forms/day-instant.ts";
import type { Page } from "../page.ts";
import { checkbox, input, nonceField } from "../parts/field.ts";
import { dateOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { actPage, backToEndpoint, webhookOf } from "./act-pages.ts";
import { hostOf, type Webhook } from "./endpoint-words.ts";

const { webhooks } = en;

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

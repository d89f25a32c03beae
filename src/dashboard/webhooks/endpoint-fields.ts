// The fields of an endpoint: its address, what it is for, and which events it receives.

import { type Html, html } from "#platform/html/html.ts";

import { input } from "../parts/field.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import type { Webhook } from "./endpoint-words.ts";
import { eventsField } from "./events-field.ts";

const { webhooks } = en;

/** The fields, filled in with what the endpoint has; null for one that is to be made. */
export function endpointFields(visit: Visit, webhook: Webhook | null): Html {
  const { submitted, mode } = visit;
  const url = {
    label: webhooks.url,
    name: "/url",
    type: "url",
    value: webhook?.url ?? "",
    hint:
      mode === "test"
        ? html`${webhooks.urlHintTest} <a href="/guides/webhooks">${webhooks.tryOut}</a>`
        : webhooks.urlHint,
    isRequired: true,
    isFirst: webhook === null && submitted === null,
  } as const;
  const description = {
    label: webhooks.description,
    name: "/description",
    value: webhook?.description ?? "",
    hint: webhooks.descriptionHint,
  };
  return html`${input(submitted, url)} ${input(submitted, description)}
  ${eventsField(submitted, webhook)}`;
}

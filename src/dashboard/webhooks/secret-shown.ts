// The answer that has the signing secret of an endpoint, which no other page shows.

import type { Static } from "typebox";

import { assume } from "#kernel/assume.ts";
import type { webhookWithSecretWire } from "#messaging/webhooks/endpoints/schema.ts";
import { html } from "#platform/html/html.ts";
import type { JsonValue } from "#platform/http/json/strict-json.ts";

import type { PageContent } from "../page-content.ts";
import { heading } from "../parts/heading.ts";
import { secret } from "../parts/secret.ts";
import { momentOf } from "../parts/times.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { hostOf, pathOf } from "./endpoint-words.ts";

type SecretWebhook = Static<(typeof webhookWithSecretWire)["schema"]>;

const { webhooks } = en;

/** Where the guide says how a program proves that a message came from the shop. */
export const VERIFY = "/guides/webhooks#verify-the-signature";

/** The secret of an endpoint that was made, or that has a new one. */
export function showSecret(visit: Visit, answer: JsonValue): PageContent {
  // The cast holds: both routes that make a secret answer this shape.
  const webhook = assume<SecretWebhook>(answer);
  const { old_secret_expires_at: oldEnds } = webhook;
  const title = hostOf(webhook);
  const back = visit.href("/webhooks");
  return {
    title,
    isSecret: true,
    body: html`${heading({ title, back: [back, webhooks.back] })}
      <section class="sheet" role="status">
        <h2>${webhooks.shown(title)}</h2>
        ${secret("secret", webhook.secret)}
        <p class="small soft">
          ${webhooks.shownWhat}
          ${oldEnds !== null && webhooks.secretOld(momentOf(oldEnds, visit.when))}
        </p>
        <p class="small"><a href="${VERIFY}">${webhooks.verify}</a></p>
      </section>
      <p><a class="button" href="${visit.href(pathOf(webhook))}">${webhooks.copied}</a></p>`,
  };
}

// The acts on an endpoint that have a page of their own: it is edited, gets another secret, is turned off, is deleted.

import type { Static } from "typebox";

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { secret } from "#dashboard/kit/parts/contacts.ts";
import { nonceField, select, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { assume } from "#kernel/assume.ts";
import { webhookWire, type webhookWithSecretWire } from "#messaging/webhooks/endpoints/schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";

import { endpointFields, withEvents } from "./endpoint-fields.ts";
import { hostOf, pathOf, type Webhook } from "./webhook-words.ts";

// The answer that has the signing secret of an endpoint, which no other page shows.

type SecretWebhook = Static<(typeof webhookWithSecretWire)["schema"]>;

const { webhooks } = en;

/** The place at which the guide says how a program proves that a message came from the shop. */
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

const scopes = ["webhooks:write"];

export const editEndpointPage: Page = {
  path: "/webhooks/{id}/edit",
  scopes,
  show: async (visit) => {
    const webhook = await webhookOf(visit);
    return actPage(visit, webhook, {
      title: webhooks.editTitle,
      body: html`<form class="stack form" method="post" action="${visit.page}/save">
        ${versionField(visit.submitted, webhook.version)} ${endpointFields(visit, webhook)}
        <p><button class="go">${en.save}</button></p>
      </form>`,
    });
  },
  forms: {
    // Another address gets all that the shop tells, as a new endpoint does.
    save: {
      route: "PUT /v2/webhooks/{id}",
      doneMessage: "saved",
      needsConfirmation: true,
      prepareBody: withEvents,
      redirectTo: backToEndpoint,
      undo: {},
    },
  },
};

export const rotateSecretPage: Page = {
  path: "/webhooks/{id}/rotate",
  scopes,
  show: async (visit) => {
    const webhook = await webhookOf(visit);
    const options = Object.entries(webhooks.overlaps).map(([value, label]) => ({ value, label }));
    return actPage(visit, webhook, {
      title: webhooks.rotate,
      body: html`<p class="narrow">${webhooks.rotateWhat(hostOf(webhook))}</p>
        <form class="stack form" method="post" action="${visit.page}/sure">
          ${nonceField()}
          ${select(visit.submitted, { label: webhooks.overlap, name: "/overlap_hours", value: "24", options })}
          <p class="acts">
            <button class="go">${webhooks.rotateMake}</button>
            <a class="button quiet" href="${visit.href(pathOf(webhook))}">${en.cancel}</a>
          </p>
        </form>`,
    });
  },
  forms: {
    sure: {
      route: "POST /v2/webhooks/{id}/rotate-secret",
      doneMessage: "made",
      needsConfirmation: true,
      showAnswer: showSecret,
    },
  },
};

export const turnOffPage: Page = {
  path: "/webhooks/{id}/off",
  scopes,
  show: async (visit) => {
    const webhook = await webhookOf(visit);
    return actPage(visit, webhook, {
      title: webhooks.offTitle(hostOf(webhook)),
      body: sureForm(visit, webhook, {
        effect: webhooks.offEffect,
        act: webhooks.off,
        fields: html`${versionField(visit.submitted, webhook.version)}<input
            type="hidden"
            name="/status"
            value="disabled"
          />`,
      }),
    });
  },
  forms: {
    sure: { route: "PUT /v2/webhooks/{id}", doneMessage: "turnedOff", redirectTo: backToEndpoint },
  },
};

export const deleteEndpointPage: Page = {
  path: "/webhooks/{id}/delete",
  scopes,
  show: async (visit) => {
    const webhook = await webhookOf(visit);
    return actPage(visit, webhook, {
      title: webhooks.removeTitle(hostOf(webhook)),
      body: sureForm(visit, webhook, { effect: webhooks.removeEffect, act: webhooks.remove }),
    });
  },
  forms: {
    sure: {
      route: "DELETE /v2/webhooks/{id}",
      doneMessage: "removed",
      needsConfirmation: true,
      redirectTo: () => "/webhooks",
    },
  },
};

/** The endpoint of the page's address. */
export function webhookOf(visit: Visit): Promise<Webhook> {
  const params = { id: visit.params["id"] ?? "" };
  return visit.ask(webhookWire, "GET /v2/webhooks/{id}", { params });
}

/** The path that follows an act. */
export function backToEndpoint(_answer: object, { params }: Visit): string {
  return pathOf({ id: params["id"] ?? "" });
}

/** The page of an act. */
export function actPage(
  visit: Visit,
  webhook: Webhook,
  { title, body }: { readonly title: string; readonly body: Html },
): PageContent {
  const back = [visit.href(pathOf(webhook)), hostOf(webhook)] as const;
  return { title, body: html`${heading({ title, back })} ${refusedNote(visit.submitted)} ${body}` };
}

interface Sure {
  readonly effect: string;
  readonly act: string;
  readonly fields?: Html;
}

/** The effect of the act, with its form. */
function sureForm(visit: Visit, webhook: Webhook, { effect, act, fields }: Sure): Html {
  return html`<p class="mono">${webhook.url}</p>
    <p class="narrow">${effect}</p>
    <form method="post" action="${visit.page}/sure">
      ${fields}
      <p class="acts">
        <button class="danger">${act}</button>
        <a class="button quiet" href="${visit.href(pathOf(webhook))}">${webhooks.keep}</a>
      </p>
    </form>`;
}

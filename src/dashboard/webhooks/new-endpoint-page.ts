// A new endpoint. Its signing secret is in the answer to the form and on no other page.

import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { nonceField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { en } from "../words/en.ts";
import { endpointFields } from "./endpoint-fields.ts";
import { withEvents } from "./events-field.ts";
import { showSecret } from "./secret-shown.ts";

const { webhooks } = en;

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

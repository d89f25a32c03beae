// A customer whom the merchant adds by hand.

import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { checkbox, input, onceField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { en } from "../words/en.ts";

const words = en.customers;

export const newCustomerPage: Page = {
  path: "/customers/new",
  scopes: ["customers:write"],
  show: async (visit) => {
    const { sent } = visit;
    return {
      title: words.add,
      body: html`${heading({ title: words.add, back: [visit.href("/customers"), en.nav.customers] })}
        ${refusedNote(sent)}
        <form class="stack form" method="post" action="${visit.page}/make">
          ${onceField()}
          ${input(sent, { label: words.name, name: "/name", isFirst: sent === null })}
          <div class="pair">
            ${input(sent, { label: words.phone, name: "/phone", type: "tel", hint: words.contactHint })}
            ${input(sent, { label: words.email, name: "/email", type: "email" })}
          </div>
          ${checkbox(sent, { label: words.consent, name: "/marketing_consent", isChecked: false })}
          <p><button class="go">${words.add}</button></p>
        </form>`,
    };
  },
  forms: {
    make: {
      asks: "POST /v2/customers",
      says: "added",
      leadsTo: ({ id }) => (typeof id === "string" ? `/customers/${id}` : "/customers"),
    },
  },
};

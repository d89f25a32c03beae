// A customer whom the merchant adds by hand.

import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { checkbox, input, nonceField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { en } from "../words/en.ts";

const words = en.customers;

export const newCustomerPage: Page = {
  path: "/customers/new",
  scopes: ["customers:write"],
  show: async (visit) => {
    const { submitted } = visit;
    return {
      title: words.add,
      body: html`${heading({ title: words.add, back: [visit.href("/customers"), en.nav.customers] })}
        ${refusedNote(submitted)}
        <form class="stack form" method="post" action="${visit.page}/make">
          ${nonceField()}
          ${input(submitted, { label: words.name, name: "/name", isFirst: submitted === null })}
          <div class="pair">
            ${input(submitted, { label: words.phone, name: "/phone", type: "tel", hint: words.contactHint })}
            ${input(submitted, { label: words.email, name: "/email", type: "email" })}
          </div>
          ${checkbox(submitted, { label: words.consent, name: "/marketing_consent", isChecked: false })}
          <p><button class="go">${words.add}</button></p>
        </form>`,
    };
  },
  forms: {
    make: {
      route: "POST /v2/customers",
      doneMessage: "added",
      redirectTo: ({ id }) => (typeof id === "string" ? `/customers/${id}` : "/customers"),
    },
  },
};

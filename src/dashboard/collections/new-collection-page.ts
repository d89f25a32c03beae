// A new collection: its title, and whether a rule finds its products or they are picked by hand.

import { attribute, html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { choice } from "../parts/choice.ts";
import { nonceField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { en } from "../words/en.ts";
import { firstFields, newCollectionBody, ruleFields } from "./collection-form.ts";

const LIST = "/products/collections";

export const newCollectionPage: Page = {
  path: `${LIST}/new`,
  scopes: ["products:write"],
  show: async (visit) => {
    const { collections } = en;
    const { submitted } = visit;
    const chosen = submitted?.value("/kind") ?? "picked";
    return {
      title: collections.newCollection,
      body: html`${refusedNote(submitted)}
        ${heading({ title: collections.newCollection, back: [visit.href(LIST), collections.title] })}
        <form class="stack narrow" method="post" action="${visit.page}/make">
          ${nonceField()} ${firstFields(submitted, { title: "", description: "" }, true)}
          <fieldset class="choices">
            <legend>${collections.how}</legend>
            ${choice({ name: "/kind", value: "picked", chosen, label: collections.byHand, hint: collections.byHandWhat })}
            ${choice({ name: "/kind", value: "rule", chosen, label: collections.byRule, hint: collections.byRuleWhat })}
          </fieldset>
          <details ${attribute("open", chosen === "rule")}>
            <summary>${collections.rule}</summary>
            <div class="stack">
              <p class="hint">${collections.ruleHint}</p>
              ${ruleFields(submitted, null)}
            </div>
          </details>
          <div class="bar"><button class="go">${collections.make}</button></div>
        </form>`,
    };
  },
  forms: {
    make: {
      route: "POST /v2/collections",
      doneMessage: "made",
      prepareBody: newCollectionBody,
      redirectTo: ({ id }) => (typeof id === "string" ? `${LIST}/${id}` : LIST),
    },
  },
};

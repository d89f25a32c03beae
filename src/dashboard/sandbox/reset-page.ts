// The page that says what a reset of the test shop deletes, before it does.

import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { nonceField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { en } from "../words/en.ts";

const words = en.sandbox;

export const resetPage: Page = {
  path: "/sandbox/reset",
  scopes: ["sandbox:use"],
  isTestOnly: true,
  show: async (visit) => {
    const back = visit.href("/sandbox");
    return {
      title: words.reset,
      body: html`${heading({ title: words.reset, back: [back, words.title] })}
        ${refusedNote(visit.submitted)}
        <p class="narrow">${words.resetWhat}</p>
        <form method="post" action="${visit.page}/sure">
          ${nonceField()}
          <p class="acts">
            <button class="danger">${words.resetGo}</button>
            <a class="button quiet" href="${back}">${words.keep}</a>
          </p>
        </form>`,
    };
  },
  forms: {
    sure: {
      route: "POST /v2/test/reset",
      doneMessage: "emptied",
      needsConfirmation: true,
      redirectTo: () => "/sandbox",
    },
  },
};

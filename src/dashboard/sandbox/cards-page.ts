// The cards and phones of test mode, each with the outcome that it stands for.

import { html } from "#platform/html/html.ts";
import { magicListSchema } from "#sandbox/simulated-gateway/magic-schema.ts";

import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { en } from "../words/en.ts";

const words = en.sandbox;

export const cardsPage: Page = {
  path: "/sandbox/cards",
  scopes: ["sandbox:use"],
  isTestOnly: true,
  show: async (visit) => {
    const magic = await visit.ask({ schema: magicListSchema }, "GET /v2/test/magic");
    return {
      title: words.cards,
      body: html`${heading({ title: words.cards, back: [visit.href("/sandbox"), words.title] })}
        <p class="soft">${words.cardsWhat}</p>
        <ul class="rows">
          ${magic.data.map(
            ({ value, meaning }) =>
              html`<li class="lined">
                <code>${value}</code>
                <span class="soft">${meaning}</span>
              </li>`,
          )}
        </ul>`,
    };
  },
};

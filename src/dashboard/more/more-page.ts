// What the thumb bar of a phone has no room for.

import { html } from "#platform/html/html.ts";

import { furtherWays } from "../frame.ts";
import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { en } from "../words/en.ts";

export const morePage: Page = {
  path: "/more",
  scopes: ["store:read"],
  show: async (visit) => ({
    title: en.nav.more,
    body: html`${heading({ title: en.nav.more })} ${furtherWays(visit)}`,
  }),
};

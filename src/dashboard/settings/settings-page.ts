// The settings of the shop, by what they are about.

import { html } from "#platform/html/html.ts";

import { icon } from "../icons.ts";
import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { en } from "../words/en.ts";

const { settings } = en;
const { branding } = settings;

const parts = [
  ["/settings/shop", settings.shop, "store:write"],
  ["/settings/look", branding.title, "store:write"],
  ["/settings/emails", en.emails.title, "store:read"],
  ["/settings/payments", settings.payments, "store:read"],
  ["/settings/taxes", settings.taxes, "taxes:read"],
  ["/settings/shipping", settings.shipping, "shipping:read"],
  ["/settings/discounts", settings.discounts, "discounts:read"],
] as const;

export const settingsPage: Page = {
  path: "/settings",
  scopes: ["store:read"],
  show: async (visit) => ({
    title: settings.title,
    body: html`${heading({ title: settings.title })}
      <ul class="rows">
        ${parts
          .filter(([, , scope]) => visit.may(scope))
          .map(
            ([path, name]) =>
              html`<li>
                <a class="line" href="${visit.href(path)}"><strong>${name}</strong>${icon("on")}</a>
              </li>`,
          )}
      </ul>`,
  }),
};

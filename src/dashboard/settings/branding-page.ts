// How the shop appears to customers on its pages.

import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { input, versionField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const { settings } = en;
const { branding } = settings;

export const brandingPage: Page = {
  path: "/settings/look",
  scopes: ["store:write"],
  show: async (visit) => ({
    title: branding.title,
    body: html`${heading({ title: branding.title, back: [visit.href("/settings"), settings.title] })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      <p>${branding.what}</p>
      <form class="stack form" method="post" action="${visit.href("/settings/look")}/save">
        ${versionField(visit.submitted, visit.store.version)} ${fieldsOf(visit)}
        <p><button class="go">${en.save}</button></p>
      </form>`,
  }),
  forms: { save: { route: "PUT /v2/store", doneMessage: "saved", undo: {} } },
};

function fieldsOf({ submitted, store }: Visit) {
  return html`${input(submitted, { label: branding.logo, name: "/logo_url", type: "url", value: store.logo_url, hint: branding.logoHint })}
    <div class="pair">
      ${input(submitted, { label: branding.color, name: "/brand_color", value: store.brand_color, hint: branding.colorHint })}
      ${input(submitted, { label: branding.locale, name: "/locale", value: store.locale, hint: branding.localeHint })}
    </div>
    <div class="pair">
      ${input(submitted, { label: branding.email, name: "/contact_email", type: "email", value: store.contact_email })}
      ${input(submitted, { label: branding.phone, name: "/contact_phone", type: "tel", value: store.contact_phone, hint: branding.phoneHint })}
    </div>
    ${input(submitted, { label: branding.website, name: "/website_url", type: "url", value: store.website_url, hint: branding.websiteHint })}
    ${input(submitted, { label: branding.line, name: "/support_line", value: store.support_line, hint: branding.lineHint })}`;
}

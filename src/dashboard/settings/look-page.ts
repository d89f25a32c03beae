// How the shop appears to customers on its pages.

import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { input, versionField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const { settings } = en;
const { look } = settings;

export const lookPage: Page = {
  path: "/settings/look",
  scopes: ["store:write"],
  show: async (visit) => ({
    title: look.title,
    body: html`${heading({ title: look.title, back: [visit.href("/settings"), settings.title] })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      <p>${look.what}</p>
      <form class="stack form" method="post" action="${visit.href("/settings/look")}/save">
        ${versionField(visit.submitted, visit.store.version)} ${fieldsOf(visit)}
        <p><button class="go">${en.save}</button></p>
      </form>`,
  }),
  forms: { save: { route: "PUT /v2/store", doneMessage: "saved", undo: {} } },
};

function fieldsOf({ submitted, store }: Visit) {
  return html`${input(submitted, { label: look.logo, name: "/logo_url", type: "url", value: store.logo_url, hint: look.logoHint })}
    <div class="pair">
      ${input(submitted, { label: look.color, name: "/brand_color", value: store.brand_color, hint: look.colorHint })}
      ${input(submitted, { label: look.locale, name: "/locale", value: store.locale, hint: look.localeHint })}
    </div>
    <div class="pair">
      ${input(submitted, { label: look.email, name: "/contact_email", type: "email", value: store.contact_email })}
      ${input(submitted, { label: look.phone, name: "/contact_phone", type: "tel", value: store.contact_phone, hint: look.phoneHint })}
    </div>
    ${input(submitted, { label: look.website, name: "/website_url", type: "url", value: store.website_url, hint: look.websiteHint })}
    ${input(submitted, { label: look.line, name: "/support_line", value: store.support_line, hint: look.lineHint })}`;
}

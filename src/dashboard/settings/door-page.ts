// Who needs a passkey to sign in. It is decided in the live shop, where people are, whichever is looked at.

import type { Page } from "#dashboard/kit/page.ts";
import { select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { en } from "#dashboard/words/en.ts";
import { html } from "#platform/html/html.ts";
import { storeWire } from "#shop/settings/schema.ts";
import { getStore } from "#shop/store/lookups.ts";
import { passkeyRules } from "#shop/store/passkey-rules.ts";

const { settings, me } = en;
const { door } = settings;

export const doorPage: Page = {
  path: "/settings/sign-in",
  scopes: ["store:write"],
  show: async (visit) => {
    const { requirePasskey: value } = await getStore(visit.people.database.read);
    const options = passkeyRules.map((rule) => ({ value: rule, label: door.rules[rule] }));
    return {
      title: door.title,
      body: html`${heading({ title: door.title, back: [visit.href("/settings"), settings.title] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <p class="narrow">
          ${me.passkeys.what} <a href="${visit.href("/me/passkeys")}">${door.own}</a>
        </p>
        <form class="stack form" method="post" action="${visit.href("/settings/sign-in")}/save">
          ${select(visit.submitted, { label: door.who, name: "/require_passkey", value, options, hint: door.hint })}
          <p><button class="go">${en.save}</button></p>
        </form>`,
    };
  },
  forms: {
    save: {
      doneMessage: "saved",
      needsConfirmation: true,
      handle: async (visit, fields) => {
        const body = { require_passkey: fields.get("/require_passkey") ?? "" };
        await visit.inLive().ask(storeWire, "PUT /v2/store", { body });
        return {};
      },
    },
  },
};

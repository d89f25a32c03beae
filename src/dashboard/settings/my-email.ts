// A person's own email, to which alerts go: it counts once the link that was sent there is opened in their session.

import { mailOwnEmail } from "#alerts/mail-own-email.ts";
import type { CustomForm } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { input } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { Faults } from "#kernel/refusal.ts";
import { type Html, html } from "#platform/html/html.ts";
import { addressForPeople } from "#shop/people/credentials/link.ts";
import {
  askForEmail,
  confirmEmail,
  getEmailLink,
  readOwnEmail,
  removeEmail,
} from "#shop/people/credentials/own-email.ts";

import { writeAs } from "./people-page.ts";

const words = en.me.email;

/** The email, and the form that sends a link to another one. */
export function emailPart(visit: Visit): Html {
  const { email } = visit.visitor.person;
  const here = visit.href("/me");
  return html`<section>
    <h2>${words.title}</h2>
    <p class="soft">${words.what}</p>
    ${email === null ? html`<p>${words.none}</p>` : html`<p><strong>${email}</strong></p>`}
    ${
      visit.mail === null
        ? html`<p class="soft">${words.noMail}</p>`
        : html`<form class="stack form" method="post" action="${here}/email">
            ${input(visit.submitted, { label: email === null ? words.field : words.other, name: "/email", type: "email", autocomplete: "email", isRequired: true })}
            <p><button>${words.send}</button></p>
          </form>`
    }
    ${email !== null && html`<form method="post" action="${here}/noemail"><button>${words.remove}</button></form>`}
  </section>`;
}

export const emailForms = {
  email: {
    doneMessage: "linked",
    needsConfirmation: true,
    handle: async (visit, fields) => {
      const faults = new Faults();
      const address = readOwnEmail(fields.get("/email") ?? "", faults);
      faults.refuseIfAny();
      const { id, name } = visit.visitor.person;
      const token = await writeAs(visit, (tx) => askForEmail(tx, id, address));
      const link = addressForPeople(visit.dashboardUrl, visit.href(`/me/email/${token}`));
      await mailOwnEmail(visit, { name, address }, link);
      return {};
    },
  },
  noemail: {
    doneMessage: "removed",
    needsConfirmation: true,
    handle: async (visit) => {
      await writeAs(visit, (tx) => removeEmail(tx, visit.visitor.person.id));
      return {};
    },
  },
} as const satisfies Readonly<Record<string, CustomForm>>;

/** The page of the link; only its button makes the email count, because mail programs open links. */
export const confirmEmailPage: Page = {
  path: "/me/email/{token}",
  scopes: ["store:read"],
  show: async (visit) => {
    const { people, visitor, params } = visit;
    const asked = { token: params["token"] ?? "", now: people.clock.now() };
    const { email } = await getEmailLink(people.database.read, visitor.person.id, asked);
    return {
      title: words.confirmTitle,
      isSecret: true,
      body: html`${heading({ title: words.confirmTitle, back: [visit.href("/me"), en.me.title] })}
        ${refusedNote(visit.submitted)}
        <p class="narrow">${words.confirmWhat(email)}</p>
        <form method="post" action="${visit.page}/sure">
          <p class="acts">
            <button class="go">${words.confirm}</button>
            <a class="button quiet" href="${visit.href("/me")}">${words.notNow}</a>
          </p>
        </form>`,
    };
  },
  forms: {
    sure: {
      doneMessage: "saved",
      redirectTo: () => "/me",
      handle: async (visit) => {
        const { id } = visit.visitor.person;
        await writeAs(visit, (tx) => confirmEmail(tx, id, visit.params["token"] ?? ""));
        return {};
      },
    },
  },
};

// A person's own sign-in: the password, and where they are signed in.

import type { Page } from "#dashboard/kit/page.ts";
import { input } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { suggestPassword } from "#dashboard/sign-in/serve-sign-in.ts";
import { en } from "#dashboard/words/en.ts";
import { isId } from "#kernel/id.ts";
import { type Html, html } from "#platform/html/html.ts";
import { changePassword } from "#shop/people/credentials/change-password.ts";
import { listSessions } from "#shop/people/lookups.ts";
import { endSessions } from "#shop/people/sessions/open-session.ts";
import { sessionNotFound } from "#shop/people/sessions/session.ts";

import { toldForms, toldPart } from "./my-alerts.ts";
import { emailForms, emailPart } from "./my-email.ts";
import { writeAs } from "./people-page.ts";
import { sessionsPart } from "./person-page.ts";

const { me, people } = en;

export const mePage: Page = {
  path: "/me",
  scopes: ["store:read"],
  show: async (visit) => {
    const { id, name, role } = visit.visitor.person;
    const sessions = await listSessions(visit.people.database.read, visit.realWhen.now, id);
    const here = visit.href("/me");
    return {
      title: me.title,
      body: html`${heading({ title: name })} ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <dl class="facts">
          <dt>${me.role}</dt>
          <dd>${people.roles[role]}. ${people.roleHints[role]}</dd>
          <dt>${me.look}</dt>
          <dd>${me.lookWhat}</dd>
        </dl>
        ${sound()}
        <p class="acts">
          <a class="button" href="${here}/password">${me.changePassword}</a>
          <a class="button" href="${here}/passkeys">${me.passkeys.title}</a>
        </p>
        ${emailPart(visit)} ${await toldPart(visit)}
        <section>
          <h2>${people.sessions}</h2>
          ${sessionsPart(visit, sessions, `${here}/end`)}
          ${sessions.length > 1 && html`<form method="post" action="${here}/others"><button>${me.endOthers}</button></form>`}
        </section>
        <form method="post" action="/dashboard/leave"><button>${en.signOut}</button></form>`,
    };
  },
  forms: {
    ...emailForms,
    ...toldForms,
    end: {
      doneMessage: "ended",
      handle: async (visit, fields) => {
        const one = fields.get("session") ?? "";
        if (!isId("session", one)) throw sessionNotFound();
        const { id, name: by } = visit.visitor.person;
        await writeAs(visit, (tx) => endSessions(tx, id, { ending: { one }, by }));
        return {};
      },
    },
    others: {
      doneMessage: "ended",
      handle: async (visit) => {
        const { person, session } = visit.visitor;
        const ending = { allBut: session.id };
        await writeAs(visit, (tx) => endSessions(tx, person.id, { ending, by: person.name }));
        return {};
      },
    },
  },
};

/** The switch of this browser, which a script keeps; without one there is no sound. */
function sound(): Html {
  return html`<div class="field" hidden>
    <label class="tick"
      ><input type="checkbox" id="sound" aria-describedby="sound-hint" />
      <span>${me.sound}</span></label
    >
    <p class="hint" id="sound-hint">${me.soundWhat}</p>
  </div>`;
}

export const passwordPage: Page = {
  path: "/me/password",
  scopes: ["store:read"],
  confirmsFirst: true,
  show: async (visit) => {
    const hint = html`${en.signIn.passwordHint} <q>${suggestPassword()}</q>`;
    const autocomplete = "new-password";
    return {
      title: me.changePassword,
      // A suggestion may become the password.
      isSecret: true,
      body: html`${heading({ title: me.changePassword, back: [visit.href("/me"), me.title] })}
        ${refusedNote(visit.submitted)}
        <p class="narrow">${me.changeWhat}</p>
        <form class="stack form" method="post" action="${visit.href("/me/password")}/change">
          <input
            type="text"
            hidden
            name="username"
            autocomplete="username"
            value="${visit.visitor.person.name}"
          />
          ${input(visit.submitted, { label: me.newPassword, name: "/password", type: "password", autocomplete, hint, isRequired: true, isFirst: visit.submitted === null })}
          <p><button class="go">${me.savePassword}</button></p>
        </form>`,
    };
  },
  forms: {
    change: {
      doneMessage: "changed",
      needsConfirmation: true,
      redirectTo: () => "/me",
      handle: async (visit, fields) => {
        const password = fields.get("/password") ?? "";
        const host = new URL(visit.dashboardUrl).hostname;
        return { renewed: await changePassword(visit.people, visit.visitor, { password, host }) };
      },
    },
  },
};

// Lets a person in: a link that is shown once, to be sent to them alone.

import { attribute, html } from "#platform/html/html.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { makeLink } from "#shop/people/credentials/make-link.ts";
import { withdrawLink } from "#shop/people/credentials/withdraw-link.ts";
import { type Role, roles } from "#shop/people/roles.ts";

import type { Page, Shown } from "../page.ts";
import { onceField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { secret } from "../parts/secret.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { writeAs } from "./people-words.ts";
import { waysToSend } from "./ways-to-send.ts";

const { people } = en;
/** A random name that a page gave to its form. */
const ONCE = /^[0-9a-f]{32}$/;

export const invitePage: Page = {
  path: "/people/invite",
  scopes: ["store:read"],
  isOwners: true,
  confirmsFirst: true,
  show: async (visit) => ({
    title: people.inviteTitle,
    // The link is made of the form's random name, which no cache keeps.
    isSecret: true,
    body: html`${heading({ title: people.inviteTitle, back: [visit.href("/people"), people.back] })}
      ${refusedNote(visit.sent)}
      <p class="narrow">${people.inviteWhat}</p>
      <form class="stack form" method="post" action="${visit.href("/people/invite")}/make">
        ${onceField()}
        <fieldset class="choices">
          <legend>${people.role}</legend>
          ${roles.toReversed().map(
            (role) =>
              html`<label class="tick"
                ><input
                  type="radio"
                  name="role"
                  value="${role}"
                  ${attribute("checked", role === "staff")}
                />
                <span
                  >${people.roles[role]} <small class="soft">${people.roleHints[role]}</small></span
                ></label
              >`,
          )}
        </fieldset>
        <p><button class="go">${people.makeLink}</button></p>
      </form>`,
  }),
  forms: {
    make: {
      says: "invited",
      needsConfirmation: true,
      tells: async (visit, form) => {
        const role = roleOf(form);
        const by = visit.visitor.person.name;
        const once = form.get("form") ?? "";
        const link = {
          kind: "invitation",
          role,
          by,
          ...(ONCE.test(once) && { form: once }),
        } as const;
        const token = await writeAs(visit, (tx) => makeLink(tx, link));
        const what = people.linkInvites(people.roles[role].toLowerCase(), visit.store.name);
        return { shown: linkShown(visit, token, what) };
      },
    },
    withdraw: {
      says: "removed",
      needsConfirmation: true,
      leadsTo: () => "/people",
      tells: async (visit, form) => {
        const by = visit.visitor.person.name;
        await writeAs(visit, (tx) => withdrawLink(tx, form.get("link") ?? "", by));
        return {};
      },
    },
  },
};

/** The role that was chosen; the least where none was. */
export function roleOf(form: URLSearchParams): Role {
  return roles.find((role) => role === form.get("role")) ?? "viewer";
}

/** A link that was just made, with the ways to send it. */
export function linkShown(visit: Visit, token: string, what: string): Shown {
  const link = addressOfLink(visit.dashboardUrl, token);
  return {
    title: people.linkTitle,
    isSecret: true,
    body: html`${heading({ title: people.linkTitle, back: [visit.href("/people"), people.back] })}
      <section class="sheet" role="status">
        <h2>${people.linkShown}</h2>
        ${secret("link", link)}
        <p class="small soft">${what}</p>
        ${waysToSend(link, visit.store.name)}
      </section>
      <p><a class="button quiet" href="${visit.href("/people")}">${people.back}</a></p>`,
  };
}

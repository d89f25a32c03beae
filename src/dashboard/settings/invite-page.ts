// Lets a person in: a link that is shown once, to be sent to them alone.

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import { NONCE } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { secret } from "#dashboard/kit/parts/contact.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, html } from "#platform/html/html.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { makeLink, withdrawLink } from "#shop/people/credentials/make-link.ts";
import { type Role, roles } from "#shop/people/roles.ts";

import { writeAs } from "./people-page.ts";
import { waysToSend } from "./ways-to-send.ts";

const { people } = en;
/** A random name that a page gave to its form. */
const NONCE_TEXT = /^[0-9a-f]{32}$/;

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
      ${refusedNote(visit.submitted)}
      <p class="narrow">${people.inviteWhat}</p>
      <form class="stack form" method="post" action="${visit.href("/people/invite")}/make">
        ${nonceField()}
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
      doneMessage: "invited",
      needsConfirmation: true,
      handle: async (visit, fields) => {
        const role = roleOf(fields);
        const by = visit.visitor.person.name;
        const nonce = fields.get(NONCE) ?? "";
        const link = {
          kind: "invitation",
          role,
          by,
          ...(NONCE_TEXT.test(nonce) && { form: nonce }),
        } as const;
        const token = await writeAs(visit, (tx) => makeLink(tx, link));
        const what = people.linkInvites(people.roles[role].toLowerCase(), visit.store.name);
        return { page: linkShown(visit, token, what) };
      },
    },
    withdraw: {
      doneMessage: "removed",
      needsConfirmation: true,
      redirectTo: () => "/people",
      handle: async (visit, fields) => {
        const by = visit.visitor.person.name;
        await writeAs(visit, (tx) => withdrawLink(tx, fields.get("link") ?? "", by));
        return {};
      },
    },
  },
};

/** The role that was chosen; the least where none was. */
export function roleOf(fields: URLSearchParams): Role {
  return roles.find((role) => role === fields.get("role")) ?? "viewer";
}

/** A link that was just made, with the ways to send it. */
export function linkShown(visit: Visit, token: string, what: string): PageContent {
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

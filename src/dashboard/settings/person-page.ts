// One person: the role, where they are signed in, and the ways to let them in again or not any more.

import type { CustomForm, PageContent } from "#dashboard/kit/forms/form.ts";
import { NONCE } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { secret, waysToSend } from "#dashboard/kit/parts/contacts.ts";
import { nonceField, select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { nearOf, shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isId } from "#kernel/id.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { makeLink, withdrawLink } from "#shop/people/credentials/make-link.ts";
import { getPerson, listSessions } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";
import { changeRole, removePerson } from "#shop/people/remove-person.ts";
import { type Role, roles } from "#shop/people/roles.ts";
import { endSessions } from "#shop/people/sessions/open-session.ts";
import { type Session, sessionNotFound } from "#shop/people/sessions/session.ts";

import { passkeysPart } from "./passkeys-page.ts";
import { lastSeenOf, writeAs } from "./people-page.ts";

// The devices at which a person is signed in, with the way to end each session.

/** The sessions; each but that of this visit can be ended by the form at `action`. */
export function sessionsPart(visit: Visit, sessions: readonly Session[], action: string): Html {
  if (sessions.length === 0) return html`<p class="soft">${people.noSessions}</p>`;
  return html`<ul class="rows">
    ${sessions.map((session) => rowOf(visit, session, action))}
  </ul>`;
}

function rowOf(visit: Visit, { id, device, network, seenAt, createdAt }: Session, action: string) {
  const when = visit.realWhen;
  const isHere = id === visit.visitor.session.id;
  const facts = [
    isHere ? people.thisDevice : people.seen(nearOf(seenAt, when)),
    people.since(shortDayOf(createdAt, when)),
    network,
  ];
  return html`<li class="line">
    <div>
      <strong>${device}</strong>
      <p class="small soft">${facts.filter((fact) => fact !== null).join(" · ")}</p>
    </div>
    ${
      !isHere &&
      html`<form method="post" action="${action}">
        <input type="hidden" name="session" value="${id}" /><button>${people.end}</button>
      </form>`
    }
  </li>`;
}

export const personPage: Page = {
  path: "/people/{id}",
  scopes: ["store:read"],
  isOwners: true,
  show: async (visit) => {
    const person = await personOf(visit);
    const sessions = await listSessions(visit.people.database.read, visit.realWhen.now, person.id);
    const here = visit.href(`/people/${person.id}`);
    return {
      title: person.name,
      body: html`${heading({ title: person.name, back: [visit.href("/people"), people.back] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <p class="soft">${people.roles[person.role]}, ${lastSeenOf(person, sessions, visit)}</p>
        ${rolePart(visit, person, here)}
        <section>
          <h2>${people.sessions}</h2>
          ${sessionsPart(visit, sessions, `${here}/end`)}
          ${sessions.length > 1 && html`<form method="post" action="${here}/endall"><button>${people.endAll}</button></form>`}
        </section>
        ${await passkeysPart(visit, person)}
        <section>
          <h2>${people.recover}</h2>
          <p class="soft">${people.recoverWhat(person.name)}</p>
          <form method="post" action="${here}/recover"><button>${people.recoverMake}</button></form>
        </section>
        <p><a class="button danger" href="${here}/remove">${people.remove}</a></p>`,
    };
  },
  forms: {
    role: confirmed("changed", async (visit, person, fields) => {
      await writeAs(visit, (tx) =>
        changeRole(tx, person.id, { role: roleOf(fields), by: nameOf(visit) }),
      );
      return {};
    }),
    end: confirmed("ended", async (visit, person, fields) => {
      const one = fields.get("session") ?? "";
      if (!isId("session", one)) throw sessionNotFound();
      await endAs(visit, person, { one });
      return {};
    }),
    endall: confirmed("ended", async (visit, person) => {
      await endAs(visit, person, { all: true });
      return {};
    }),
    recover: confirmed("made", async (visit, { id: personId, name }) => {
      const by = nameOf(visit);
      const token = await writeAs(visit, (tx) => makeLink(tx, { kind: "recovery", personId, by }));
      return { page: linkShown(visit, token, people.linkRecovers(name)) };
    }),
  },
};

export const removePersonPage: Page = {
  path: "/people/{id}/remove",
  scopes: ["store:read"],
  isOwners: true,
  show: async (visit) => {
    const { id, name } = await personOf(visit);
    const title = people.removeTitle(name);
    const here = visit.href(`/people/${id}`);
    return {
      title,
      body: html`${heading({ title, back: [here, name] })} ${refusedNote(visit.submitted)}
        <p class="narrow">${people.removeWhat(name)}</p>
        <form method="post" action="${here}/remove/sure">
          <p class="acts">
            <button class="danger">${people.remove}</button>
            <a class="button quiet" href="${here}">${people.keep}</a>
          </p>
        </form>`,
    };
  },
  forms: {
    sure: {
      ...confirmed("removed", async (visit, { id }) => {
        await writeAs(visit, (tx) => removePerson(tx, id, nameOf(visit)));
        return {};
      }),
      redirectTo: () => "/people",
    },
  },
};

function personOf({ people: { database }, params }: Visit): Promise<Person> {
  return getPerson(database.read, params["id"] ?? "");
}

/** A form about the person of the page, for which the password is asked again. */
function confirmed(
  doneMessage: CustomForm["doneMessage"],
  handle: (
    visit: Visit,
    person: Person,
    fields: URLSearchParams,
  ) => ReturnType<CustomForm["handle"]>,
): CustomForm {
  return {
    doneMessage,
    needsConfirmation: true,
    handle: async (visit, fields) => handle(visit, await personOf(visit), fields),
  };
}

function endAs(
  visit: Visit,
  { id }: Person,
  ending: Parameters<typeof endSessions>[2]["ending"],
): Promise<number> {
  return writeAs(visit, (tx) => endSessions(tx, id, { ending, by: nameOf(visit) }));
}

function nameOf({ visitor: { person } }: Visit): string {
  return person.name;
}

function rolePart(visit: Visit, { role }: Person, here: string): Html {
  const options = roles.map((value) => ({ value, label: people.roles[value] }));
  return html`<form class="stack form" method="post" action="${here}/role">
    ${select(visit.submitted, { label: people.role, name: "role", value: role, hint: people.changeRoleHint, options })}
    <p><button>${people.changeRole}</button></p>
  </form>`;
}

// Lets a person in: a link that is shown once, to be sent to them alone.

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
function roleOf(fields: URLSearchParams): Role {
  return roles.find((role) => role === fields.get("role")) ?? "viewer";
}

/** A link that was just made, with the ways to send it. */
function linkShown(visit: Visit, token: string, what: string): PageContent {
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

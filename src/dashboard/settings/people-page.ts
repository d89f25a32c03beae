// Who runs the shop, and who is invited.

import type { Page } from "#dashboard/kit/page.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote } from "#dashboard/kit/parts/note.ts";
import { nearOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import type { Tx } from "#platform/database/database.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { PersonLink } from "#shop/people/credentials/link.ts";
import { listLinks, listPeople, listSessions } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";
import type { Session } from "#shop/people/sessions/session.ts";

// Shared by the pages about people: who acts, and when a person was last seen.

const { people } = en;

/** Tells a story of people as the person of the visit. */
export function writeAs<Value>(
  { people: { database }, caller: { actor } }: Visit,
  story: (tx: Tx) => Promise<Value>,
): Promise<Value> {
  return database.write(story, { actor });
}

function isOwner({ visitor: { person } }: Visit): boolean {
  return person.role === "owner";
}

/** When the person last asked for a page. */
export function lastSeenOf({ id }: Person, sessions: readonly Session[], visit: Visit): string {
  // The sessions stand in the order of their last use.
  const last = sessions.find(({ personId }) => personId === id);
  return last === undefined ? people.neverSeen : people.seen(nearOf(last.seenAt, visit.realWhen));
}

export const peoplePage: Page = {
  path: "/people",
  scopes: ["store:read"],
  show: async (visit) => {
    const { read } = visit.people.database;
    const all = await listPeople(read);
    const act = isOwner(visit) && goLink(visit.href("/people/invite"), people.invite);
    return {
      title: people.title,
      body: html`${heading({ title: people.title, act })} ${doneNote(visit)}
        <p class="soft">${people.what}</p>
        ${
          isOwner(visit)
            ? await ownersPart(visit, all)
            : html`<ul class="rows">
                ${all.map((person) => lineOf(visit, person))}
              </ul>`
        }`,
    };
  },
};

/** The part that only owners see: when and where people are signed in, and links that are open. */
async function ownersPart(visit: Visit, all: readonly Person[]): Promise<Html> {
  const { read } = visit.people.database;
  const { now } = visit.realWhen;
  const sessions = await listSessions(read, now, null);
  const links = await listLinks(read, now);
  const nameOf = (id: string | null) => all.find((person) => person.id === id)?.name;
  return html`<ul class="rows">
      ${all.map((person) => rowOf(visit, person, sessions))}
    </ul>
    ${
      links.length > 0 &&
      html`<section>
        <h2>${people.invitations}</h2>
        <ul class="rows">
          ${links.map((link) => linkRow(visit, link, nameOf))}
        </ul>
      </section>`
    }
    <p><a class="tap" href="${visit.href("/people/acts")}">${people.acts}</a></p>`;
}

function lineOf(visit: Visit, { id, name, role }: Person): Html {
  const isYou = id === visit.visitor.person.id;
  return html`<li class="line">
    <strong>${name}${isYou && ` (${people.you})`}</strong
    ><span class="soft">${people.roles[role]}</span>
  </li>`;
}

function rowOf(visit: Visit, person: Person, sessions: readonly Session[]): Html {
  const isYou = person.id === visit.visitor.person.id;
  const own = sessions.filter(({ personId }) => personId === person.id);
  const href = visit.href(isYou ? "/me" : `/people/${person.id}`);
  return html`<li>
    <a class="row" href="${href}"
      ><span class="name">${person.name}${isYou && ` (${people.you})`}</span
      ><span class="what">${lastSeenOf(person, own, visit)}</span
      ><span class="sum small">${people.roles[person.role]}</span
      ><span class="when">${own.length > 0 && people.devices(own.length)}</span></a
    >
  </li>`;
}

function linkRow(
  visit: Visit,
  { id, kind, role, personId, madeBy, expiresAt }: PersonLink,
  nameOf: (id: string | null) => string | undefined,
): Html {
  const what =
    kind === "recovery"
      ? people.recovery(nameOf(personId) ?? "")
      : role === null || kind === "first_owner"
        ? people.firstOwner
        : people.invitation(people.roles[role]);
  const maker = people.madeBy(nameOf(madeBy) ?? people.commandLine);
  return html`<li class="line">
    <div>
      <strong>${what}</strong>
      <p class="small soft">${maker} · ${people.until(nearOf(expiresAt, visit.realWhen))}</p>
    </div>
    <form method="post" action="${visit.href("/people/invite")}/withdraw">
      <input type="hidden" name="link" value="${id}" /><button
        ${attribute("aria-label", `${people.takeBack}: ${what}`)}
      >
        ${people.takeBack}
      </button>
    </form>
  </li>`;
}

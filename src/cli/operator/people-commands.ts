// The commands of the administrative socket for people. Input is validated here, since it may come from the command
// line of another version.

import { defineRefusal } from "#kernel/refusal.ts";
import { realClock, toIso, toIsoOrNull } from "#kernel/time.ts";
import { type Database, operator, type Story } from "#platform/database/database.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { makeLink, type NewLink } from "#shop/people/credentials/make-link.ts";
import { getPersonByName, listPeople, listSessions } from "#shop/people/lookups.ts";
import { removePasskeysOf } from "#shop/people/passkeys/remove-passkey.ts";
import type { Person } from "#shop/people/person.ts";
import { changeRole, removePerson } from "#shop/people/remove-person.ts";
import { type Role, roles } from "#shop/people/roles.ts";
import { endSessions } from "#shop/people/sessions/open-session.ts";

import { member, textMember, textOrNull } from "./members.ts";

/** A person as `duka people list --json` prints them. */
export interface PersonLine {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Sessions that have not ended. */
  readonly sessions: number;
  /** The time of the last request; null without a session. */
  readonly seen_at: string | null;
  readonly created_at: string;
}

const roleUnknown = defineRefusal(
  "role_unknown",
  "invalid",
  `The role must be ${roles.slice(0, -1).join(", ")} or ${roles.at(-1)}.`,
);

/** The commands of people, who are in the live store only. `url` is where browsers reach the server. */
export function peopleCommands(live: Database, url: () => string): Commands {
  const write = <T>(story: Story<T>): Promise<T> => live.write(story, { actor: operator });
  const linkBy = async (story: Story<string>) => ({
    url: addressOfLink(url(), await write(story)),
  });
  const linkTo = (link: NewLink) => linkBy((tx) => makeLink(tx, link));
  return {
    "people.list": () => list(live, realClock.now()),
    "people.link": async (input, by = null) => {
      const name = textOrNull(input, "name");
      if (name === null) return linkTo({ kind: "first_owner", by });
      const { id } = await getPersonByName(live.read, name);
      return linkBy(async (tx) => {
        // Who runs the shop's machine decides that they are lost: a link that anyone else sends leaves them.
        await removePasskeysOf(tx, { id }, by);
        return makeLink(tx, { kind: "recovery", personId: id, by });
      });
    },
    "people.invite": async (input, by = null) =>
      linkTo({ kind: "invitation", role: readRole(input), by }),
    "people.role": async (input, by = null) => {
      const role = readRole(input);
      const { id } = await getPersonByName(live.read, textMember(input, "name"));
      return named(await write((tx) => changeRole(tx, id, { role, by })));
    },
    "people.remove": async (input, by = null) => {
      const { id } = await getPersonByName(live.read, textMember(input, "name"));
      return named(await write((tx) => removePerson(tx, id, by)));
    },
    "people.end-sessions": async (input, by = null) => {
      const { id, name } = await getPersonByName(live.read, textMember(input, "name"));
      const count = await write((tx) => endSessions(tx, id, { ending: { all: true }, by }));
      return { name, count };
    },
  };
}

async function list(live: Database, now: number): Promise<PersonLine[]> {
  const people = await listPeople(live.read);
  const sessions = await listSessions(live.read, now, null);
  return people.map(({ id, name, role, createdAt }) => {
    const own = sessions.filter(({ personId }) => personId === id);
    const seen_at = toIsoOrNull(own[0]?.seenAt ?? null);
    return { id, name, role, sessions: own.length, seen_at, created_at: toIso(createdAt) };
  });
}

function named({ name }: Person): { readonly name: string } {
  return { name };
}

function readRole(input: unknown): Role {
  const given = member(input, "role");
  const role = roles.find((known) => known === given);
  if (role === undefined) throw roleUnknown();
  return role;
}

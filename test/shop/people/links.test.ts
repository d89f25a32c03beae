// One-time links: the first owner, invitations, and recovering a sign-in.

import { expect, test } from "bun:test";

import { makeLink, withdrawLink } from "#shop/people/credentials/make-link.ts";
import { addFailures } from "#shop/people/credentials/queries.ts";
import { links } from "#shop/people/credentials/tables.ts";
import { getLink } from "#shop/people/credentials/take-link.ts";
import { listLinks, listPeople } from "#shop/people/lookups.ts";
import { changeRole, removePerson } from "#shop/people/remove-person.ts";

import { rowsOf } from "../../support/tables.ts";
import {
  codeOf,
  countsOf,
  openDoor,
  outcomeOf,
  PASSWORD,
  sharedDoor,
  type TestDoor,
} from "./open-door.ts";

const door = sharedDoor();

const HOUR_MS = 3_600_000;

const lives = [
  ["a link for the first owner", 24, (door: TestDoor) => firstOwner(door)],
  ["an invitation", 72, (door: TestDoor) => invitation(door)],
  ["a recovery", 24, (door: TestDoor) => recovery(door)],
] as const;

function firstOwner(door: TestDoor): Promise<string> {
  return door.link({ kind: "first_owner", by: null });
}

function invitation(door: TestDoor): Promise<string> {
  return door.link({ kind: "invitation", role: "staff", by: null });
}

async function recovery(door: TestDoor): Promise<string> {
  const { visitor } = await door.owner();
  return door.link({ kind: "recovery", personId: visitor.person.id, by: null });
}

test.each(lives)("%s can be used for %p hours", async (_, hours, make) => {
  await using door = await openDoor();
  const token = await make(door);

  door.shop.clock.advance(hours * HOUR_MS - 1);
  const signedIn = await door.take(token, "Kofi");

  expect(await door.opens(signedIn.token)).toBe(true);
});

test.each(lives)("%s has ended after %p hours", async (_, hours, make) => {
  await using door = await openDoor();
  const token = await make(door);

  door.shop.clock.advance(hours * HOUR_MS);

  expect(await codeOf(door.take(token, "Kofi"))).toBe("link_ended");
});

test("a link is 43 letters and digits, of which the hash is kept", async () => {
  const token = await invitation(door);

  expect(token).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(JSON.stringify(await rowsOf(door.database.read, links))).not.toContain(token);
});

test("looking at a link does not use it up", async () => {
  await using door = await openDoor();
  const token = await recovery(door);

  const { link, person } = await getLink(door.database.read, token, door.people.clock.now());

  expect(link.kind).toBe("recovery");
  expect(person?.name).toBe("Ama");
  await door.take(token);
});

test("a link works once", async () => {
  const token = await invitation(door);

  await door.take(token, "Akua");

  expect(await codeOf(door.take(token, "Esi"))).toBe("link_ended");
  const now = door.people.clock.now();
  expect(await codeOf(getLink(door.database.read, token, now))).toBe("link_ended");
});

test("of several who use a link at once, one comes in", async () => {
  await using door = await openDoor();
  const token = await firstOwner(door);

  const names = ["Ama", "Kofi", "Esi", "Yaw", "Adwoa"];
  const outcomes = await Promise.all(names.map((name) => outcomeOf(door.take(token, name))));

  expect(countsOf(outcomes)).toEqual({ done: 1, link_ended: 4 });
  expect(await listPeople(door.database.read)).toHaveLength(1);
});

test("of several links for the first owner that are used at once, one works", async () => {
  await using door = await openDoor();
  const tokens = [await firstOwner(door), await firstOwner(door), await firstOwner(door)];

  const outcomes = await Promise.all(
    tokens.map((token, at) => outcomeOf(door.take(token, `Owner ${at}`))),
  );

  expect(countsOf(outcomes)).toEqual({ done: 1, link_ended: 2 });
  expect(await listPeople(door.database.read)).toHaveLength(1);
});

test("a shop that has people has no first owner to come", async () => {
  expect(await codeOf(firstOwner(door))).toBe("owner_exists");
});

test("a person who is invited has the role of the invitation", async () => {
  const { visitor } = await door.invited("viewer", "Kofi");

  expect(visitor.person.role).toBe("viewer");
});

test("a name that another person has is refused, and the link stays valid", async () => {
  const token = await invitation(door);

  expect(await codeOf(door.take(token, "AMA"))).toBe("person_name_taken");

  const { visitor } = await door.take(token, "Ama K.");
  expect(visitor.person.name).toBe("Ama K.");
});

test("all faults of a name and a password are told at once, and the link stays valid", async () => {
  await using door = await openDoor();
  const token = await firstOwner(door);

  const refused = await door.take(token, " ", "short").catch((error: unknown) => error);

  expect(refused).toMatchObject({
    details: {
      faults: [
        { pointer: "/name", code: "invalid_length" },
        { pointer: "/password", code: "too_short" },
      ],
    },
  });
  await door.take(token, "Ama");
});

test("a recovery keeps the name, and ends the person's sessions and known devices", async () => {
  await using door = await openDoor();
  const { token, visitor, knownToken } = await door.owner();
  const link = await door.link({ kind: "recovery", personId: visitor.person.id, by: null });

  const back = await door.take(link, "Somebody else", "eleven loud geese by the sea");

  expect(back.visitor.person).toEqual(visitor.person);
  expect(await door.opens(token)).toBe(false);
  for (let at = 0; at < 6; at += 1) await door.guess({ known: knownToken });
  await door.guess();
  expect(door.delays).toEqual([1000, 2000]);
});

test("a recovery switches a password on that failures switched off", async () => {
  const { visitor } = await door.invited("owner", "Ama");
  const { id: personId, name } = visitor.person;
  await door.database.write((tx) => addFailures(tx, { personId, added: 100 }));

  await door.take(await door.link({ kind: "recovery", personId, by: null }));

  await door.signIn({ name });
});

test("a recovery replaces the former one", async () => {
  await using door = await openDoor();
  const former = await recovery(door);
  const [ama] = await listPeople(door.database.read);

  await door.link({ kind: "recovery", personId: ama?.id ?? "per_", by: null });

  expect(await codeOf(door.take(former))).toBe("link_ended");
});

test("a link that was withdrawn opens nothing", async () => {
  await using door = await openDoor();
  const token = await invitation(door);
  const [link] = await listLinks(door.database.read, door.people.clock.now());

  await door.database.write((tx) => withdrawLink(tx, link?.id ?? "", "Ama"));

  expect(await codeOf(door.take(token, "Kofi"))).toBe("link_ended");
});

test("the invitations of an owner end with their role and with their removal", async () => {
  await using door = await openDoor();
  await door.owner();
  const tokens: string[] = [];
  for (const name of ["Kofi", "Esi"]) {
    const { visitor } = await door.invited("owner", name);
    const { id } = visitor.person;
    const token = await door.database.write(
      (tx) => makeLink(tx, { kind: "invitation", role: "owner", by: name }),
      { actor: { type: "person", id } },
    );
    tokens.push(token);
    await door.database.write((tx) =>
      name === "Kofi"
        ? removePerson(tx, id, "Ama")
        : changeRole(tx, id, { role: "staff", by: "Ama" }),
    );
  }

  for (const token of tokens) expect(await codeOf(door.take(token, "Yaw"))).toBe("link_ended");
});

test("links and their use are in the audit log", async () => {
  const kofi = await door.invited("staff", "Kofi");

  const acts = (await door.acts()).slice(-2);

  expect(acts).toMatchObject([
    { action: "invitePerson", actor: "operator" },
    { action: "takeLink", actor: kofi.visitor.person.id, subject: acts[0]?.subject ?? null },
  ]);
});

test("a password is not made of what others know of the shop", async () => {
  await using door = await openDoor();
  const token = await firstOwner(door);

  expect(await codeOf(door.take(token, "Ama Owusu-Mensah", "owusu mensah 2026"))).toBe(
    "validation_failed",
  );
  expect(await codeOf(door.take(token, "Ama", "goods.example 26"))).toBe("validation_failed");
  await door.take(token, "Ama", PASSWORD);
});

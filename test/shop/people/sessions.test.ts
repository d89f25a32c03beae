// Sessions: how long they last, and what ends them.

import { expect, test } from "bun:test";

import { changePassword } from "#shop/people/credentials/change-password.ts";
import { listSessions } from "#shop/people/lookups.ts";
import { changeRole, removePerson } from "#shop/people/remove-person.ts";
import { confirmPerson } from "#shop/people/sessions/confirm-person.ts";
import {
  endSessions,
  findVisitor,
  signOut,
  touchSession,
} from "#shop/people/sessions/open-session.ts";
import { isConfirmed, type SignedIn } from "#shop/people/sessions/session.ts";

import { codeOf, openDoor, PASSWORD, sharedDoor, type TestDoor } from "./open-door.ts";

const door = sharedDoor();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NEW_PASSWORD = "eleven loud geese by the sea";

/** Uses the session once, as a request does. */
async function use(door: TestDoor, { token, visitor }: SignedIn): Promise<void> {
  const { database, clock } = door.people;
  const found = await findVisitor(database.read, token, clock.now());
  await database.write((tx) => touchSession(tx, found ?? visitor));
}

test("a session ends after seven days without a request", async () => {
  await using door = await openDoor();
  const { token } = await door.owner();

  door.shop.clock.advance(7 * DAY_MS - 1);
  expect(await door.opens(token)).toBe(true);

  door.shop.clock.advance(1);
  expect(await door.opens(token)).toBe(false);
});

test("a session that is used ends after thirty days", async () => {
  await using door = await openDoor();
  const signedIn = await door.owner();

  for (let day = 0; day < 5; day += 1) {
    door.shop.clock.advance(6 * DAY_MS - (day === 4 ? 1 : 0));
    await use(door, signedIn);
  }

  expect(await door.opens(signedIn.token)).toBe(true);
  door.shop.clock.advance(1);
  expect(await door.opens(signedIn.token)).toBe(false);
});

test("a session at a device that is not one's own ends after twelve hours", async () => {
  await using door = await openDoor();
  await door.owner();
  const signedIn = await door.signIn({ isBrief: true });

  door.shop.clock.advance(12 * HOUR_MS - 1);
  await use(door, signedIn);
  expect(await door.opens(signedIn.token)).toBe(true);

  door.shop.clock.advance(1);
  expect(await door.opens(signedIn.token)).toBe(false);
});

test("the last request of a session is kept to the minute", async () => {
  await using door = await openDoor();
  const signedIn = await door.owner();
  const { seenAt } = signedIn.visitor.session;

  door.shop.clock.advance(MINUTE_MS - 1);
  await use(door, signedIn);
  const early = await findVisitor(door.database.read, signedIn.token, seenAt);
  door.shop.clock.advance(1);
  await use(door, signedIn);
  const due = await findVisitor(door.database.read, signedIn.token, seenAt);

  expect(early?.session.seenAt).toBe(seenAt);
  expect(due?.session.seenAt).toBe(seenAt + MINUTE_MS);
});

test("a text that is no token opens nothing", async () => {
  expect(await door.opens("")).toBe(false);
  expect(await door.opens("0".repeat(43))).toBe(false);
});

test("a password that was given counts for fifteen minutes", async () => {
  const { visitor } = await door.invited("owner", "Ama");
  const { session } = visitor;

  expect(isConfirmed(session, session.createdAt + 15 * MINUTE_MS - 1)).toBe(true);
  expect(isConfirmed(session, session.createdAt + 15 * MINUTE_MS)).toBe(false);
});

test("who gives the password again is confirmed, under another token", async () => {
  await using door = await openDoor();
  const before = await door.owner();
  door.shop.clock.advance(HOUR_MS);

  const after = await confirmPerson(door.people, before.visitor, PASSWORD);

  expect(isConfirmed(after.visitor.session, door.people.clock.now())).toBe(true);
  expect(after.visitor.session.id).toBe(before.visitor.session.id);
  expect(await door.opens(before.token)).toBe(false);
  expect(await door.opens(after.token)).toBe(true);
});

test("a wrong password confirms nothing, and is slowed down like a sign-in", async () => {
  await using door = await openDoor();
  const { visitor, token } = await door.owner();
  door.shop.clock.advance(HOUR_MS);

  for (let at = 0; at < 6; at += 1) {
    expect(await codeOf(confirmPerson(door.people, visitor, "wrong"))).toBe("sign_in_failed");
  }

  const found = await findVisitor(door.database.read, token, door.people.clock.now());
  expect(found?.session.confirmedAt).toBe(visitor.session.confirmedAt);
  expect(door.delays).toEqual([1000]);
  expect((await door.acts()).at(-1)?.action).toBe("failConfirmation");
});

test("a session that has ended cannot be confirmed", async () => {
  const { visitor } = await door.invited("owner", "Ama");
  await door.database.write((tx) => signOut(tx, visitor));

  const code = await codeOf(confirmPerson(door.people, visitor, PASSWORD));

  expect(code).toBe("session_not_found");
});

test("who signs out is out", async () => {
  const { visitor, token } = await door.invited("owner", "Ama");
  const { name } = visitor.person;
  const other = await door.signIn({ name });

  await door.database.write((tx) => signOut(tx, visitor));

  expect(await door.opens(token)).toBe(false);
  expect(await door.opens(other.token)).toBe(true);
});

test("a person ends one session, all others, or all", async () => {
  const first = await door.invited("owner", "Ama");
  const { name } = first.visitor.person;
  const second = await door.signIn({ name });
  const third = await door.signIn({ name });
  const { id } = first.visitor.person;
  const end = (ending: Parameters<typeof endSessions>[2]["ending"]) =>
    door.database.write((tx) => endSessions(tx, id, { ending, by: "Ama" }));
  const open = () => Promise.all([first, second, third].map(({ token }) => door.opens(token)));

  expect(await end({ one: second.visitor.session.id })).toBe(1);
  expect(await open()).toEqual([true, false, true]);
  expect(await end({ allBut: third.visitor.session.id })).toBe(1);
  expect(await open()).toEqual([false, false, true]);
  expect(await end({ all: true })).toBe(1);
  expect(await open()).toEqual([false, false, false]);
});

test("the session of another person is not among one's own", async () => {
  const { visitor } = await door.invited("owner", "Ama");
  const kofi = await door.invited("staff", "Kofi");
  const ending = { one: kofi.visitor.session.id };

  const ended = door.database.write((tx) =>
    endSessions(tx, visitor.person.id, { ending, by: "Ama" }),
  );

  expect(await codeOf(ended)).toBe("session_not_found");
  expect(await door.opens(kofi.token)).toBe(true);
});

test("the twenty-first session ends the oldest", async () => {
  const first = await door.invited("owner", "Ama");
  const { name } = first.visitor.person;
  const second = await door.signIn({ name });
  for (let at = 0; at < 19; at += 1) await door.signIn({ name });

  const { id } = first.visitor.person;
  const open = await listSessions(door.database.read, door.people.clock.now(), id);

  expect(open).toHaveLength(20);
  expect(await door.opens(first.token)).toBe(false);
  expect(await door.opens(second.token)).toBe(true);
});

test("a new role ends the sessions of the person", async () => {
  const ama = await door.invited("owner", "Ama");
  const kofi = await door.invited("staff", "Kofi");

  const { id } = kofi.visitor.person;
  await door.database.write((tx) => changeRole(tx, id, { role: "viewer", by: "Ama" }));

  expect(await door.opens(kofi.token)).toBe(false);
  expect(await door.opens(ama.token)).toBe(true);
});

test("a person who is removed is out and cannot come back", async () => {
  const kofi = await door.invited("staff", "Kofi");

  await door.database.write((tx) => removePerson(tx, kofi.visitor.person.id, "Ama"));

  expect(await door.opens(kofi.token)).toBe(false);
  expect(await door.guess({ name: kofi.visitor.person.name, password: PASSWORD })).toBe(
    "sign_in_failed",
  );
});

test("a new password ends all other sessions", async () => {
  const first = await door.invited("owner", "Ama");
  const { name } = first.visitor.person;
  const second = await door.signIn({ name });

  const change = { password: NEW_PASSWORD, host: null };
  const renewed = await changePassword(door.people, second.visitor, change);

  expect(await door.opens(first.token)).toBe(false);
  expect(await door.opens(second.token)).toBe(false);
  expect(await door.opens(renewed.token)).toBe(true);
  expect(await door.guess({ name, password: PASSWORD })).toBe("sign_in_failed");
  await door.signIn({ name, password: NEW_PASSWORD });
});

test("a new password needs the former one within fifteen minutes", async () => {
  await using door = await openDoor();
  const { visitor } = await door.owner();
  door.shop.clock.advance(15 * MINUTE_MS);

  const changed = changePassword(door.people, visitor, { password: NEW_PASSWORD, host: null });

  expect(await codeOf(changed)).toBe("confirmation_needed");
});

test("a new password that is easy to guess is refused", async () => {
  const { visitor, token } = await door.invited("owner", "Ama");

  const changed = changePassword(door.people, visitor, {
    password: "passwordpassword",
    host: null,
  });

  expect(await codeOf(changed)).toBe("validation_failed");
  expect(await door.opens(token)).toBe(true);
});

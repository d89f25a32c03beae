// What surrounds the sign-in: the first start, several programs on one shop, and how long failures are kept.

import { expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { dropNetworksJob } from "#shop/audit/jobs.ts";
import { addressOfLink } from "#shop/people/credentials/link.ts";
import { listPeople } from "#shop/people/lookups.ts";
import { endAllAccess } from "#shop/people/remove-person.ts";
import { confirmPerson } from "#shop/people/sessions/confirm-person.ts";
import { endSessions, findVisitor } from "#shop/people/sessions/open-session.ts";

import { databasePlace } from "../../support/postgres-databases.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { codeOf, openDoor, PASSWORD, type TestDoor } from "./open-door.ts";

const DAY_MS = 86_400_000;

/** The live database as another program on the same shop has it. */
async function openNext({ shop, people }: TestDoor): Promise<Database> {
  const onFault = (error: unknown) => {
    throw error;
  };
  const terms = { clock: people.clock, vault: people.database.vault, onFault };
  return (await openDatabase("live", await databasePlace(shop.folder.path), terms)).database;
}

test("while no one is there, each start makes a link for the first owner", async () => {
  using folder = openScratchFolder();
  const first = await openDoor({ folder });
  const former = String(first.shop.duka.firstLink);
  await first[Symbol.asyncDispose]();
  await using second = await openDoor({ folder });
  const { firstLink } = second.shop.duka;

  expect(former).toMatch(/^http:\/\/localhost:\d+\/dashboard\/door\/[0-9A-Za-z]{43}$/);
  expect(firstLink).not.toBe(former);
  const { visitor } = await second.take(String(firstLink).slice(-43), "Ama");
  expect(visitor.person.role).toBe("owner");
  expect(await codeOf(second.take(former.slice(-43), "Kofi"))).toBe("link_ended");
});

test("a start of a shop with an owner makes no link", async () => {
  using folder = openScratchFolder();
  const first = await openDoor({ folder });
  await first.owner();
  await first[Symbol.asyncDispose]();

  await using second = await openDoor({ folder });

  expect(second.shop.duka.firstLink).toBeNull();
});

test.each([
  ["http://127.0.0.1:4000", "http://localhost:4000/dashboard/door/abc"],
  ["http://[::1]:4000", "http://localhost:4000/dashboard/door/abc"],
  ["http://0.0.0.0:4000", "http://localhost:4000/dashboard/door/abc"],
  ["http://shop.lan", "http://shop.lan/dashboard/door/abc"],
  ["https://goods.example", "https://goods.example/dashboard/door/abc"],
])("a link at %s opens at %s", (url, address) => {
  expect(addressOfLink(url, "abc")).toBe(address);
});

test("a session that one program ends is ended at the next", async () => {
  await using door = await openDoor();
  const { token, visitor } = await door.owner();
  const { clock } = door.people;
  const next = await openNext(door);
  const before = await findVisitor(next.read, token, clock.now());

  const { id } = visitor.person;
  await door.database.write((tx) => endSessions(tx, id, { ending: { all: true }, by: null }));
  const after = await findVisitor(next.read, token, clock.now());
  await next.close();

  expect(before?.person.name).toBe("Ama");
  expect(after).toBeNull();
});

test("a restored shop knows its people, and none of their sessions, links and devices", async () => {
  await using door = await openDoor();
  const { token, knownToken } = await door.owner();
  const link = await door.link({ kind: "invitation", role: "staff", by: null });

  await door.database.write((tx) => endAllAccess(tx, { removesPeople: false, by: null }));

  expect(await door.opens(token)).toBe(false);
  expect(await codeOf(door.take(link, "Kofi"))).toBe("link_ended");
  const again = await door.signIn({ known: knownToken });
  expect(again.knownToken).not.toBe(knownToken);
});

test("a restored shop whose people are removed waits for a first owner", async () => {
  await using door = await openDoor();
  await door.owner();

  await door.database.write((tx) => endAllAccess(tx, { removesPeople: true, by: null }));

  expect(await listPeople(door.database.read)).toEqual([]);
  expect(await door.guess({ password: PASSWORD })).toBe("sign_in_failed");
  expect((await door.owner("Kofi")).visitor.person.role).toBe("owner");
});

test("wrong passwords are in the audit log for 400 days, other acts for good", async () => {
  await using door = await openDoor();
  const { visitor } = await door.owner();
  await door.guess();
  await codeOf(confirmPerson(door.people, visitor, "wrong"));
  const actions = async () => new Set((await door.acts()).map(({ action }) => action));
  const runIn = (days: number) =>
    dropNetworksJob([door.database], { now: () => Date.now() + days * DAY_MS }).run();

  await runIn(399);
  const before = await actions();
  await runIn(401);

  const dropped = before.difference(await actions());
  expect(dropped).toEqual(new Set(["failSignIn", "failConfirmation"]));
});

// People, their roles and the last owner.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { peopleScopes, scopes } from "#shop/keys/scopes.ts";
import { findPersonNames, getPersonByName, listPeople } from "#shop/people/lookups.ts";
import { nameKeyOf, type Person, tidyName } from "#shop/people/person.ts";
import { changeRole, removePerson } from "#shop/people/remove-person.ts";
import { EXPORT_CUSTOMERS, type Role, roles, scopesOf } from "#shop/people/roles.ts";

import { codeOf, openDoor, type TestDoor } from "./open-door.ts";

const lower = (door: TestDoor, { id }: Person, role: Role = "staff") =>
  door.database.write((tx) => changeRole(tx, id, { role, by: "Ama" }));
const remove = (door: TestDoor, { id }: Person) =>
  door.database.write((tx) => removePerson(tx, id, "Ama"));

test("an owner may do everything that a key may, take files of customers out of the shop and say whom it asks", () => {
  expect(scopesOf("owner")).toEqual(new Set([...scopes, ...peopleScopes]));
});

test("staff take files of customers out of the shop, and viewers do not", () => {
  expect(scopesOf("staff").has(EXPORT_CUSTOMERS)).toBe(true);
  expect(scopesOf("viewer").has(EXPORT_CUSTOMERS)).toBe(false);
});

test("staff run the shop's day, and let in neither programs nor people", () => {
  const held = [...scopesOf("staff")];

  expect(held.filter((scope) => scope.endsWith(":write")).toSorted()).toEqual([
    "carts:write",
    "customers:write",
    "inventory:write",
    "orders:write",
    "payments:write",
    "products:write",
  ]);
  const notRead = scopes.filter((scope) => scope.endsWith(":read") && !held.includes(scope));
  expect(notRead).toEqual(["webhooks:read", "keys:read", "audit:read"]);
});

test("a viewer sees what staff see, and so neither keys nor webhooks", () => {
  for (const scope of scopesOf("viewer")) expect(scopesOf("staff").has(scope)).toBe(true);
  expect(scopesOf("viewer").has("keys:read")).toBe(false);
});

test("a viewer changes nothing", () => {
  expect([...scopesOf("viewer")].filter((scope) => !scope.endsWith(":read"))).toEqual([]);
});

test("a role that others do not have is more", () => {
  for (const scope of scopesOf("viewer")) expect(scopesOf("owner").has(scope)).toBe(true);
  for (const scope of scopesOf("staff")) expect(scopesOf("owner").has(scope)).toBe(true);
});

test("a name is compared by its key, and its key is its own key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      expect(nameKeyOf(nameKeyOf(name))).toBe(nameKeyOf(name));
      expect(nameKeyOf(tidyName(name))).toBe(nameKeyOf(name));
    }),
  );
});

test("the last owner is neither lowered nor removed", async () => {
  await using door = await openDoor();
  const { visitor } = await door.owner();
  await door.invited("staff", "Kofi");

  expect(await codeOf(lower(door, visitor.person))).toBe("last_owner");
  expect(await codeOf(remove(door, visitor.person))).toBe("last_owner");
});

test("two owners who lower each other at once leave one", async () => {
  await using door = await openDoor();
  const ama = await door.owner();
  const kofi = await door.invited("owner", "Kofi");

  const outcomes = await Promise.allSettled([
    lower(door, ama.visitor.person),
    remove(door, kofi.visitor.person),
  ]);

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const left = await listPeople(door.database.read);
  expect(left.filter(({ role }) => role === "owner")).toHaveLength(1);
});

test("whatever is done to people, a shop that had an owner has one", async () => {
  await using door = await openDoor();
  const ama = await door.owner();
  const others = [await door.invited("owner", "Kofi"), await door.invited("staff", "Esi")];
  const people = [ama, ...others].map(({ visitor }) => visitor.person);
  const act = fc.record({
    who: fc.nat(people.length - 1),
    to: fc.constantFrom<Role | "removed">(...roles, "removed"),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 4 }), async (acts) => {
      await Promise.allSettled(
        acts.map(({ who, to }) => {
          const person = people[who] ?? ama.visitor.person;
          return to === "removed" ? remove(door, person) : lower(door, person, to);
        }),
      );
      const left = await listPeople(door.database.read);
      expect(left.some(({ role }) => role === "owner")).toBe(true);
    }),
    { numRuns: 15 },
  );
});

test("a role that a person has already changes nothing", async () => {
  await using door = await openDoor();
  const { visitor, token } = await door.owner();

  await lower(door, visitor.person, "owner");

  expect(await door.opens(token)).toBe(true);
});

test("a removed person is named by what they did, and another may have the name", async () => {
  await using door = await openDoor();
  await door.owner();
  const { visitor } = await door.invited("staff", "Kofi");
  await remove(door, visitor.person);

  const again = await door.invited("staff", "Kofi");

  const ids = [visitor.person.id, again.visitor.person.id];
  const names = await findPersonNames(door.database.read, [...ids, "per_none"]);
  expect([...names.values()]).toEqual(["Kofi", "Kofi"]);
  expect((await getPersonByName(door.database.read, "kofi")).id).toBe(again.visitor.person.id);
});

test("a person who was removed is not there", async () => {
  await using door = await openDoor();
  await door.owner();
  const { visitor } = await door.invited("staff", "Kofi");
  await remove(door, visitor.person);

  expect(await codeOf(remove(door, visitor.person))).toBe("person_not_found");
  expect(await codeOf(lower(door, visitor.person, "owner"))).toBe("person_not_found");
});

test("who changed a role, from what and to what, is in the audit log", async () => {
  await using door = await openDoor();
  await door.owner();
  const { visitor } = await door.invited("staff", "Kofi");

  await lower(door, visitor.person, "viewer");

  const { id } = visitor.person;
  expect((await door.acts()).at(-1)).toMatchObject({ action: "changeRole", subject: id });
});

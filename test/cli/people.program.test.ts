// `duka people` with and without a running server.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";

import { openDoor, type TestDoor } from "../shop/people/open-door.ts";
import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;

beforeEach(() => {
  scratch = openScratchFolder();
});

afterEach(() => scratch[Symbol.dispose]());

function people(...args: string[]) {
  return runDuka(["people", ...args], { folder: scratch.path });
}

/** The shop of the commands, in this process; it must be closed before they run. */
function openShopOfCommands(): Promise<TestDoor> {
  const path = scratch.file("data");
  return openDoor({ folder: { path, file: (name) => join(path, name), [Symbol.dispose]() {} } });
}

/** Ama, who owns the shop, and Kofi of the staff. */
async function letPeopleIn(): Promise<void> {
  await using door = await openShopOfCommands();
  await door.owner("Ama");
  await door.invited("staff", "Kofi");
}

async function listed(): Promise<unknown> {
  return JSON.parse((await people("list", "--json")).stdout);
}

test("a start of a new shop prints where its owner comes in, and so does the command", async () => {
  await using duka = await openRunningDuka({ folder: scratch.path });

  const { stdout } = await people("link");

  const { port } = new URL(duka.url);
  const address = `http://localhost:${port}/dashboard/door/`;
  expect(duka.greeting).toMatch(new RegExp(`^  Open  ${address}[0-9A-Za-z]{43}$`, "m"));
  expect(stdout).toMatch(new RegExp(`^${address}[0-9A-Za-z]{43}\n$`));
});

test("a shop without people says how its owner comes in", async () => {
  await using _ = await openRunningDuka({ folder: scratch.path });

  const { stdout } = await people("list");

  expect(stdout).toContain("duka people link");
});

test("people are listed with their roles and sessions", async () => {
  await letPeopleIn();

  expect(await listed()).toMatchObject([
    { name: "Ama", role: "owner" },
    { name: "Kofi", role: "staff" },
  ]);
  expect((await people("list")).stdout).toMatch(/^NAME +ROLE +SESSIONS +SEEN$/m);
});

test("an invitation and a recovery are links that let in", async () => {
  await letPeopleIn();
  const invitation = (await people("invite", "viewer")).stdout.trim();
  const recovery = (await people("link", "kofi")).stdout.trim();

  await using door = await openShopOfCommands();
  const esi = await door.take(invitation.slice(-43), "Esi");
  const kofi = await door.take(recovery.slice(-43));

  expect(esi.visitor.person).toMatchObject({ name: "Esi", role: "viewer" });
  expect(kofi.visitor.person).toMatchObject({ name: "Kofi", role: "staff" });
});

test("a person gets another role, is signed out, and is removed", async () => {
  await letPeopleIn();

  const role = await people("role", "Kofi", "viewer");
  const ended = await people("end-sessions", "Ama");
  const removed = await people("remove", "KOFI");

  expect(role.stdout).toBe("Kofi is viewer now.\n");
  expect(ended.stdout).toBe("Ended 1 session of Ama.\n");
  expect(removed.stdout).toBe("Removed Kofi.\n");
  expect(await listed()).toMatchObject([{ name: "Ama", sessions: 0 }]);
});

test.each([
  [["remove", "Ama"], "must keep an owner"],
  [["role", "Ama", "staff"], "must keep an owner"],
  [["remove", "Esi"], 'no person "Esi"'],
  [["link"], "has an owner"],
])("duka people %p is refused", async (args, why) => {
  await letPeopleIn();

  const { code, stderr } = await people(...args);

  expect(code).toBe(1);
  expect(stderr).toContain(why);
});

test("a role that there is not is refused with those that there are", async () => {
  const { code, stderr } = await people("invite", "boss");

  expect(code).not.toBe(0);
  expect(stderr).toContain("owner, staff, viewer");
});

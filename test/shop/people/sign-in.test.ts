// Signing in by name and password.

import { expect, test } from "bun:test";

import { listEntries } from "#shop/entries/list-entries.ts";
import { HASH_OF_NO_PASSWORD } from "#shop/people/credentials/hashing.ts";
import { addFailures, countGuess, setHash } from "#shop/people/credentials/queries.ts";
import { guesses, knownDevices, passwords } from "#shop/people/credentials/tables.ts";
import { signIn } from "#shop/people/sessions/sign-in.ts";
import { sessions } from "#shop/people/sessions/tables.ts";

import { rowsOf } from "../../support/tables.ts";
import { until } from "../../support/until.ts";
import {
  countsOf,
  openDoor,
  outcomeOf,
  PASSWORD,
  PLACE,
  sharedDoor,
  type TestDoor,
} from "./open-door.ts";

const door = sharedDoor();

/** The people of the door, whose passwords are not verified before they are released. */
function holding({ people }: TestDoor) {
  const released = Promise.withResolvers<void>();
  let verified = 0;
  const verify = async () => {
    verified += 1;
    await released.promise;
    return false;
  };
  return {
    people: { ...people, passwords: { ...people.passwords, verify } },
    areVerified: (count: number) => until(() => verified === count, "They are not verified."),
    release: () => {
      released.resolve();
    },
  };
}

const HOUR_MS = 3_600_000;

test("a person signs in by name and password", async () => {
  const { name } = (await door.invited("owner", "Ama Owusu")).visitor.person;

  const { visitor, token } = await door.signIn({ name });

  expect(visitor.person).toMatchObject({ name, role: "owner" });
  expect(await door.opens(token)).toBe(true);
});

test.each(["ama owusu", "  AMA   Owusu ", "Ａma Owusu"])("%p is the same name", async (name) => {
  await using door = await openDoor();
  await door.owner("Ama Owusu");

  const { visitor } = await door.signIn({ name });

  expect(visitor.person.name).toBe("Ama Owusu");
});

test("a password is the same, however the keyboard composes its letters", async () => {
  await door.take(
    await door.link({ kind: "invitation", role: "staff", by: null }),
    "Efua",
    "un café très très calme",
  );

  const { visitor } = await door.signIn({
    name: "Efua",
    password: "un cafe\u0301 tre\u0300s tre\u0300s calme",
  });

  expect(visitor.person.name).toBe("Efua");
});

test.each([
  ["a wrong password", { password: "nine quiet goats on a hill" }],
  ["an empty password", { password: "" }],
  ["a password of a megabyte", { password: "x".repeat(1_000_000) }],
  ["an unknown name", { name: "Kofi" }],
  ["no name", { name: "" }],
])("%s is refused with the same words", async (_, given) => {
  expect(await door.guess({ password: PASSWORD, ...given })).toBe("sign_in_failed");
});

test("an unknown name costs the same work as a known one", async () => {
  await door.guess();
  await door.guess({ name: "Kofi" });

  expect(door.verified).toHaveLength(2);
  expect(door.verified[0]).not.toBe(HASH_OF_NO_PASSWORD);
  expect(door.verified[1]).toBe(HASH_OF_NO_PASSWORD);
  const parameters = door.verified.map((hash) => hash.split("$").slice(0, 4));
  expect(parameters[1]).toEqual(parameters[0] ?? []);
});

test("guesses of a name wait longer and longer, wherever they come from", async () => {
  await using door = await openDoor();
  await door.owner();

  for (let at = 0; at < 12; at += 1) await door.guess({ network: `198.51.${at}.0/24` });

  expect(door.delays).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1000));
});

test("guesses from a network wait longer and longer up to five seconds, whatever they are about", async () => {
  await using door = await openDoor();

  for (let at = 0; at < 10; at += 1) await door.guess({ name: `Name ${at}` });

  expect(door.delays).toEqual([1, 2, 4, 5, 5].map((seconds) => seconds * 1000));
});

test("guesses at the same time are counted one by one", async () => {
  await using door = await openDoor();
  await door.owner();

  await Promise.all(Array.from({ length: 8 }, () => door.guess()));

  expect(door.delays.toSorted((one, next) => one - next)).toEqual([1000, 2000, 4000]);
});

test("who signs in begins anew", async () => {
  await using door = await openDoor();
  await door.owner();
  for (let at = 0; at < 5; at += 1) await door.guess({ network: `198.51.${at}.0/24` });

  await door.signIn();
  await door.guess();

  expect(door.delays).toEqual([1000]);
});

test("guesses are forgotten after a day", async () => {
  await using door = await openDoor();
  for (let at = 0; at < 5; at += 1) await door.guess();

  door.shop.clock.advance(25 * HOUR_MS);
  await door.guess();

  expect(door.delays).toEqual([]);
  expect(await rowsOf(door.database.read, guesses)).toHaveLength(2);
});

test("no name that was typed is kept with its guesses", async () => {
  await door.guess({ name: PASSWORD });

  const rows = await rowsOf(door.database.read, guesses);
  expect(JSON.stringify(rows)).not.toContain("goats");
});

test("guesses of others keep no owner out at a known device", async () => {
  await using door = await openDoor();
  const { knownToken } = await door.owner();
  for (let at = 0; at < 9; at += 1) await door.guess();
  door.delays.length = 0;

  const { visitor } = await door.signIn({ known: knownToken });

  expect(visitor.person.name).toBe("Ama");
  expect(door.delays).toEqual([]);
});

test("a known device counts its own guesses", async () => {
  await using door = await openDoor();
  const { knownToken } = await door.owner();

  for (let at = 0; at < 6; at += 1) await door.guess({ known: knownToken });
  await door.signIn();

  expect(door.delays).toEqual([1000]);
});

test("a device is known for the person who signed in at it, not for others", async () => {
  await using door = await openDoor();
  const { knownToken } = await door.owner();
  await door.invited("staff", "Kofi");

  for (let at = 0; at < 6; at += 1) await door.guess({ name: "Kofi", known: knownToken });
  await door.guess({ name: "Kofi" });

  expect(door.delays).toEqual([1000, 2000]);
});

test("a device that is not one's own does not become known", async () => {
  await using door = await openDoor();
  await door.owner();

  const { knownToken } = await door.signIn({ isBrief: true });

  expect(knownToken).toBeNull();
  expect(await rowsOf(door.database.read, knownDevices)).toHaveLength(1);
});

test("a hundred failures switch the password off for unknown devices only", async () => {
  await using door = await openDoor();
  const { knownToken, visitor } = await door.owner();
  const personId = visitor.person.id;
  await door.database.write((tx) => addFailures(tx, { personId, added: 99 }));
  await door.guess();

  expect(await door.guess({ password: PASSWORD })).toBe("sign_in_failed");
  const { visitor: known } = await door.signIn({ known: knownToken });
  expect(known.person.name).toBe("Ama");
  expect(await door.guess({ password: PASSWORD })).toBe("sign_in_failed");
});

test("ninety-nine failures are forgotten by a sign-in", async () => {
  await using door = await openDoor();
  const { visitor } = await door.owner();
  const personId = visitor.person.id;
  await door.database.write((tx) => addFailures(tx, { personId, added: 99 }));

  await door.signIn();

  expect(await rowsOf(door.database.read, passwords)).toMatchObject([{ failures: 0 }]);
});

test("a hash of other parameters is replaced at the next sign-in", async () => {
  await using door = await openDoor();
  const { visitor } = await door.owner();
  const options = { algorithm: "argon2id", memoryCost: 4096, timeCost: 1 } as const;
  const former = await Bun.password.hash(PASSWORD, options);
  const personId = visitor.person.id;
  await door.database.write((tx) => setHash(tx, { personId, hash: former }));

  await door.signIn();
  await door.signIn();

  const [row] = await rowsOf(door.database.read, passwords);
  expect(row?.hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
});

test("a stored text that is no hash lets no one in", async () => {
  const { visitor } = await door.invited("owner", "Yaa");
  const { id: personId, name } = visitor.person;
  await door.database.write((tx) => setHash(tx, { personId, hash: "no hash" }));

  expect(await door.guess({ name, password: PASSWORD })).toBe("sign_in_failed");
});

test("a flood of sign-ins is refused, and what was refused counts as no guess", async () => {
  await using door = await openDoor();
  await door.owner();

  const codes = await Promise.all(
    Array.from({ length: 30 }, (_, at) => door.guess({ network: `198.51.${at}.0/24` })),
  );

  const busy = codes.filter((code) => code === "sign_in_busy").length;
  expect(busy).toBeGreaterThan(0);
  const [row] = await rowsOf(door.database.read, passwords);
  expect(row?.failures).toBe(30 - busy);
});

test.each([
  ["about a name", (at: number) => ({ network: `198.51.${at}.0/24` })],
  ["from a network", (at: number) => ({ name: `Name ${at}` })],
])("eight attempts %s are verified at a time, and more are refused at once", async (_, given) => {
  await using door = await openDoor();
  const { knownToken } = await door.owner();
  const slow = holding(door);
  const attempt = (terms: object) =>
    outcomeOf(signIn(slow.people, { ...PLACE, name: "Ama", password: "x", known: null, ...terms }));

  const held = Array.from({ length: 8 }, (_none, at) => attempt(given(at)));
  await slow.areVerified(8);
  const more = await Promise.all(Array.from({ length: 12 }, (_none, at) => attempt(given(at + 8))));
  const { visitor } = await door.signIn({ known: knownToken });
  slow.release();

  expect(countsOf(more)).toEqual({ sign_in_busy: 12 });
  expect(visitor.person.name).toBe("Ama");
  expect(countsOf(await Promise.all(held))).toEqual({ sign_in_failed: 8 });
  expect(await outcomeOf(door.signIn())).toBe("done");
});

test("who waits for the delay of a guess keeps no one else out", async () => {
  await using door = await openDoor();
  await door.owner();
  const answer = Promise.withResolvers<void>();
  let waiting = 0;
  const delay = () => {
    waiting += 1;
    return answer.promise;
  };
  const guess = (at: number) => {
    const place = { name: `Name ${at}`, network: `198.51.${at % 20}.0/24` };
    const terms = { ...PLACE, ...place, password: "x", known: null };
    return outcomeOf(signIn({ ...door.people, delay }, terms));
  };

  const waiters: Promise<string>[] = [];
  for (let at = 0; at < 160; at += 8) {
    waiters.push(...Array.from({ length: 8 }, (_, nth) => guess(at + nth)));
    await until(() => waiting === at + 8, "They do not wait.");
  }
  const { visitor } = await door.signIn({ network: "198.51.3.0/24" });
  answer.resolve();

  expect(visitor.person.name).toBe("Ama");
  expect(await Promise.all(waiters)).not.toContain("done");
});

test("attempts from networks that are not known do not slow each other down", async () => {
  await using door = await openDoor();

  for (let at = 0; at < 8; at += 1) await door.guess({ name: `Name ${at}`, network: null });

  expect(door.delays).toEqual([]);
});

test("strangers are verified in a number that is bounded, wherever they come from", async () => {
  await using door = await openDoor();
  const { knownToken } = await door.owner();
  const slow = holding(door);
  const attempt = (at: number) =>
    outcomeOf(
      signIn(slow.people, {
        ...PLACE,
        name: `Name ${at}`,
        network: null,
        password: "x",
        known: null,
      }),
    );

  const held = Array.from({ length: 128 }, (_none, at) => attempt(at));
  await slow.areVerified(128);
  const more = await Promise.all(Array.from({ length: 12 }, (_none, at) => attempt(at + 128)));
  const { visitor } = await door.signIn({ known: knownToken });
  slow.release();
  await Promise.all(held);

  expect(visitor.person.name).toBe("Ama");
  expect(countsOf(more)).toEqual({ sign_in_busy: 12 });
});

test("the counters of guesses are bounded, and the one used last stays", async () => {
  await using door = await openDoor();
  const fill = (kind: string, length: number) =>
    door.database.write((tx) =>
      Promise.all(Array.from({ length }, (_, at) => countGuess(tx, `${kind} ${at}`))),
    );
  await fill("Former", 50);
  door.shop.clock.advance(1000);
  await fill("Later", 9_990);
  door.shop.clock.advance(1000);
  await door.guess();

  await door.guess();

  const rows = await rowsOf(door.database.read, guesses);
  const formers = rows.filter(({ key }) => key.startsWith("Former")).length;
  expect([rows.length, formers]).toEqual([9_992, 0]);
  expect(rows.filter(({ failures }) => failures === 2)).toHaveLength(2);
});

test("failures are one entry of the audit log for each name and network, which counts them", async () => {
  await using door = await openDoor();
  const { visitor } = await door.owner();

  await Promise.all(Array.from({ length: 6 }, () => door.guess()));
  await door.guess({ name: "Kofi" });
  await door.guess({ name: "Esi" });
  await door.guess({ network: "198.51.7.0/24" });

  const { id } = visitor.person;
  const { rows } = await listEntries(
    door.database.read,
    { action: "failSignIn" },
    { limit: 100, after: null },
  );
  expect(
    rows.toReversed().map(({ subject, clientNetwork, after }) => [subject, clientNetwork, after]),
  ).toEqual([
    [id, PLACE.network, '{"failures":6}'],
    [null, PLACE.network, '{"failures":2}'],
    [id, "198.51.7.0/24", '{"failures":1}'],
  ]);
});

test("a sign-in and its failures are in the audit log, with the network and without a secret", async () => {
  await using door = await openDoor();
  const { visitor } = await door.owner();

  await door.guess();
  await door.guess({ name: "Kofi" });
  const signedIn = await door.signIn();

  const { id } = visitor.person;
  const acts = (await door.acts()).slice(-3);
  expect(acts).toEqual([
    { action: "failSignIn", actor: "system", subject: id },
    { action: "failSignIn", actor: "system", subject: null },
    { action: "signIn", actor: id, subject: signedIn.visitor.session.id },
  ]);
});

test("neither a password nor a token is in the database", async () => {
  const { token, knownToken } = await door.invited("owner", "Yaa");

  const tables = [sessions, passwords, knownDevices];
  const rows = await Promise.all(tables.map((table) => rowsOf(door.database.read, table)));

  const text = JSON.stringify(rows);
  expect(text).not.toContain(PASSWORD);
  expect(text).not.toContain(token);
  expect(text).not.toContain(String(knownToken));
  expect(text).toContain(PLACE.network);
});

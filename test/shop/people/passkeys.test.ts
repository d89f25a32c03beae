// Passkeys: adding them, signing in and confirming with them, and what is none.

import { describe, expect, test } from "bun:test";

import { peopleCommands } from "#cli/operator/people-commands.ts";
import { findRefused } from "#shop/marks/lookups.ts";
import { passkeys } from "#shop/people/credentials/tables.ts";
import { addPasskey } from "#shop/people/passkeys/add-passkey.ts";
import { confirmWithPasskey, enterWithPasskey } from "#shop/people/passkeys/enter-with-passkey.ts";
import { listPasskeysOf } from "#shop/people/passkeys/lookups.ts";
import { makeChallenge } from "#shop/people/passkeys/make-challenge.ts";
import {
  removePasskey,
  removePasskeysOf,
  renamePasskey,
} from "#shop/people/passkeys/remove-passkey.ts";
import { strangersPlaces } from "#shop/people/people-shop.ts";
import { removePerson } from "#shop/people/remove-person.ts";
import { isConfirmed, type SignedIn, type Visitor } from "#shop/people/sessions/session.ts";
import { signIn } from "#shop/people/sessions/sign-in.ts";

import { Authenticator } from "../../support/authenticator.ts";
import { rowsOf } from "../../support/tables.ts";
import {
  codeOf,
  countsOf,
  openDoor,
  outcomeOf,
  PASSWORD,
  PLACE,
  sharedDoor,
  type TestDoor,
} from "./open-door.ts";

const door = sharedDoor();

const MINUTE_MS = 60_000;
const ORIGIN = "https://goods.example";
const PARTY = { host: "goods.example", origin: ORIGIN };

type Lies = Parameters<Authenticator["sign"]>[1];

/** Makes a challenge as the pages do. */
function challengeFor(
  { database }: TestDoor,
  purpose: "register" | "enter" | "confirm",
  { person }: Partial<Visitor> = {},
): Promise<string> {
  const personId = person?.id ?? null;
  return database.write((tx) => makeChallenge(tx, { purpose, personId }));
}

interface Adding {
  readonly key?: Authenticator;
  readonly lies?: Parameters<Authenticator["create"]>[1];
}

/** Adds a passkey to the person. */
async function add(
  at: TestDoor,
  visitor: Visitor,
  { key = new Authenticator(ORIGIN), lies = {} }: Adding = {},
): Promise<Authenticator> {
  const challenge = await challengeFor(at, "register", visitor);
  const user = { id: Buffer.from(visitor.person.id).toString("base64url") };
  const response = key.create({ challenge, user }, lies);
  await addPasskey(at.people, visitor, { name: "Phone", response, party: PARTY });
  return key;
}

/** Signs in with the passkey. */
async function enter(
  at: TestDoor,
  key: Authenticator,
  { lies = {}, ...given }: { readonly lies?: Lies; readonly network?: string | null } = {},
): Promise<SignedIn> {
  const challenge = await challengeFor(at, "enter");
  const response = key.sign({ challenge }, lies);
  const terms = { ...PLACE, challenge, response, party: PARTY, known: null, ...given };
  return enterWithPasskey(at.people, terms);
}

describe.each(["ES256", "RS256"] as const)("a passkey of %s", (algorithm) => {
  test("signs its person in, again and again", async () => {
    const { visitor } = await door.invited("staff", "Efua");
    const key = await add(door, visitor, { key: new Authenticator(ORIGIN, algorithm) });

    const first = await enter(door, key);
    const second = await enter(door, key);

    expect(first.visitor.person.id).toBe(visitor.person.id);
    expect(await door.opens(first.token)).toBe(true);
    expect(await door.opens(second.token)).toBe(true);
  });
});

test("a passkey whose authenticator counts no uses signs its person in", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  const key = new Authenticator(ORIGIN);
  key.signCount = null;
  await add(door, visitor, { key });

  await enter(door, key);

  expect((await enter(door, key)).visitor.person.id).toBe(visitor.person.id);
});

test("a passkey of an algorithm that was not asked for is not added", async () => {
  const { visitor } = await door.invited("staff", "Efua");

  const code = await codeOf(add(door, visitor, { key: new Authenticator(ORIGIN, "EdDSA") }));

  expect(code).toBe("passkey_refused");
});

test.each([
  ["of another origin", { origin: "https://evil.example" }],
  ["of another host", { host: "evil.example" }],
  ["in the frame of another page", { crossOrigin: true }],
  ["that its person was not verified for", { isUnverified: true }],
  ["that was made for a sign-in", { type: "webauthn.get" }],
  ["under a longer id than there are", { id: Buffer.alloc(1_024).toString("base64url") }],
  [
    "with a certificate, which nobody asked for",
    {
      attestation: {
        fmt: "packed",
        attStmt: new Map([["x5c", [Buffer.alloc(10)]]]),
      },
    },
  ],
  ["with an attestation of no known form", { attestation: { fmt: "x", attStmt: new Map() } }],
])("a passkey %s is not added", async (_, lies) => {
  const { visitor } = await door.invited("staff", "Efua");

  const code = await codeOf(add(door, visitor, { lies }));

  expect(code).toBe("passkey_refused");
  expect(await listPasskeysOf(door.database.read, visitor.person.id)).toEqual([]);
});

test.each(["", "{", "[]", "{}", '{"id":1}', '{"id":"a","response":{"clientDataJSON":"e30"}}'])(
  "%p is no passkey",
  async (response) => {
    const { visitor } = await door.invited("staff", "Efua");
    const adding = addPasskey(door.people, visitor, { name: "Phone", response, party: PARTY });

    expect(await codeOf(adding)).toBe("passkey_refused");
    const terms = { ...PLACE, challenge: "", response, party: PARTY, known: null };
    expect(await codeOf(enterWithPasskey(door.people, { ...terms, network: null }))).toBe(
      "sign_in_failed",
    );
  },
);

test("a passkey is added with the challenge of its own person and page alone", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  const other = await door.invited("staff", "Kofi");
  const user = { id: Buffer.from(visitor.person.id).toString("base64url") };
  const outcomes: string[] = [];
  for (const challenge of [
    await challengeFor(door, "register", other.visitor),
    await challengeFor(door, "confirm", visitor),
    await challengeFor(door, "enter"),
    "made up",
  ]) {
    const response = new Authenticator(ORIGIN).create({ challenge, user });
    const adding = addPasskey(door.people, visitor, { name: "Phone", response, party: PARTY });
    outcomes.push(await outcomeOf(adding));
  }

  expect(countsOf(outcomes)).toEqual({ passkey_refused: 4 });
});

test("a passkey that was added is not added again, by its person or by another", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  const other = await door.invited("staff", "Kofi");
  const key = await add(door, visitor);

  expect(await codeOf(add(door, visitor, { key }))).toBe("passkey_exists");
  expect(await codeOf(add(door, other.visitor, { key }))).toBe("passkey_exists");
});

test("a person has ten passkeys at most", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  for (let at = 0; at < 10; at += 1) await add(door, visitor);

  expect(await codeOf(add(door, visitor))).toBe("too_many_passkeys");
});

test("of ten passkeys that come at once beside one, nine are added", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  await add(door, visitor);

  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () => outcomeOf(add(door, visitor))),
  );

  expect(countsOf(outcomes)).toEqual({ done: 9, too_many_passkeys: 1 });
});

test("a passkey is added by who confirmed of late", async () => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  own.shop.clock.advance(16 * MINUTE_MS);

  expect(await codeOf(add(own, visitor))).toBe("confirmation_needed");
});

test.each([
  ["signed for another origin", { origin: "https://evil.example" }],
  ["signed for another host", { host: "evil.example" }],
  ["signed in the frame of another page", { crossOrigin: true }],
  ["signed without its person being verified", { isUnverified: true }],
  ["signed as if it were added", { type: "webauthn.create" }],
  ["that signs something else", { isForged: true }],
  ["that names another person", { userHandle: Buffer.from("per_x").toString("base64url") }],
  ["that counts fewer uses than before", { signCount: 1 }],
])("a passkey %s lets no one in", async (_, lies) => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  const key = await add(own, visitor);
  await enter(own, key);

  expect(await codeOf(enter(own, key, { lies }))).toBe("sign_in_failed");
  expect((await own.acts()).at(-1)?.action).toBe("failSignIn");
  expect((await enter(own, key)).visitor.person.name).toBe("Ama");
});

test("an unknown passkey lets no one in", async () => {
  await using own = await openDoor();
  await own.owner();

  expect(await codeOf(enter(own, new Authenticator(ORIGIN)))).toBe("sign_in_failed");
});

test("a challenge is signed once, within five minutes, by the browser that was given it", async () => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  const key = await add(own, visitor);
  const attempt = (challenge: string, ownChallenge = challenge) => {
    const response = key.sign({ challenge });
    const terms = { ...PLACE, challenge: ownChallenge, response, party: PARTY, known: null };
    return outcomeOf(enterWithPasskey(own.people, terms));
  };
  const [once, late, stolen] = [
    await challengeFor(own, "enter"),
    await challengeFor(own, "enter"),
    await challengeFor(own, "enter"),
  ];
  const ofConfirming = await challengeFor(own, "confirm", visitor);

  expect(await attempt(once)).toBe("done");
  expect(await attempt(once)).toBe("sign_in_failed");
  expect(await attempt(stolen, "that of another browser")).toBe("sign_in_failed");
  expect(await attempt(ofConfirming)).toBe("sign_in_failed");
  own.shop.clock.advance(5 * MINUTE_MS);
  expect(await attempt(late)).toBe("sign_in_failed");
});

test("of two uses of a challenge at once one succeeds", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  const key = await add(door, visitor);
  const challenge = await challengeFor(door, "enter");
  const use = () => {
    const response = key.sign({ challenge });
    const terms = { ...PLACE, network: null, challenge, response, party: PARTY, known: null };
    return outcomeOf(enterWithPasskey(door.people, terms));
  };

  const outcomes = await Promise.all([use(), use(), use()]);

  expect(countsOf(outcomes)).toEqual({ done: 1, sign_in_failed: 2 });
});

test("passkeys that let no one in are counted by network, and slow down its guesses alone", async () => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  const key = await add(own, visitor);

  for (let at = 0; at < 9; at += 1) {
    expect(await codeOf(enter(own, key, { lies: { isForged: true } }))).toBe("sign_in_failed");
  }

  expect(own.delays).toEqual([1, 2, 4, 5].map((seconds) => seconds * 1000));
  own.delays.length = 0;
  expect((await enter(own, key)).visitor.person.name).toBe("Ama");
  expect(own.delays).toEqual([]);
  await own.guess({ name: "Kofi" });
  expect(own.delays).toEqual([5000]);
});

test("passkeys that are slowed down are told to the owner as sign-ins", async () => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  const key = await add(own, visitor);
  for (let at = 0; at < 7; at += 1) await codeOf(enter(own, key, { lies: { isForged: true } }));
  await own.people.marks.save();

  expect(await findRefused(own.database.read, own.people.clock.now())).toMatchObject([
    { kind: "sign_ins", network: PLACE.network, count: 2 },
  ]);
});

test("a passkey is let in while all places of strangers are taken", async () => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  const key = await add(own, visitor);
  const held = Promise.withResolvers<void>();
  const taken = Array.from({ length: 128 }, (_, at) =>
    own.people.attempts.at(strangersPlaces(`Name ${at}`, null), () => held.promise),
  );

  const password = await outcomeOf(own.signIn());
  const { visitor: entered } = await enter(own, key);
  held.resolve();
  await Promise.all(taken);

  expect(password).toBe("sign_in_busy");
  expect(entered.person.name).toBe("Ama");
});

describe("with a passkey", () => {
  test("the password alone opens no unknown device, and a known one it does", async () => {
    await using own = await openDoor();
    const { visitor, knownToken } = await own.owner();
    const key = await add(own, visitor);

    expect(await own.guess({ password: PASSWORD })).toBe("sign_in_failed");
    expect((await own.signIn({ known: knownToken })).visitor.person.name).toBe("Ama");
    const entered = await enter(own, key);
    expect((await own.signIn({ known: entered.knownToken })).visitor.person.name).toBe("Ama");
  });

  test("a right password costs the same work at an unknown device as a wrong one", async () => {
    await using own = await openDoor();
    const { visitor } = await own.owner();
    await add(own, visitor);
    own.verified.length = 0;

    await own.guess({ password: PASSWORD });
    await own.guess();

    expect(own.verified).toHaveLength(2);
  });

  test("that is removed the password opens unknown devices again", async () => {
    const { visitor } = await door.invited("staff", "Efua");
    const key = await add(door, visitor);
    await door.database.write((tx) => removePasskey(tx, visitor, key.id));

    expect(await codeOf(enter(door, key, { network: null }))).toBe("sign_in_failed");
    expect(await outcomeOf(door.signIn({ name: visitor.person.name, network: null }))).toBe("done");
  });

  test("that was added while a password was verified the password opens nothing", async () => {
    await using own = await openDoor();
    const { visitor } = await own.owner();
    const verify = async () => {
      await add(own, visitor);
      return true;
    };

    const people = { ...own.people, passwords: { ...own.people.passwords, verify } };
    const signingIn = signIn(people, { ...PLACE, name: "Ama", password: PASSWORD, known: null });

    expect(await codeOf(signingIn)).toBe("sign_in_failed");
  });
});

test("a person confirms with a passkey of their own alone", async () => {
  await using own = await openDoor();
  const { visitor, token } = await own.owner();
  const key = await add(own, visitor);
  const kofi = await own.invited("staff", "Kofi");
  const other = await add(own, kofi.visitor);
  own.shop.clock.advance(60 * MINUTE_MS);
  const confirm = async (by: Authenticator, lies: Lies = {}) => {
    const challenge = await challengeFor(own, "confirm", visitor);
    const response = by.sign({ challenge }, lies);
    return confirmWithPasskey(own.people, visitor, { response, party: PARTY });
  };

  expect(await codeOf(confirm(other))).toBe("sign_in_failed");
  expect(await codeOf(confirm(key, { isForged: true }))).toBe("sign_in_failed");
  expect((await own.acts()).at(-1)?.action).toBe("failConfirmation");
  const renewed = await confirm(key);

  expect(isConfirmed(renewed.visitor.session, own.people.clock.now())).toBe(true);
  expect(await own.opens(token)).toBe(false);
  expect(await own.opens(renewed.token)).toBe(true);
});

test("what is done to passkeys is in the audit log, with their names", async () => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  const { id } = await add(own, visitor);
  await own.database.write((tx) => renamePasskey(tx, visitor, { id, name: "  My   phone " }));
  await own.database.write((tx) => removePasskey(tx, visitor, id));

  const acts = (await own.acts()).slice(-3);

  const subject = visitor.person.id;
  expect(acts.map(({ action }) => action)).toEqual([
    "addPasskey",
    "renamePasskey",
    "removePasskey",
  ]);
  expect(new Set(acts.map((act) => act.subject))).toEqual(new Set([subject]));
});

test("a person changes no passkey of another", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  const kofi = await door.invited("staff", "Kofi");
  const { id } = await add(door, visitor);
  const { database } = door;

  const outcomes = [
    await codeOf(database.write((tx) => renamePasskey(tx, kofi.visitor, { id, name: "Mine" }))),
    await codeOf(database.write((tx) => removePasskey(tx, kofi.visitor, id))),
  ];

  expect(outcomes).toEqual(["passkey_not_found", "passkey_not_found"]);
});

test.each(["", "   ", "x".repeat(61), "a\u0000b"])("%p is no name of a passkey", async (name) => {
  const { visitor } = await door.invited("staff", "Efua");
  const { id } = await add(door, visitor);

  const renaming = door.database.write((tx) => renamePasskey(tx, visitor, { id, name }));

  expect(await codeOf(renaming)).toBe("validation_failed");
});

test("a passkey whose id is no text that a database keeps is an unknown one", async () => {
  await using own = await openDoor();
  const { visitor } = await own.owner();
  const key = await add(own, visitor);
  const challenge = await challengeFor(own, "enter");
  const sent = JSON.parse(key.sign({ challenge }));
  const response = JSON.stringify({ ...sent, id: "a\u0000b", rawId: "a\u0000b" });

  const entering = enterWithPasskey(own.people, {
    ...PLACE,
    challenge,
    response,
    party: PARTY,
    known: null,
  });

  expect(await codeOf(entering)).toBe("sign_in_failed");
});

test("the link of the command line removes lost passkeys, and that of an owner leaves them", async () => {
  const { visitor } = await door.invited("staff", "Efua");
  const { id: personId, name } = visitor.person;
  const key = await add(door, visitor);
  const left = async () => (await listPasskeysOf(door.database.read, personId)).length;

  const ofOwner = await door.link({ kind: "recovery", personId, by: "Ama" });
  const { visitor: recovered } = await door.take(ofOwner);
  const leftByOwner = await left();
  const entered = await enter(door, key, { network: null });
  const commands = peopleCommands(door.database, () => ORIGIN);
  await commands["people.link"]?.({ name }, "root");

  expect(recovered.person.id).toBe(personId);
  expect(entered.visitor.person.id).toBe(personId);
  expect([leftByOwner, await left()]).toEqual([1, 0]);
  expect(await outcomeOf(door.signIn({ name, network: null }))).toBe("done");
  expect(await door.acts()).toContainEqual({
    action: "removePasskey",
    actor: "operator",
    subject: personId,
  });
});

test("who is removed, or lost their passkeys, signs in with none of them", async () => {
  const lost = await door.invited("staff", "Efua");
  const removed = await door.invited("staff", "Kofi");
  const keys = [await add(door, lost.visitor), await add(door, removed.visitor)];
  await door.database.write(async (tx) => {
    await removePasskeysOf(tx, lost.visitor.person, null);
    await removePerson(tx, removed.visitor.person.id, null);
  });

  for (const key of keys) {
    expect(await codeOf(enter(door, key, { network: null }))).toBe("sign_in_failed");
  }
  const ids = (await rowsOf(door.database.read, passkeys)).map(({ personId }) => personId);
  expect(ids).not.toContain(lost.visitor.person.id);
  expect(ids).not.toContain(removed.visitor.person.id);
});

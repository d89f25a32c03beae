// Workflow: a person signs in by name and password. A guess is counted before it is verified, so that many at once
// are slowed down as well; nothing that it learns depends on whether there is such a person.

import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { FAILED_SIGN_IN, recordAct, recordFailure } from "#shop/audit/record-act.ts";
import {
  counterKey,
  delayMsAfter,
  FAILURES_MAX,
  HASH_OF_NO_PASSWORD,
  isOutdated,
  networkDelayMsAfter,
  type PasswordHasher,
  signInFailed,
} from "#shop/people/credentials/hashing.ts";
import {
  addFailures,
  countGuess,
  deleteGuess,
  findPassword,
  forgetFailures,
  forgetGuesses,
  isKnownDevice,
  lockGuess,
  setHash,
  takeBackGuess,
} from "#shop/people/credentials/queries.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";
import { lockPerson } from "#shop/people/lookups.ts";
import { hasPasskey } from "#shop/people/passkeys/queries.ts";
import { ownPlace, type PeopleShop, strangersPlaces } from "#shop/people/people-shop.ts";
import { nameKeyOf, type Person } from "#shop/people/person.ts";
import { findPersonByKey, personRows } from "#shop/people/queries.ts";

import { openSession } from "./open-session.ts";
import type { SignedIn, SignInPlace } from "./session.ts";

export interface SignInTerms extends SignInPlace {
  readonly name: string;
  readonly password: string;
  /** True if the device is not the person's own. */
  readonly isBrief: boolean;
  /** The token of a device that has signed in before; null if the browser has none. */
  readonly known: string | null;
}

/** A guess that was counted. */
interface Guess {
  readonly person: Person | null;
  /** The hash against which the password is verified. */
  readonly hash: string;
  readonly isDeviceKnown: boolean;
  /** True if so many guesses failed in a row that none of this kind succeeds. */
  readonly isSwitchedOff: boolean;
  /** True if none succeeds: it is switched off, or the person has a passkey for unknown devices. */
  readonly isOff: boolean;
  /** The counter of the name, or of the known device. */
  readonly counter: string;
  /** That of the network; null at a known device, and where the network is not known. */
  readonly network: string | null;
  /** How long earlier failures delay the answer. */
  readonly delayMs: number;
}

/**
 * Signs the person in with a new session. Refuses with `sign_in_failed` for every reason, after the delay that
 * earlier failures earned, and with `sign_in_busy` while too many attempts are worked on.
 */
export function signIn(shop: PeopleShop, terms: SignInTerms): Promise<SignedIn> {
  return shop.marks.watch(terms.network, () => attempt(shop, terms));
}

async function attempt(shop: PeopleShop, terms: SignInTerms): Promise<SignedIn> {
  const { database, attempts, delay } = shop;
  const places = await placesOf(database.read, terms);
  const guess = await attempts.at(places, () => database.write((tx) => countAttempt(tx, terms)));
  await delay(guess.delayMs);
  const verified = await attempts
    .at(places, () => verify(shop.passwords, guess.hash, terms))
    .catch(async (error: unknown) => {
      await database.write((tx) => takeBack(tx, guess));
      throw error;
    });
  return answer(shop, terms, { ...verified, guess });
}

/** A person at a known device is not kept out by the attempts of others. */
async function placesOf(db: Reader, { name, known, network }: SignInTerms) {
  const nameKey = nameKeyOf(name);
  const device = known === null ? null : hashOfToken(known);
  const person = await findPersonByKey(db, nameKey);
  const isKnown =
    person !== undefined && device !== null && (await isKnownDevice(db, device, person.id));
  return isKnown ? ownPlace(counterKey("device", device)) : strangersPlaces(nameKey, network);
}

interface Verified {
  readonly isRight: boolean;
  /** The password by its hash of today's parameters, where the stored one has others. */
  readonly rehashed: string | null;
}

async function answer(
  { database }: PeopleShop,
  terms: SignInTerms,
  { guess, isRight, rehashed }: Verified & { readonly guess: Guess },
): Promise<SignedIn> {
  const { person } = guess;
  if (person !== null && isRight && !guess.isOff) {
    const actor = { type: "person", id: person.id } as const;
    const signedIn = await database.write(
      (tx) => succeed(tx, { guess, terms, personId: person.id, rehashed }),
      { actor },
    );
    if (signedIn !== null) return signedIn;
  }
  await database.write((tx) => recordGuess(tx, guess, terms));
  // A slip of the finger is none, nor is the password of a person with a passkey.
  throw signInFailed(guess.isSwitchedOff || guess.delayMs > 0 ? { abuse: "sign_ins" } : {});
}

async function verify(
  passwords: PasswordHasher,
  hash: string,
  { password }: SignInTerms,
): Promise<Verified> {
  const isRight = await passwords.verify(password, hash);
  const rehashed = isRight && isOutdated(hash) ? await passwords.hash(password) : null;
  return { isRight, rehashed };
}

async function countAttempt(tx: Tx, terms: SignInTerms): Promise<Guess> {
  await forgetGuesses(tx);
  const person = await findPersonByKey(tx, nameKeyOf(terms.name));
  if (person === undefined) {
    const counted = await countElsewhere(tx, terms);
    const off = { isSwitchedOff: false, isOff: false };
    return { person: null, hash: HASH_OF_NO_PASSWORD, ...off, ...counted };
  }
  const personId = person.id;
  const password = await findPassword(tx, personId);
  const found = { person, hash: password?.hash ?? HASH_OF_NO_PASSWORD };
  const device = terms.known === null ? null : hashOfToken(terms.known);
  if (device !== null && (await isKnownDevice(tx, device, personId))) {
    return { ...found, ...(await countAtDevice(tx, device)) };
  }
  const counted = await countElsewhere(tx, terms);
  const isSwitchedOff = password === undefined || password.failures >= FAILURES_MAX;
  const isOff = isSwitchedOff || (await hasPasskey(tx, personId));
  if (!isOff) await addFailures(tx, { personId, added: 1 });
  return { ...found, isSwitchedOff, isOff, ...counted };
}

/** Counts a guess at a device that is not known for the person. */
async function countElsewhere(
  tx: Tx,
  terms: SignInTerms,
): Promise<Omit<Guess, "person" | "hash" | "isOff" | "isSwitchedOff">> {
  const counter = counterKey("name", nameKeyOf(terms.name));
  const network = terms.network === null ? null : counterKey("network", terms.network);
  const delayMs = Math.max(
    delayMsAfter(await countGuess(tx, counter)),
    network === null ? 0 : networkDelayMsAfter(await countGuess(tx, network)),
  );
  return { isDeviceKnown: false, counter, network, delayMs };
}

async function countAtDevice(tx: Tx, device: string): Promise<Omit<Guess, "person" | "hash">> {
  const counter = counterKey("device", device);
  const failuresBefore = await countGuess(tx, counter);
  const isOff = failuresBefore >= FAILURES_MAX;
  const delayMs = delayMsAfter(failuresBefore);
  return { isDeviceKnown: true, isSwitchedOff: isOff, isOff, counter, network: null, delayMs };
}

/** A password that was not verified was no guess. */
async function takeBack(tx: Tx, guess: Guess): Promise<void> {
  await takeBackGuess(tx, { key: guess.counter });
  if (guess.network !== null) await takeBackGuess(tx, { key: guess.network });
  if (guess.person === null || guess.isDeviceKnown || guess.isOff) return;
  await addFailures(tx, { personId: guess.person.id, added: -1 });
}

interface Success {
  readonly guess: Guess;
  readonly terms: SignInTerms;
  readonly personId: Id<"person">;
  /** The password under a new hash; null if the stored one is as a new one would be. */
  readonly rehashed: string | null;
}

/** Null if the person was removed, the password was changed or a passkey was added since it was read. */
async function succeed(
  tx: Tx,
  { guess, terms, personId, rehashed }: Success,
): Promise<SignedIn | null> {
  const person = await personRows.lock(tx, personId);
  const password = await findPassword(tx, personId);
  if (person.removedAt !== null || password?.hash !== guess.hash) return null;
  if (!guess.isDeviceKnown && (await hasPasskey(tx, personId))) return null;
  await deleteGuess(tx, { key: guess.counter });
  if (guess.network !== null) await takeBackGuess(tx, { key: guess.network });
  if (rehashed !== null) await setHash(tx, { personId, hash: rehashed });
  // A password that is off stays so where the device is known: others go on guessing elsewhere.
  const below = guess.isDeviceKnown ? FAILURES_MAX : Number.MAX_SAFE_INTEGER;
  await forgetFailures(tx, { personId, below });
  const signedIn = await openSession(tx, person, terms);
  await recordAct(tx, {
    actorName: person.name,
    action: "signIn",
    subject: signedIn.visitor.session.id,
    difference: {
      fields: [],
      before: null,
      after: { device: terms.device, known: guess.isDeviceKnown },
    },
    clientNetwork: terms.network,
  });
  return signedIn;
}

/** The entry is not by the person: all that is known is that their name was typed. */
async function recordGuess(tx: Tx, guess: Guess, { network }: SignInTerms): Promise<void> {
  const { person } = guess;
  await lockGuess(tx, guess.network ?? guess.counter);
  await recordFailure(tx, {
    actorName: null,
    action: FAILED_SIGN_IN,
    subject: person?.id ?? null,
    clientNetwork: network,
  });
}

// Story: a person is signed in without a password, by a link that only the terminal of a sandbox has shown.

/** Opens a session of the person, which counts as confirmed. Refuses with `person_not_found`. */
export async function admitPerson(tx: Tx, personId: string, place: SignInPlace): Promise<SignedIn> {
  const person = await lockPerson(tx, personId);
  const signedIn = await openSession(tx, person, { ...place, isBrief: false, known: null });
  const { id: subject } = signedIn.visitor.session;
  await recordAct(tx, {
    actorName: person.name,
    action: "admitPerson",
    subject,
    clientNetwork: place.network,
  });
  return signedIn;
}

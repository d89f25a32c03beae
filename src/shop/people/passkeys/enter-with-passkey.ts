// Workflows: a person signs in with a passkey, or confirms with one. An assertion is verified without a slow hash, a
// place among strangers or a delay, so that it is the way in while others flood the sign-in; one that fails is counted
// and delayed as a wrong password is.

import type { Tx } from "#platform/database/database.ts";
import {
  FAILED_CONFIRMATION,
  FAILED_SIGN_IN,
  recordAct,
  recordFailure,
} from "#shop/audit/record-act.ts";
import {
  counterKey,
  delayMsAfter,
  networkDelayMsAfter,
  signInFailed,
} from "#shop/people/credentials/hashing.ts";
import { countGuess, deleteGuess, forgetGuesses } from "#shop/people/credentials/queries.ts";
import type { ChallengePurpose } from "#shop/people/credentials/tables.ts";
import { hashOfToken } from "#shop/people/credentials/token.ts";
import { networkPlaces, ownPlace, type PeopleShop } from "#shop/people/people-shop.ts";
import { personRows } from "#shop/people/queries.ts";
import { openSession, renewSession } from "#shop/people/sessions/open-session.ts";
import type {
  RenewedSession,
  SignedIn,
  SignInPlace,
  Visitor,
} from "#shop/people/sessions/session.ts";

import type { Passkey, RelyingParty } from "./passkey.ts";
import { deleteChallenge, findPasskey, markPasskeyUsed } from "./queries.ts";
import { readCredential, verifyAssertion } from "./webauthn.ts";

/** The signature that a browser sent in place of a password. */
interface Given {
  /** The text of the assertion. */
  readonly response: string;
  readonly party: RelyingParty;
}

interface EnterTerms extends Given, SignInPlace {
  /** The challenge that this browser was given. */
  readonly challenge: string;
  /** True if the device is not the person's own. */
  readonly isBrief: boolean;
  /** The token of a device that has signed in before; null if the browser has none. */
  readonly known: string | null;
}

const WRONG = "The passkey was not accepted. Try again, or use another way.";

/** Signs the person of the passkey in with a new session. Refuses with `sign_in_failed` for every reason. */
export function enterWithPasskey(shop: PeopleShop, terms: EnterTerms): Promise<SignedIn> {
  return shop.marks.watch(terms.network, () => enter(shop, terms));
}

async function enter(shop: PeopleShop, terms: EnterTerms): Promise<SignedIn> {
  const { challenge, network } = terms;
  const proved = await prove(shop, terms, { challenge, purpose: "enter", personId: null });
  const signedIn = proved === null ? null : await openFor(shop, proved, terms);
  if (signedIn !== null) return signedIn;
  const delayMs = await shop.attempts.at(networkPlaces(network), () =>
    shop.database.write(async (tx) => {
      const failures =
        network === null ? 0 : await countFailure(tx, counterKey("network", network));
      const failure = { actorName: null, action: FAILED_SIGN_IN, clientNetwork: network };
      await recordFailure(tx, { ...failure, subject: proved?.passkey.personId ?? null });
      return networkDelayMsAfter(failures);
    }),
  );
  await shop.delay(delayMs);
  throw signInFailed({ detail: WRONG, ...(delayMs > 0 && { abuse: "sign_ins" }) });
}

/** Null if the passkey or its person was removed since it signed, or its authenticator counts back. */
function openFor(
  { database }: PeopleShop,
  { passkey, signCount }: Proved,
  terms: EnterTerms,
): Promise<SignedIn | null> {
  const { id, personId, name: after } = passkey;
  return database.write(
    async (tx) => {
      const person = await personRows.lock(tx, personId);
      if (person.removedAt !== null || !(await markPasskeyUsed(tx, { id, signCount }))) return null;
      const signedIn = await openSession(tx, person, terms);
      await recordAct(tx, {
        actorName: person.name,
        action: "signIn",
        subject: signedIn.visitor.session.id,
        difference: {
          fields: ["passkey"],
          before: null,
          after: { passkey: after, device: terms.device, known: isKnownTo(signedIn, terms) },
        },
        clientNetwork: terms.network,
      });
      return signedIn;
    },
    { actor: { type: "person", id: personId } },
  );
}

/** Returns true if the person has signed in at the device before: it then keeps its token. */
function isKnownTo({ knownToken }: SignedIn, { known }: EnterTerms): boolean {
  return known !== null && knownToken === known;
}

/**
 * Afterwards the session has a new token and counts as confirmed for 15 minutes. Refuses with `sign_in_failed`; failures
 * are counted by session, together with wrong passwords.
 */
export async function confirmWithPasskey(
  shop: PeopleShop,
  { person, session }: Visitor,
  given: Given,
): Promise<RenewedSession> {
  const { database } = shop;
  const actor = { type: "person", id: person.id } as const;
  const key = counterKey("session", session.id);
  const act = { actorName: person.name, subject: session.id, clientNetwork: session.network };
  const proved = await prove(shop, given, { purpose: "confirm", personId: person.id });
  if (proved?.passkey.personId === person.id) {
    const { passkey, signCount } = proved;
    const renewed = await database.write(
      async (tx) => {
        await personRows.lock(tx, person.id);
        if (!(await markPasskeyUsed(tx, { id: passkey.id, signCount }))) return null;
        await deleteGuess(tx, { key });
        const difference = { fields: ["passkey"], before: null, after: { passkey: passkey.name } };
        await recordAct(tx, { ...act, action: "confirmPerson", difference });
        return renewSession(tx, session.id);
      },
      { actor },
    );
    if (renewed !== null)
      return { token: renewed.token, visitor: { person, session: renewed.session } };
  }
  const failures = await shop.attempts.at(ownPlace(key), () =>
    database.write(
      async (tx) => {
        const before = await countFailure(tx, key);
        await recordFailure(tx, { ...act, action: FAILED_CONFIRMATION });
        return before;
      },
      { actor },
    ),
  );
  await shop.delay(delayMsAfter(failures));
  throw signInFailed({ detail: WRONG });
}

async function countFailure(tx: Tx, key: string): Promise<number> {
  await forgetGuesses(tx);
  return countGuess(tx, key);
}

interface Asked {
  readonly purpose: ChallengePurpose;
  readonly personId: string | null;
}

/** A passkey that has just signed, with the uses that its authenticator counted. */
interface Proved {
  readonly passkey: Passkey;
  readonly signCount: number;
}

/** The passkey that signed the challenge; null where none did. In any case the challenge is used up. */
async function prove(
  { database }: PeopleShop,
  { response, party }: Given,
  asked: Asked & { readonly challenge?: string },
): Promise<Proved | null> {
  const sent = readCredential(response);
  if (sent === null || (asked.challenge ?? sent.challenge) !== sent.challenge) return null;
  const { challenge } = sent;
  if (!(await database.write((tx) => takeChallenge(tx, { ...asked, challenge })))) return null;
  const passkey = await findPasskey(database.read, sent.id);
  if (passkey === undefined) return null;
  const signCount = await verifyAssertion(sent, passkey, party);
  return signCount === null ? null : { passkey, signCount };
}

/** Uses the challenge up. Returns false for one that is unknown, used or expired, or was made for something else. */
export async function takeChallenge(
  tx: Tx,
  { challenge, purpose, personId }: Asked & { readonly challenge: string },
): Promise<boolean> {
  const taken = await deleteChallenge(tx, { hash: hashOfToken(challenge), purpose });
  return taken !== undefined && taken.personId === personId;
}

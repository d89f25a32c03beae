// Story: make a challenge for an authenticator, with what the browser needs to ask one for its signature.

import type { Reader, Tx } from "#platform/database/database.ts";
import type { ChallengePurpose } from "#shop/people/credentials/tables.ts";
import { hashOfToken, newToken } from "#shop/people/credentials/token.ts";
import type { Person } from "#shop/people/person.ts";

import { CHALLENGE_MS, type RelyingParty } from "./passkey.ts";
import { deleteExpiredChallenges, insertChallenge, listPasskeys } from "./queries.ts";
import { ALGORITHMS } from "./webauthn.ts";

interface NewChallenge {
  readonly purpose: ChallengePurpose;
  /** Who adds a passkey or confirms with one; null for who is about to sign in. */
  readonly personId: Person["id"] | null;
}

/** Afterwards the challenge can be signed once, within five minutes. Those that have expired are deleted. */
export async function makeChallenge(tx: Tx, { purpose, personId }: NewChallenge): Promise<string> {
  await deleteExpiredChallenges(tx, { now: tx.now });
  const challenge = Buffer.from(newToken()).toString("base64url");
  const hash = hashOfToken(challenge);
  await insertChallenge(tx, { hash, purpose, personId, expiresAt: tx.now + CHALLENGE_MS });
  return challenge;
}

/** The options with which a browser uses a passkey: any of this page, or one of the person's. */
export async function requestOptions(
  db: Reader,
  { challenge, party, person }: Offer<Person | null>,
): Promise<object> {
  return {
    challenge,
    rpId: party.host,
    timeout: CHALLENGE_MS,
    userVerification: "required",
    allowCredentials: person === null ? [] : await descriptorsOf(db, person),
  };
}

/** The options with which a browser makes a passkey that its authenticator finds by itself, beside those there are. */
export async function creationOptions(
  db: Reader,
  { challenge, party, person, shopName }: Offer<Person> & { readonly shopName: string },
): Promise<object> {
  return {
    challenge,
    rp: { id: party.host, name: shopName },
    user: {
      id: Buffer.from(person.id).toString("base64url"),
      name: person.name,
      displayName: person.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MS,
    attestation: "none",
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    excludeCredentials: await descriptorsOf(db, person),
  };
}

interface Offer<Who> {
  readonly challenge: string;
  readonly party: RelyingParty;
  readonly person: Who;
}

async function descriptorsOf(db: Reader, { id }: Person) {
  return (await listPasskeys(db, id)).map((passkey) => ({ type: "public-key", id: passkey.id }));
}

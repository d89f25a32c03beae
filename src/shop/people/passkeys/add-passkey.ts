// Workflow: a person who is signed in adds a passkey, which an authenticator made for the dashboard.

import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";
import { personRows } from "#shop/people/queries.ts";
import { markPasskeyAdded } from "#shop/people/sessions/queries.ts";
import { requireConfirmed, type Visitor } from "#shop/people/sessions/session.ts";

import { takeChallenge } from "./enter-with-passkey.ts";
import {
  type Passkey,
  passkeyExists,
  passkeyRefused,
  PASSKEYS_MAX,
  readPasskeyName,
  type RelyingParty,
  tooManyPasskeys,
} from "./passkey.ts";
import { insertPasskey, listPasskeys } from "./queries.ts";
import { recordPasskeyAct } from "./remove-passkey.ts";
import { readCredential, verifyRegistration } from "./webauthn.ts";

interface NewPasskey {
  readonly name: string;
  /** The text of the credential that the browser made. */
  readonly response: string;
  readonly party: RelyingParty;
}

/**
 * Afterwards the person signs in with the passkey as well, and at unknown devices with one alone. Refuses with
 * `confirmation_needed`, with `validation_failed` at `/name`, with `passkey_refused` where an authenticator did not make
 * it for this page within five minutes, with `passkey_exists` and with `too_many_passkeys`.
 */
export async function addPasskey(
  { database, clock }: PeopleShop,
  visitor: Visitor,
  { name: given, response, party }: NewPasskey,
): Promise<void> {
  const { person, session } = visitor;
  requireConfirmed(session, clock.now());
  const faults = new Faults();
  const name = readPasskeyName(given, faults);
  faults.refuseIfAny();
  const sent = readCredential(response);
  const asked = { purpose: "register", personId: person.id } as const;
  const isAsked = await database.write((tx) =>
    takeChallenge(tx, { ...asked, challenge: sent?.challenge ?? "" }),
  );
  const made = sent === null || !isAsked ? null : await verifyRegistration(sent, party);
  if (made === null) throw passkeyRefused();
  await database.write((tx) => insertOwn(tx, visitor, { ...made, name, personId: person.id }), {
    actor: { type: "person", id: person.id },
  });
}

async function insertOwn(
  tx: Tx,
  visitor: Visitor,
  passkey: Omit<Passkey, "createdAt" | "usedAt">,
): Promise<void> {
  const { id: personId } = await personRows.lock(tx, passkey.personId);
  if ((await listPasskeys(tx, personId)).length >= PASSKEYS_MAX) throw tooManyPasskeys();
  const isNew = await insertPasskey(tx, { ...passkey, createdAt: tx.now, usedAt: null });
  if (!isNew) throw passkeyExists();
  await markPasskeyAdded(tx, { personId });
  const { name } = passkey;
  await recordPasskeyAct(tx, visitor, { action: "addPasskey", before: null, after: { name } });
}

// Workflow: a one-time link is used: its holder chooses a password and is signed in.

import { newId } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { getPerson } from "#shop/people/lookups.ts";
import { hasPasskey } from "#shop/people/passkeys/queries.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";
import {
  nameKeyOf,
  nameTaken,
  noWishes,
  type Person,
  tidyName,
  validateName,
} from "#shop/people/person.ts";
import { findPersonByKey, listOwnerIds, personRows } from "#shop/people/queries.ts";
import { openSession } from "#shop/people/sessions/open-session.ts";
import { deleteOthers } from "#shop/people/sessions/queries.ts";
import type { SignedIn, SignInPlace } from "#shop/people/sessions/session.ts";
import { getStore, lockSettings } from "#shop/store/lookups.ts";

import { savePassword } from "./change-password.ts";
import { linkEnded, type PersonLink } from "./link.ts";
import { validatePassword } from "./password.ts";
import { deleteDevicesOf, deleteLinkByHash, deleteLinksOfKind, findLinkByHash } from "./queries.ts";
import { hashOfToken } from "./token.ts";

interface TakeLinkTerms extends SignInPlace {
  readonly token: string;
  /** The name of a person to come; a recovery keeps the name, whatever is given. */
  readonly name: string;
  readonly password: string;
  /** True if the device is not the person's own. */
  readonly isBrief: boolean;
  /** The host of the shop's address, which a password must not be made of; null if there is none. */
  readonly host: string | null;
}

/**
 * Uses the link up and signs its holder in; of parallel uses one succeeds. A recovery ends the person's sessions and
 * forgets their devices. Refuses with `link_ended` for a link that is unknown, used or expired, with
 * `validation_failed` at `/name` and `/password`, with `person_name_taken`, and with `sign_in_busy`; what is
 * refused leaves the link as it was. Null where the new password alone does not sign in: a person with a passkey asked for
 * the link by email, and a mailbox must not be enough.
 */
export async function takeLink(shop: PeopleShop, terms: TakeLinkTerms): Promise<SignedIn | null> {
  const { database, passwords, clock } = shop;
  const now = clock.now();
  const { person } = await getLink(database.read, terms.token, now);
  await validateTerms(database.read, terms, person);
  const hash = await passwords.hash(terms.password);
  const id = person?.id ?? newId("person", now);
  return database.write((tx) => useUp(tx, terms, { hash, id }), { actor: { type: "person", id } });
}

async function validateTerms(
  db: Reader,
  terms: TakeLinkTerms,
  person: Person | null,
): Promise<void> {
  const faults = new Faults();
  if (person === null) validateName(terms.name, faults);
  const about = {
    shopName: (await getStore(db)).name,
    personName: person?.name ?? terms.name,
    host: terms.host,
  };
  validatePassword(terms.password, about, faults);
  faults.refuseIfAny();
}

/** The settings are locked, so that people come and go one after the other. */
async function useUp(
  tx: Tx,
  terms: TakeLinkTerms,
  { hash, id }: { readonly hash: string; readonly id: Person["id"] },
): Promise<SignedIn | null> {
  await lockSettings(tx);
  const link = await deleteLinkByHash(tx, hashOfToken(terms.token), tx.now);
  if (link === undefined) throw linkEnded();
  const person = await holderOf(tx, link, { name: terms.name, id });
  await savePassword(tx, person, hash);
  const isByMail = link.madeBy === person.id;
  const signedIn =
    isByMail && (await hasPasskey(tx, person.id))
      ? null
      : await openSession(tx, person, { ...terms, known: null });
  await recordAct(tx, {
    actorName: person.name,
    action: "takeLink",
    subject: link.id,
    difference: { fields: [], before: null, after: { link: link.kind, device: terms.device } },
    clientNetwork: terms.network,
  });
  return signedIn;
}

/** The person of the link: a new one, or the one who comes back and starts anew. */
async function holderOf(
  tx: Tx,
  { kind, role, personId }: PersonLink,
  { name, id }: Pick<Person, "name" | "id">,
): Promise<Person> {
  if (personId !== null) {
    const person = await personRows.lock(tx, personId);
    await deleteOthers(tx, { personId, kept: "" });
    await deleteDevicesOf(tx, { personId });
    return person;
  }
  if (role === null) throw new Error("A link of a person to come has no role.");
  if (kind === "first_owner") {
    if ((await listOwnerIds(tx, 1)).length > 0) throw linkEnded();
    await deleteLinksOfKind(tx, { kind });
  }
  const nameKey = nameKeyOf(name);
  if ((await findPersonByKey(tx, nameKey)) !== undefined) throw nameTaken();
  const named = { id, name: tidyName(name), role };
  const person: Person = { ...named, ...noWishes, removedAt: null, createdAt: tx.now };
  await personRows.insert(tx, { ...person, nameKey });
  return person;
}

// Lookup: what a one-time link is for, without using it up: messengers open the links that they carry.

/** A link, with the person whose sign-in it recovers; null for a person to come. */
export interface OpenLink {
  readonly link: PersonLink;
  readonly person: Person | null;
}

/** Refuses with `link_ended` for a link that is unknown, used or expired at `now`. */
export async function getLink(db: Reader, token: string, now: number): Promise<OpenLink> {
  const link = await findLinkByHash(db, hashOfToken(token), now);
  if (link === undefined) throw linkEnded();
  return { link, person: link.personId === null ? null : await getPerson(db, link.personId) };
}

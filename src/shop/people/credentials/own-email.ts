// Stories: a person's own email, for alerts. It counts once a link that was sent there was opened in a session of the
// person: until then the former one stays.

import { defineRefusal, type Faults } from "#kernel/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { shapeCheck } from "#platform/http/contract/check-shape.ts";
import { emailGiven } from "#platform/http/contract/words.ts";
import { textReader } from "#platform/http/intake/texts.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { lockPerson } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";
import { findPersonByEmail, setEmail } from "#shop/people/queries.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { linkEnded } from "./link.ts";
import { deleteEmailLink, type EmailLink, findEmailLink, putEmailLink } from "./queries.ts";
import { hashOfToken, newToken } from "./token.ts";

/** How long a link to an email is valid. */
export const EMAIL_LINK_MS = DAY_MS;
/** A person has at most one such email sent in this time. */
const PAUSE_MS = MINUTE_MS;
const storedForm = textReader(emailGiven);
const faultsIn = shapeCheck(emailGiven);

const emailTaken = defineRefusal(
  "person_email_taken",
  "conflict",
  "Another person has this email.",
);
const emailJustSent = defineRefusal(
  "person_email_just_sent",
  "limited",
  "A link was asked for less than a minute ago: wait before the next one.",
);

/** The email as it is kept, by the rules of a customer's; adds a fault at `/email` for a text that is none. */
export function readOwnEmail(text: string, faults: Faults): string {
  const email = storedForm(text.trim()).toLowerCase();
  const [fault] = faultsIn(email);
  if (fault !== undefined) faults.add("/email", fault.code, fault.detail);
  return email;
}

/**
 * Answers the token of a link that makes the email the person's; an earlier link ends. Refuses with `person_email_taken`
 * and `person_email_just_sent`.
 */
export async function askForEmail(tx: Tx, id: Person["id"], email: string): Promise<string> {
  const person = await lockPerson(tx, id);
  await requireFree(tx, person, email);
  const before = await findEmailLink(tx, id);
  if (before !== undefined && tx.now - before.createdAt < PAUSE_MS) throw emailJustSent();
  const token = newToken();
  const times = { createdAt: tx.now, expiresAt: tx.now + EMAIL_LINK_MS };
  await putEmailLink(tx, { personId: id, email, tokenHash: hashOfToken(token), ...times });
  await recordAct(tx, { actorName: person.name, action: "askForEmail", subject: id });
  return token;
}

/**
 * Afterwards the email of the link is the person's, and verified. Refuses with `link_ended` for a link that is another
 * person's, was used or has expired, and with `person_email_taken`.
 */
export async function confirmEmail(tx: Tx, id: Person["id"], token: string): Promise<void> {
  await lockSettings(tx);
  const person = await lockPerson(tx, id);
  const { email } = await getEmailLink(tx, id, { token, now: tx.now });
  await requireFree(tx, person, email);
  await deleteEmailLink(tx, { personId: id });
  await setEmail(tx, { id, email, emailVerifiedAt: tx.now });
  await recordAct(tx, { actorName: person.name, action: "changeEmail", subject: id });
}

/** Afterwards the person has no email, and no link makes one theirs. */
export async function removeEmail(tx: Tx, id: Person["id"]): Promise<void> {
  const person = await lockPerson(tx, id);
  await deleteEmailLink(tx, { personId: id });
  await setEmail(tx, { id, email: null, emailVerifiedAt: null });
  await recordAct(tx, { actorName: person.name, action: "removeEmail", subject: id });
}

/** The link of the person with this token. Refuses with `link_ended`, so that a guess learns nothing. */
export async function getEmailLink(
  db: Reader,
  personId: Person["id"],
  { token, now }: { readonly token: string; readonly now: number },
): Promise<EmailLink> {
  const link = await findEmailLink(db, personId, hashOfToken(token));
  if (link === undefined || link.expiresAt <= now) throw linkEnded();
  return link;
}

async function requireFree(tx: Tx, person: Person, email: string): Promise<void> {
  const holder = await findPersonByEmail(tx, email);
  if (holder !== undefined && holder.id !== person.id) throw emailTaken();
}

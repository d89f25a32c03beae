// Stories: a person who has shown who they are gets a session, and their device becomes known; the session gets another
// token, so that one that leaked before opens nothing, is used, and ends.

import { type Id, newId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { hasRow } from "#platform/database/prepared.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import {
  deleteDevice,
  deleteDevicesOf,
  insertDevice,
  isKnownDevice,
  listDevices,
  markDeviceSeen,
} from "#shop/people/credentials/queries.ts";
import { hashOfToken, newToken } from "#shop/people/credentials/token.ts";
import { lacksPasskey } from "#shop/people/passkeys/lookups.ts";
import type { Person } from "#shop/people/person.ts";
import { personRows } from "#shop/people/queries.ts";

import {
  deleteOthers,
  deleteSession,
  endSession,
  findSessionByHash,
  listSessionRows,
  markSeen,
  sessionRows,
  setToken,
} from "./queries.ts";
import {
  endOf,
  SEEN_STEP_MS,
  type Session,
  sessionNotFound,
  SESSIONS_MAX,
  type SignedIn,
  type SignInPlace,
  type Visitor,
} from "./session.ts";

/** Devices of one person that are known at a time; another one takes the place of the longest unseen. */
const DEVICES_MAX = 20;

interface NewSession extends SignInPlace {
  readonly isBrief: boolean;
  /** The token of the device, if the person has signed in at it before. */
  readonly known: string | null;
}

/**
 * Opens a session, which counts as confirmed, and ends the oldest beyond 20. The caller has locked the person, so
 * that sign-ins at the same time see each other.
 */
export async function openSession(tx: Tx, person: Person, given: NewSession): Promise<SignedIn> {
  await makeRoom(tx, person);
  const { isBrief, device, network } = given;
  const token = newToken();
  const session: Session = {
    id: newId("session", tx.now),
    personId: person.id,
    confirmedAt: tx.now,
    createdAt: tx.now,
    seenAt: tx.now,
    isBrief,
    needsPasskey: await lacksPasskey(tx, person),
    device,
    network,
  };
  await sessionRows.insert(tx, { ...session, tokenHash: hashOfToken(token) });
  const knownToken = isBrief ? null : await rememberDevice(tx, person, given.known);
  return { token, visitor: { person, session }, knownToken };
}

async function makeRoom(tx: Tx, { id: personId }: Person): Promise<void> {
  const rows = await listSessionRows(tx, personId);
  const ended = rows.filter((session) => endOf(session) <= tx.now);
  const open = rows.filter((session) => !ended.includes(session));
  const oldest = open.slice(0, Math.max(0, open.length - SESSIONS_MAX + 1));
  for (const { id } of ended) await deleteSession(tx, { id, personId });
  for (const { id } of oldest) await endSession(tx, { id, personId });
}

/** The token of the device, a new one if the person has not signed in at it. */
async function rememberDevice(tx: Tx, { id }: Person, known: string | null): Promise<string> {
  if (known !== null && (await isKnownDevice(tx, hashOfToken(known), id))) {
    await markDeviceSeen(tx, { tokenHash: hashOfToken(known), seenAt: tx.now });
    return known;
  }
  const devices = await listDevices(tx, id);
  for (const tokenHash of devices.slice(0, Math.max(0, devices.length - DEVICES_MAX + 1))) {
    await deleteDevice(tx, { tokenHash });
  }
  const token = newToken();
  const tokenHash = hashOfToken(token);
  await insertDevice(tx, { tokenHash, personId: id, createdAt: tx.now, seenAt: tx.now });
  return token;
}

/** Gives the session a new token, and counts it as confirmed now. Refuses with `session_not_found` after its end. */
export async function renewSession(
  tx: Tx,
  id: Id<"session">,
): Promise<{ readonly token: string; readonly session: Session }> {
  const token = newToken();
  const given = { id, tokenHash: hashOfToken(token), confirmedAt: tx.now, seenAt: tx.now };
  const [session] = await setToken(tx, given);
  if (session === undefined) throw sessionNotFound();
  return { token, session };
}

/** One session of the person, all, or all but one. */
type SessionsToEnd =
  { readonly one: Id<"session"> } | { readonly allBut: Id<"session"> } | { readonly all: true };

/**
 * Ends sessions of the person from their next request on, and answers how many. `by` is the name of who does it,
 * for the audit log. Refuses with `session_not_found` for one that the person does not have.
 */
export async function endSessions(
  tx: Tx,
  personId: Id<"person">,
  { ending, by }: { readonly ending: SessionsToEnd; readonly by: string | null },
): Promise<number> {
  const ended =
    "one" in ending
      ? await endSession(tx, { id: ending.one, personId })
      : await deleteOthers(tx, { personId, kept: "allBut" in ending ? ending.allBut : "" });
  if ("one" in ending && ended.length === 0) throw sessionNotFound();
  await recordAct(tx, { actorName: by, action: "endSessions", subject: personId });
  return ended.length;
}

/** Afterwards the person is signed in nowhere, and no device of theirs is known. */
export async function forgetDevices(tx: Tx, personId: Id<"person">): Promise<void> {
  await deleteOthers(tx, { personId, kept: "" });
  await deleteDevicesOf(tx, { personId });
}

/** Afterwards the session's token opens nothing. A session that has ended before stays so. */
export async function signOut(tx: Tx, { person, session }: Visitor): Promise<void> {
  if (!hasRow(await endSession(tx, { id: session.id, personId: person.id }))) return;
  await recordAct(tx, {
    actorName: person.name,
    action: "signOut",
    subject: session.id,
    clientNetwork: session.network,
  });
}

/** Returns true if the use of the session is due to be written: at most once in 60 s. */
export function isTouchDue({ session }: Visitor, now: number): boolean {
  return now - session.seenAt >= SEEN_STEP_MS;
}

/** Afterwards `seenAt` is at most 60 s ago; a session that has ended meanwhile stays ended. */
export async function touchSession(tx: Tx, visitor: Visitor): Promise<Visitor> {
  if (!isTouchDue(visitor, tx.now)) return visitor;
  const before = tx.now - SEEN_STEP_MS;
  const { person, session } = visitor;
  const isSeen = hasRow(await markSeen(tx, { id: session.id, seenAt: tx.now, before }));
  return isSeen ? { person, session: { ...session, seenAt: tx.now } } : visitor;
}

/** The visitor of a session that has not ended; null for every other text. `now` is the live shop's time. */
export async function findVisitor(db: Reader, token: string, now: number): Promise<Visitor | null> {
  const session = await findSessionByHash(db, hashOfToken(token));
  if (session === undefined || endOf(session) <= now) return null;
  const person = await personRows.get(db, session.personId);
  // Removed between the two reads: the session ended with it.
  return person.removedAt === null ? { person, session } : null;
}

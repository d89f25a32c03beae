// Story: a person who has shown who they are gets a session, and their device becomes known.

import { newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import {
  deleteDevice,
  insertDevice,
  isKnownDevice,
  listDevices,
  markDeviceSeen,
} from "#shop/people/credentials/queries.ts";
import { hashOfToken, newToken } from "#shop/people/credentials/token.ts";
import type { Person } from "#shop/people/person.ts";

import { deleteSession, listSessionRows, sessionRows } from "./queries.ts";
import { endOf, type Session, SESSIONS_MAX, type SignedIn, type SignInPlace } from "./session.ts";

/** Devices of one person that are known at a time; another one takes the place of the longest unseen. */
const DEVICES_MAX = 20;

export interface NewSession extends SignInPlace {
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
  for (const { id } of [...ended, ...oldest]) await deleteSession(tx, { id, personId });
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

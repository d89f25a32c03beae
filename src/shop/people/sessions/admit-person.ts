// Story: a person is signed in without a password, by a link that only the terminal of a sandbox has shown.

import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { lockPerson } from "#shop/people/lookups.ts";

import { openSession } from "./open-session.ts";
import type { SignedIn, SignInPlace } from "./session.ts";

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

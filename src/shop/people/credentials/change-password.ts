// Workflow: a person who is signed in chooses another password.

import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import type { PeopleShop } from "#shop/people/people-shop.ts";
import type { Person } from "#shop/people/person.ts";
import { personRows } from "#shop/people/queries.ts";
import { renewSession } from "#shop/people/sessions/open-session.ts";
import { deleteOthers } from "#shop/people/sessions/queries.ts";
import {
  type RenewedSession,
  requireConfirmed,
  type Visitor,
} from "#shop/people/sessions/session.ts";
import { getStore } from "#shop/store/lookups.ts";

import { validatePassword } from "./password.ts";
import { deleteLinksOf, insertPassword, setPassword } from "./queries.ts";

interface PasswordChange {
  readonly password: string;
  /** The host of the shop's address, which a password must not be made of; null if there is none. */
  readonly host: string | null;
}

/**
 * Sets the password, ends the person's other sessions and links, and gives this session a new token. Refuses with
 * `confirmation_needed`, with `validation_failed` at `/password`, with `sign_in_busy`, and with `session_not_found`
 * where the session ended meanwhile.
 */
export async function changePassword(
  { database, passwords, clock }: PeopleShop,
  { person, session }: Visitor,
  { password, host }: PasswordChange,
): Promise<RenewedSession> {
  requireConfirmed(session, clock.now());
  const { name: shopName } = await getStore(database.read);
  const faults = new Faults();
  validatePassword(password, { shopName, personName: person.name, host }, faults);
  faults.refuseIfAny();
  const hash = await passwords.hash(password);
  const renewed = await database.write(
    async (tx) => {
      await personRows.lock(tx, person.id);
      const made = await renewSession(tx, session.id);
      await savePassword(tx, person, hash);
      await deleteOthers(tx, { personId: person.id, kept: session.id });
      await deleteLinksOf(tx, { personId: person.id });
      await recordAct(tx, {
        actorName: person.name,
        action: "changePassword",
        subject: person.id,
        clientNetwork: session.network,
      });
      return made;
    },
    { actor: { type: "person", id: person.id } },
  );
  return { token: renewed.token, visitor: { person, session: renewed.session } };
}

/** Sets the password by its hash; failures with a former one do not count any more. */
export async function savePassword(tx: Tx, { id: personId }: Person, hash: string): Promise<void> {
  const row = { personId, hash, failures: 0, changedAt: tx.now };
  if (!(await insertPassword(tx, row))) await setPassword(tx, row);
}

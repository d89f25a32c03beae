// Lookups of passkeys, for the pages that show them and for what the shop asks for.

import type { Reader } from "#platform/database/database.ts";
import type { Person } from "#shop/people/person.ts";
import type { Visitor } from "#shop/people/sessions/session.ts";
import { getStore } from "#shop/store/lookups.ts";
import { asksForPasskey } from "#shop/store/passkey-rules.ts";

import type { Passkey } from "./passkey.ts";
import { hasPasskey, listPasskeys } from "./queries.ts";

/** The passkeys of the person, the oldest first. */
export function listPasskeysOf(db: Reader, personId: string): Promise<Passkey[]> {
  return listPasskeys(db, personId);
}

/** Returns true if the shop asks the person for a passkey, and there is none. */
export async function lacksPasskey(
  db: Reader,
  { id, role }: Pick<Person, "id" | "role">,
): Promise<boolean> {
  const { requirePasskey } = await getStore(db);
  return asksForPasskey(requirePasskey, role) && !(await hasPasskey(db, id));
}

/** Returns true if the visitor signed in without a passkey that the shop asks for, and has added none since. */
export async function mustAddPasskey(db: Reader, { person, session }: Visitor): Promise<boolean> {
  return session.needsPasskey && (await lacksPasskey(db, person));
}

// Story: a person signs out.

import type { Tx } from "#platform/database/database.ts";
import { hasRow } from "#platform/database/prepared.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import { deleteSession } from "./queries.ts";
import type { Visitor } from "./session.ts";

/** Afterwards the session's token opens nothing. A session that has ended before stays so. */
export async function signOut(tx: Tx, { person, session }: Visitor): Promise<void> {
  if (!hasRow(await deleteSession(tx, { id: session.id, personId: person.id }))) return;
  await recordAct(tx, {
    actorName: person.name,
    action: "signOut",
    subject: session.id,
    clientNetwork: session.network,
  });
}

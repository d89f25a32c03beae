// Story: sessions of a person are ended.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import { deleteOthers, deleteSession } from "./queries.ts";
import { sessionNotFound } from "./session.ts";

/** One session of the person, all, or all but one. */
export type SessionsToEnd =
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
      ? await deleteSession(tx, { id: ending.one, personId })
      : await deleteOthers(tx, { personId, kept: "allBut" in ending ? ending.allBut : "" });
  if ("one" in ending && ended.length === 0) throw sessionNotFound();
  await recordAct(tx, { actorName: by, action: "endSessions", subject: personId });
  return ended.length;
}

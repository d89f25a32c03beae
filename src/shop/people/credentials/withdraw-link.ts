// Story: a link that was not used is taken back.

import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";

import { linkEnded } from "./link.ts";
import { deleteLink } from "./queries.ts";

/** Afterwards the link opens nothing. Refuses with `link_ended` for one that was used or withdrawn before. */
export async function withdrawLink(tx: Tx, id: string, by: string | null): Promise<void> {
  const [link] = await deleteLink(tx, { id });
  if (link === undefined) throw linkEnded();
  await recordAct(tx, { actorName: by, action: "withdrawLink", subject: link.personId ?? link.id });
}

// Story: make a one-time link for the first owner, a person who is invited, or one who lost the password.

import { type Id, isId, newId } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { getPerson, hasPeople } from "#shop/people/lookups.ts";
import type { Role } from "#shop/people/roles.ts";

import { type LinkKind, linkLifeMs } from "./link-kinds.ts";
import { linkEnded, ownerExists } from "./link.ts";
import { deleteExpiredLinks, deleteLink, deleteLinksOf, insertLink } from "./queries.ts";
import { hashOfToken, newToken, tokenFor } from "./token.ts";

/**
 * A link to make; `by` is the name of who makes it, for the audit log. `form` is the random name of the form that
 * asks for it: sent twice, it is one link.
 */
export type NewLink = { readonly by: string | null } & (
  | { readonly kind: "first_owner" }
  | { readonly kind: "invitation"; readonly role: Role; readonly form?: string }
  | {
      readonly kind: "recovery";
      readonly personId: Id<"person">;
      /** How long it can be used; a day, where it is not given. */
      readonly lifeMs?: number;
    }
);

const actions: Readonly<Record<LinkKind, string>> = {
  first_owner: "makeFirstLink",
  invitation: "invitePerson",
  recovery: "makeRecoveryLink",
};

/**
 * Makes the link and answers its token, which is kept nowhere; the address is `/dashboard/door/<token>`. A
 * recovery replaces the person's former link. Refuses with `person_not_found`, and with `owner_exists` for the
 * first owner of a shop that has people.
 */
export async function makeLink(tx: Tx, link: NewLink): Promise<string> {
  const { kind } = link;
  await deleteExpiredLinks(tx, { now: tx.now });
  const personId = kind === "recovery" ? (await getPerson(tx, link.personId)).id : null;
  if (personId !== null) await deleteLinksOf(tx, { personId });
  if (kind === "first_owner" && (await hasPeople(tx))) throw ownerExists();
  const maker = tx.actor.id;
  const token = tokenOf(link, maker);
  const id = newId("personLink", tx.now);
  const roles = { first_owner: "owner", recovery: null } as const;
  const isNew = await insertLink(tx, {
    id,
    tokenHash: hashOfToken(token),
    kind,
    role: kind === "invitation" ? link.role : roles[kind],
    personId,
    madeBy: maker !== null && isId("person", maker) ? maker : null,
    createdAt: tx.now,
    expiresAt: tx.now + lifeOf(link),
  });
  if (isNew) {
    await recordAct(tx, { actorName: link.by, action: actions[kind], subject: personId ?? id });
  }
  return token;
}

function lifeOf(link: NewLink): number {
  const own = link.kind === "recovery" ? link.lifeMs : undefined;
  return own ?? linkLifeMs[link.kind];
}

/** The token of a form that is sent again is that of the first time, since the answer to that one may be lost. */
function tokenOf(link: NewLink, maker: string | null): string {
  if (link.kind !== "invitation" || link.form === undefined) return newToken();
  return tokenFor("invitation", maker ?? "", link.role, link.form);
}

/** The token of a new link while no one may sign in, else null. Links of earlier starts stay valid for their day. */
export async function makeFirstLink(tx: Tx): Promise<string | null> {
  if (await hasPeople(tx)) return null;
  return makeLink(tx, { kind: "first_owner", by: null });
}

/** Afterwards the link opens nothing. Refuses with `link_ended` for one that was used or withdrawn before. */
export async function withdrawLink(tx: Tx, id: string, by: string | null): Promise<void> {
  const [link] = await deleteLink(tx, { id });
  if (link === undefined) throw linkEnded();
  await recordAct(tx, { actorName: by, action: "withdrawLink", subject: link.personId ?? link.id });
}

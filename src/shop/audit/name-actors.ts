// Lookup: who acted, by name.

import type { Actor, Reader } from "#platform/database/database.ts";
import { findKeyNames } from "#shop/keys/lookups.ts";

export interface NamedActor extends Omit<Actor, "name"> {
  /** That of the key or the person; null for the command line and the shop itself. */
  readonly name: string | null;
}

/** A row with the name of who acted. */
export type WithNamedActor<Row extends { readonly actor: Actor }> = Omit<Row, "actor"> & {
  readonly actor: NamedActor;
};

/** The rows with the names of who acted. A key has the name that it has now, a person the one of that time. */
export async function nameActors<Row extends { readonly actor: Actor }>(
  db: Reader,
  rows: readonly Row[],
): Promise<WithNamedActor<Row>[]> {
  const ids = rows.flatMap(({ actor }) => (actor.type === "api_key" ? (actor.id ?? []) : []));
  const keys = await findKeyNames(db, ids);
  return rows.map(({ actor: { type, id, name = keys.get(id ?? "") }, ...row }) => ({
    ...row,
    actor: { type, id, name: name ?? null },
  }));
}

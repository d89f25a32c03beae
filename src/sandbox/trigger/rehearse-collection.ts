// A part of the rehearsal: a collection is made, changed and deleted.

import { createCollection } from "#catalog/collections/create-collection.ts";
import { deleteCollection } from "#catalog/collections/delete-collection.ts";
import { readCollectionChange, readNewCollection } from "#catalog/collections/schema.ts";
import { updateCollection } from "#catalog/collections/update-collection.ts";
import type { Tx } from "#platform/database/database.ts";

/** Afterwards its events are announced, and it is gone. */
export async function rehearseCollection(tx: Tx): Promise<void> {
  const rule = { tags: ["coffee"] };
  const { id } = await createCollection(tx, readNewCollection({ title: "Coffee", rule }));
  const change = readCollectionChange({ description: "From the slopes of Mount Elgon." });
  await updateCollection(tx, id, { change, expected: null });
  await deleteCollection(tx, id, null);
}

// The events of API keys. They never contain a key's text.

import type { Id } from "#kernel/id.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { shape } from "#platform/http/contract/wire.ts";
import { idOf, nullable } from "#platform/http/contract/words.ts";

import { keyFields } from "./schema.ts";
import type { ApiKey } from "./tables.ts";

/** A key, and the key that it replaces. */
interface KeyNews extends ApiKey {
  readonly replaces: Id<"key"> | null;
}

const declared = declareEvents(
  shape<KeyNews>()(
    {
      id: idOf("key"),
      ...keyFields,
      replaces: nullable(idOf("key")),
    },
    { name: "KeyNews" },
  ),
  ["key.created", "key.revoked"],
);

export const keyEvents = declared.payloads;

/** Builds an event of the key; `replaces` is the key whose lineage a new one continues. */
export function keyFact(
  name: keyof typeof keyEvents,
  key: ApiKey,
  replaces: KeyNews["replaces"] = null,
): Announcement {
  return declared.announce(name, key.id, { ...key, replaces });
}

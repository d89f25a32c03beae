// API keys by their hash; a key's text is not stored.

import type { Id } from "#kernel/id.ts";
import type { Actor } from "#platform/database/database.ts";
import { index, int, json, table, text, time, uniqueIndex } from "#platform/database/kit.ts";

export const apiKeys = table(
  "api_keys",
  {
    id: text().$type<Id<"key">>().primaryKey(),
    /** SHA-256 of the whole key: 256 random bits need no slow hash. */
    hash: text().notNull(),
    /** Prefix and last four characters, so that the merchant can recognize the key. */
    display: text().notNull(),
    name: text().notNull(),
    scopes: json().$type<readonly string[]>().notNull(),
    /** Null means the server's default. */
    ratePerMinute: int("rate_per_minute"),
    expiresAt: time("expires_at"),
    revokedAt: time("revoked_at"),
    lastUsedAt: time("last_used_at"),
    createdAt: time("created_at").notNull(),
  },
  (row) => [uniqueIndex("api_keys_hash_unique").on(row.hash)],
);

/** Audit rows: who created or revoked a key, and when. Append-only. */
export const apiKeyChanges = table(
  "api_key_changes",
  {
    id: text().primaryKey(),
    keyId: text("key_id").$type<Id<"key">>().notNull(),
    action: text().$type<"created" | "revoked">().notNull(),
    actor: json().$type<Actor>().notNull(),
    createdAt: time("created_at").notNull(),
  },
  (row) => [index("api_key_changes_key_index").on(row.keyId, row.id)],
);

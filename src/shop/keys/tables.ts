// API keys by their hash. The text of a secret key is not stored.

import { defineKind } from "#kernel/id.ts";
import type { Actor } from "#platform/database/database.ts";
import { int, json, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { hidden, id, plain, record, type RowOf } from "#platform/database/record.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    key: "key";
  }
}
defineKind("key", "key", "API key");

export const apiKeys = record(
  "api_keys",
  {
    id: id("key").primaryKey(),
    /** SHA-256 of the whole key: 256 random bits need no slow hash. */
    hash: hidden(plain(text().notNull())),
    /** The id of the first key of this line; a key that replaces another is of its line. */
    lineage: plain(text().notNull().default("")),
    /** Prefix and last four characters, so that the merchant can recognize the key. */
    display: plain(text().notNull()),
    /** The whole text of a publishable key, which pages contain; null for secret ones, and in keys of before this was kept. */
    publicText: plain(text()),
    name: plain(text().notNull()),
    scopes: plain(json().$type<readonly string[]>().notNull()),
    /** Null means the server's default. */
    ratePerMinute: int(),
    expiresAt: time(),
    /** Null in keys of before this was kept. */
    createdBy: plain(json().$type<Actor>()),
    revokedAt: time(),
    lastUsedAt: time(),
    createdAt: time().notNull(),
  },
  (row) => [uniqueIndex("api_keys_hash_unique").on(row.hash)],
);

/** A key without its hash. */
export type ApiKey = RowOf<typeof apiKeys>;

// The hook that takes messages to customers, such as codes by SMS: one row, if there is a hook.

import { bool, int, text, time } from "#platform/database/kit.ts";
import {
  hidden,
  plain,
  record,
  type RowOf,
  stamps,
  type WholeRowOf,
} from "#platform/database/record.ts";

export const messageHook = record(
  "message_hook",
  {
    /** Always 1. */
    id: int().primaryKey(),
    url: plain(text().notNull()),
    /** True if emails leave by the hook, too. */
    takesEmails: bool().notNull(),
    sealedSecret: hidden(plain(text().notNull())),
    /** The previous secret, which signs too until `oldSecretExpiresAt`. */
    sealedOldSecret: hidden(plain(text())),
    oldSecretExpiresAt: time(),
    ...stamps(),
  },
  () => [],
);

export type MessageHookRow = RowOf<typeof messageHook>;
export type SealedHookRow = WholeRowOf<typeof messageHook>;

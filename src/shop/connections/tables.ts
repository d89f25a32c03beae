// Connections of the shop to services outside, beside its gateways: in the live store alone, with the secret sealed.

import { int, text, time } from "#platform/database/kit.ts";
import { hidden, plain, record } from "#platform/database/record.ts";

/** The key pair by which push messages are signed. */
export type ConnectionName = "push";

export const connections = record(
  "connections",
  {
    name: text().$type<ConnectionName>().primaryKey(),
    sealedValue: hidden(plain(text().notNull())),
    /** The part that may be seen. */
    display: plain(text().notNull()),
    setAt: time().notNull(),
    /** Who made it; null for the command line. */
    setBy: plain(text()),
    version: int().notNull(),
  },
  () => [],
);

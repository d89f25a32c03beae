// Sessions by the hash of their token, and the browsers in which people get push messages. An ended session has no row:
// the audit log says that it was.

import { defineKind } from "#kernel/id.ts";
import { bool, index, int, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { hidden, id, plain, record } from "#platform/database/record.ts";
import { people } from "#shop/people/tables.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    session: "ses";
    pushSubscription: "psh";
  }
}
defineKind("session", "ses");
defineKind("pushSubscription", "psh");

export const sessions = record(
  "person_sessions",
  {
    id: id("session").primaryKey(),
    personId: id("person")
      .notNull()
      .references(() => people.id),
    /** SHA-256 of the token: 256 random bits need no slow hash. */
    tokenHash: hidden(plain(text().notNull())),
    /** When the password was last given. */
    confirmedAt: time().notNull(),
    createdAt: time().notNull(),
    /** The time of the last request, to the minute. */
    seenAt: time().notNull(),
    /** True if the device is not the person's own. */
    isBrief: bool().notNull(),
    /** True if its person had no passkey at the sign-in, and the shop asked for one: it leads to adding one first. */
    needsPasskey: bool().notNull().default(false),
    device: plain(text().notNull()),
    /** The network of the client's address; null where it has none. */
    network: plain(text()),
  },
  (row) => [
    uniqueIndex("person_sessions_token_unique").on(row.tokenHash),
    index("person_sessions_person_index").on(row.personId),
  ],
);

/** Browsers that subscribed to push messages. The endpoint is a secret: who knows it knows where the person reads. */
export const pushSubscriptions = record(
  "push_subscriptions",
  {
    id: id("pushSubscription").primaryKey(),
    personId: id("person")
      .notNull()
      .references(() => people.id),
    /** The session in which the person subscribed: one that is ended on purpose takes its subscription along. */
    sessionId: id("session").notNull(),
    /** SHA-256 of the endpoint: a browser subscribes once. */
    endpointHash: hidden(plain(text().notNull())),
    sealedTerms: hidden(plain(text().notNull())),
    device: plain(text().notNull()),
    /** Attempts in a row that the push service did not take. */
    failures: int().notNull(),
    createdAt: time().notNull(),
    lastOkAt: time(),
  },
  (row) => [
    uniqueIndex("push_subscriptions_endpoint_unique").on(row.endpointHash),
    index("push_subscriptions_person_index").on(row.personId, row.id),
  ],
);

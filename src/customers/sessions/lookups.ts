// Reads of sessions for other folders.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";

import { sessionsOf } from "./queries.ts";
import type { CustomerSession } from "./tables.ts";

/** When a session began, and when it ends. */
export type SessionTimes = Pick<CustomerSession, "createdAt" | "expiresAt">;

/** The sessions of the customer that are stored, the oldest first. */
export function findSessionTimes(db: Reader, customerId: Id<"customer">): Promise<SessionTimes[]> {
  return sessionsOf(db, { customerId });
}

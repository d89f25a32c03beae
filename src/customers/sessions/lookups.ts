// Reads of sessions for other folders.

import type { Id } from "#kernel/id.ts";
import type { Counted } from "#kernel/page.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";

import { phoneCodesAfter, sessionsOf } from "./queries.ts";
import type { CustomerSession } from "./tables.ts";

/** When a session began, and when it ends. */
export type SessionTimes = Pick<CustomerSession, "createdAt" | "expiresAt">;

/** The sessions of the customer that are stored, the oldest first. */
export function findSessionTimes(db: Reader, customerId: Id<"customer">): Promise<SessionTimes[]> {
  return sessionsOf(db, { customerId });
}

/** How many codes to phones the shop's limit withheld in the last 24 hours, at most `limit`. */
export async function countWithheldCodes(
  db: Reader,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<Counted> {
  const { withheld = 0 } = (await phoneCodesAfter(db, { hour: now - DAY_MS }))[0] ?? {};
  return { count: Math.min(withheld, limit), more: withheld > limit };
}

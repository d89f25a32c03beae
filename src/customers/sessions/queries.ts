// SQL of sessions of customers and of codes.

import { and, asc, desc, eq, gt, lt, lte, ne, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import {
  hasRow,
  prepared,
  preparedAdd,
  preparedInsert,
  preparedInsertIfFree,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";

import { type AskedCode, TRIES_MAX } from "./code.ts";
import { codeCounts, customerChallenges, customerCodes, customerSessions } from "./tables.ts";

export const insertSession = preparedInsert(customerSessions);

export const sessionByHash = prepared<{ tokenHash: string; now: number }>()((db, at) =>
  db
    .select()
    .from(customerSessions)
    .where(
      and(eq(customerSessions.tokenHash, at.tokenHash), gt(customerSessions.expiresAt, at.now)),
    ),
);

/** The sessions of a customer, the oldest first. */
export const sessionsOf = prepared<{ customerId: string }>()((db, at) =>
  db
    .select()
    .from(customerSessions)
    .where(eq(customerSessions.customerId, at.customerId))
    .orderBy(asc(customerSessions.createdAt)),
);

export const dropSession = preparedWrite<{ tokenHash: string }>()((tx, at) =>
  tx.delete(customerSessions).where(eq(customerSessions.tokenHash, at.tokenHash)),
);
export const dropSessionsOf = preparedWrite<{ customerId: string }>()((tx, at) =>
  tx.delete(customerSessions).where(eq(customerSessions.customerId, at.customerId)),
);
export const dropOtherSessions = preparedWrite<{ customerId: string; tokenHash: string }>()(
  (tx, at) =>
    tx
      .delete(customerSessions)
      .where(
        and(
          eq(customerSessions.customerId, at.customerId),
          ne(customerSessions.tokenHash, at.tokenHash),
        ),
      ),
);
export const dropEndedSessions = preparedWrite<{ now: number }>()((tx, at) =>
  tx.delete(customerSessions).where(lte(customerSessions.expiresAt, at.now)),
);
export const dropAllSessions = preparedWrite()((tx) => tx.delete(customerSessions));

export const insertCodeIfFree = preparedInsertIfFree(customerCodes);

export const lockCode = preparedLock<{ contactHash: string }>()((db, at) =>
  db.select().from(customerCodes).where(eq(customerCodes.contactHash, at.contactHash)),
);

export const saveAsked = preparedWrite<{
  contactHash: string;
  askedAt: readonly AskedCode[];
  forgottenAt: number;
}>()((tx, at) =>
  tx
    .update(customerCodes)
    .set({
      bareTries: 0,
      askedAt: sql`${sql.param(at.askedAt, customerCodes.askedAt)}`,
      forgottenAt: sql`${at.forgottenAt}`,
    })
    .where(eq(customerCodes.contactHash, at.contactHash)),
);

export const saveFailures = preparedWrite<{
  contactHash: string;
  failures: number;
  failedAt: number;
  forgottenAt: number;
}>()((tx, at) =>
  tx
    .update(customerCodes)
    .set({
      failures: sql`${at.failures}`,
      failedAt: sql`${at.failedAt}`,
      forgottenAt: sql`${at.forgottenAt}`,
    })
    .where(eq(customerCodes.contactHash, at.contactHash)),
);

const countedBareTry = preparedWrite<{ contactHash: string }>()((tx, at) =>
  tx
    .update(customerCodes)
    .set({ bareTries: sql`${customerCodes.bareTries} + 1` })
    .where(
      and(eq(customerCodes.contactHash, at.contactHash), lt(customerCodes.bareTries, TRIES_MAX)),
    )
    .returning({ contactHash: customerCodes.contactHash }),
);

/** Counts a try without a challenge. Returns whether there was one left. */
export async function countBareTry(tx: Tx, contactHash: string): Promise<boolean> {
  return hasRow(await countedBareTry(tx, { contactHash }));
}

export const insertChallenge = preparedInsert(customerChallenges);

/** The challenges of the contact that have not expired, the newest first. */
export const liveChallenges = prepared<{ contactHash: string; now: number }>()((db, at) =>
  db
    .select({
      idHash: customerChallenges.idHash,
      tries: customerChallenges.tries,
      createdAt: customerChallenges.createdAt,
    })
    .from(customerChallenges)
    .where(
      and(
        eq(customerChallenges.contactHash, at.contactHash),
        gt(customerChallenges.expiresAt, at.now),
      ),
    )
    .orderBy(desc(customerChallenges.createdAt)),
);

const countedTry = preparedWrite<{ idHash: string; contactHash: string; now: number }>()((tx, at) =>
  tx
    .update(customerChallenges)
    .set({ tries: sql`${customerChallenges.tries} + 1` })
    .where(
      and(
        eq(customerChallenges.idHash, at.idHash),
        eq(customerChallenges.contactHash, at.contactHash),
        lt(customerChallenges.tries, TRIES_MAX),
        gt(customerChallenges.expiresAt, at.now),
      ),
    )
    .returning({ idHash: customerChallenges.idHash }),
);
const usedChallenge = preparedWrite<{ idHash: string; codeHash: string }>()((tx, at) =>
  tx
    .delete(customerChallenges)
    .where(
      and(eq(customerChallenges.idHash, at.idHash), eq(customerChallenges.codeHash, at.codeHash)),
    )
    .returning({ idHash: customerChallenges.idHash }),
);

/** Counts a try of the contact's challenge. Returns its hash; null if it may not be tried. */
export async function countTry(
  tx: Tx,
  tried: { readonly idHash: string; readonly contactHash: string; readonly now: number },
): Promise<string | null> {
  return (await countedTry(tx, tried))[0]?.idHash ?? null;
}

/** Uses the challenge up. Returns whether the code was its own. */
export async function useUp(
  tx: Tx,
  given: { readonly idHash: string; readonly codeHash: string },
): Promise<boolean> {
  return hasRow(await usedChallenge(tx, given));
}

export const dropChallengesOf = preparedWrite<{ contactHash: string }>()((tx, at) =>
  tx.delete(customerChallenges).where(eq(customerChallenges.contactHash, at.contactHash)),
);
export const dropEndedChallenges = preparedWrite<{ now: number }>()((tx, at) =>
  tx.delete(customerChallenges).where(lte(customerChallenges.expiresAt, at.now)),
);
export const dropAllChallenges = preparedWrite()((tx) => tx.delete(customerChallenges));

export const dropCode = preparedWrite<{ contactHash: string }>()((tx, at) =>
  tx.delete(customerCodes).where(eq(customerCodes.contactHash, at.contactHash)),
);
export const dropOldCodes = preparedWrite<{ now: number }>()((tx, at) =>
  tx.delete(customerCodes).where(lte(customerCodes.forgottenAt, at.now)),
);
export const dropAllCodes = preparedWrite()((tx) => tx.delete(customerCodes));

export const addCodeCounts = preparedAdd(codeCounts, {
  key: ["kind", "hour"],
  sums: ["sent", "strangers", "withheld"],
});

const codeCountsAfter = prepared<{ kind: string; hour: number }>()((db, at) =>
  db
    .select({
      sent: sql`COALESCE(SUM(${codeCounts.sent}), 0)`.mapWith(Number),
      strangers: sql`COALESCE(SUM(${codeCounts.strangers}), 0)`.mapWith(Number),
      withheld: sql`COALESCE(SUM(${codeCounts.withheld}), 0)`.mapWith(Number),
    })
    .from(codeCounts)
    .where(and(eq(codeCounts.kind, sql`${at.kind}`), gt(codeCounts.hour, at.hour))),
);

/** The codes to contacts of the kind that were counted after the hour. */
export async function sumCodes(
  tx: Tx,
  at: { readonly kind: string; readonly hour: number },
): Promise<Record<"sent" | "strangers" | "withheld", number>> {
  return (await codeCountsAfter(tx, at))[0] ?? { sent: 0, strangers: 0, withheld: 0 };
}

/** The codes to contacts of every kind that were withheld. */
export const withheldAfter = prepared<{ hour: number }>()((db, at) =>
  db
    .select({ withheld: sql`COALESCE(SUM(${codeCounts.withheld}), 0)`.mapWith(Number) })
    .from(codeCounts)
    .where(gt(codeCounts.hour, at.hour)),
);

export const dropOldCodeCounts = preparedWrite<{ hour: number }>()((tx, at) =>
  tx.delete(codeCounts).where(lte(codeCounts.hour, at.hour)),
);

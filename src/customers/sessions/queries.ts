// SQL of sessions of customers and of codes.

import { and, asc, eq, gt, isNotNull, lt, lte, ne, sql } from "drizzle-orm";

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

import { type AskedCode, TRIES_MAX } from "./session.ts";
import { customerCodes, customerSessions, phoneCodes } from "./tables.ts";

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

export const saveCode = preparedWrite<{
  contactHash: string;
  codeHash: string;
  expiresAt: number;
  askedAt: readonly AskedCode[];
  forgottenAt: number;
}>()((tx, at) =>
  tx
    .update(customerCodes)
    .set({
      codeHash: sql`${at.codeHash}`,
      tries: 0,
      expiresAt: sql`${at.expiresAt}`,
      askedAt: sql`${sql.param(at.askedAt, customerCodes.askedAt)}`,
      forgottenAt: sql`${at.forgottenAt}`,
    })
    .where(eq(customerCodes.contactHash, at.contactHash)),
);

const countedTry = preparedWrite<{ contactHash: string; now: number }>()((tx, at) =>
  tx
    .update(customerCodes)
    .set({ tries: sql`${customerCodes.tries} + 1` })
    .where(
      and(
        eq(customerCodes.contactHash, at.contactHash),
        isNotNull(customerCodes.codeHash),
        lt(customerCodes.tries, TRIES_MAX),
        gt(customerCodes.expiresAt, at.now),
      ),
    )
    .returning({ contactHash: customerCodes.contactHash }),
);
const usedCode = preparedWrite<{ contactHash: string; codeHash: string }>()((tx, at) =>
  tx
    .update(customerCodes)
    .set({ codeHash: null })
    .where(
      and(eq(customerCodes.contactHash, at.contactHash), eq(customerCodes.codeHash, at.codeHash)),
    )
    .returning({ contactHash: customerCodes.contactHash }),
);

/** Counts a try. Returns whether the code may still be given. */
export async function countTry(tx: Tx, contactHash: string, now: number): Promise<boolean> {
  return hasRow(await countedTry(tx, { contactHash, now }));
}

/** Uses the code up. Returns whether it was this one. */
export async function useUp(tx: Tx, contactHash: string, codeHash: string): Promise<boolean> {
  return hasRow(await usedCode(tx, { contactHash, codeHash }));
}

export const dropCode = preparedWrite<{ contactHash: string }>()((tx, at) =>
  tx.delete(customerCodes).where(eq(customerCodes.contactHash, at.contactHash)),
);
export const dropOldCodes = preparedWrite<{ now: number }>()((tx, at) =>
  tx.delete(customerCodes).where(lte(customerCodes.forgottenAt, at.now)),
);
export const dropAllCodes = preparedWrite()((tx) => tx.delete(customerCodes));

export const addPhoneCodes = preparedAdd(phoneCodes, { key: ["hour"], sums: ["sent", "withheld"] });

export const phoneCodesAfter = prepared<{ hour: number }>()((db, at) =>
  db
    .select({
      sent: sql`COALESCE(SUM(${phoneCodes.sent}), 0)`.mapWith(Number),
      withheld: sql`COALESCE(SUM(${phoneCodes.withheld}), 0)`.mapWith(Number),
    })
    .from(phoneCodes)
    .where(gt(phoneCodes.hour, at.hour)),
);

export const dropOldPhoneCodes = preparedWrite<{ hour: number }>()((tx, at) =>
  tx.delete(phoneCodes).where(lte(phoneCodes.hour, at.hour)),
);

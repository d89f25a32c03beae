// All SQL of the simulated gateway.

import { and, asc, eq, isNull, ne, or, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedInsert,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";

import { simulatedCharges as charges, simulatedRefunds as refunds } from "./tables.ts";

export type SimulatedCharge = typeof charges.$inferSelect;
export type SimulatedRefund = typeof refunds.$inferSelect;

const chargeByReference = preparedLock<{ gatewayReference: string }>()((db, at) =>
  db.select().from(charges).where(eq(charges.gatewayReference, at.gatewayReference)),
);
const chargeByPage = prepared<{ pageToken: string }>()((db, at) =>
  db.select().from(charges).where(eq(charges.pageToken, at.pageToken)),
);
const chargesByPayment = prepared<{ paymentId: string }>({ by: "paymentId" })((db, at) =>
  db
    .select()
    .from(charges)
    .where(eq(charges.paymentId, at.paymentId))
    .orderBy(asc(charges.gatewayReference)),
);
const arrive = preparedWrite<{ gatewayReference: string; arrivedAt: number }>()((tx, at) =>
  tx
    .update(charges)
    .set({ arrivedAt: sql`${at.arrivedAt}` })
    .where(and(eq(charges.gatewayReference, at.gatewayReference), isNull(charges.arrivedAt)))
    .returning(),
);

/** A decision about a charge, by a person, a code or a cancellation. */
export type ChargeDecision = Pick<
  SimulatedCharge,
  "gatewayReference" | "decision" | "decidedAt" | "failureCode" | "gatewayCode"
>;

const decide = preparedWrite<ChargeDecision>()((tx, at) =>
  tx
    .update(charges)
    .set({
      decision: sql`${at.decision}`,
      decidedAt: sql`${at.decidedAt}`,
      failureCode: sql`${at.failureCode}`,
      gatewayCode: sql`${at.gatewayCode}`,
    })
    .where(
      and(
        eq(charges.gatewayReference, at.gatewayReference),
        or(isNull(charges.decision), eq(charges.decision, "left")),
      ),
    )
    .returning(),
);
const countPush = preparedWrite<{ gatewayReference: string }>()((tx, at) =>
  tx
    .update(charges)
    .set({ pushes: sql`${charges.pushes} + 1` })
    .where(eq(charges.gatewayReference, at.gatewayReference))
    .returning(),
);
const refundByReference = prepared<{ reference: string }>()((db, at) =>
  db.select().from(refunds).where(eq(refunds.reference, at.reference)),
);
const refundedOf = prepared<{ gatewayReference: string }>()((db, at) =>
  db
    .select({ amountMinor: sql`COALESCE(SUM(${refunds.amountMinor}), 0)`.mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.gatewayReference, at.gatewayReference), ne(refunds.state, "failed"))),
);

const refundsByCharge = prepared<{ gatewayReference: string }>()((db, at) =>
  db
    .select()
    .from(refunds)
    .where(eq(refunds.gatewayReference, at.gatewayReference))
    .orderBy(asc(refunds.reference)),
);

export const insertCharge: (tx: Tx, row: SimulatedCharge) => Promise<void> =
  preparedInsert(charges);
export const insertRefund: (tx: Tx, row: SimulatedRefund) => Promise<void> =
  preparedInsert(refunds);

/** Finds the charge; within a transaction, locks it. */
export async function findCharge(
  db: Reader,
  gatewayReference: string,
): Promise<SimulatedCharge | undefined> {
  return (await chargeByReference(db, { gatewayReference }))[0];
}

/** Finds the charge whose test page has this token. */
export async function findChargeByPage(
  db: Reader,
  pageToken: string,
): Promise<SimulatedCharge | undefined> {
  return (await chargeByPage(db, { pageToken }))[0];
}

/** Finds the charges of a payment, oldest first. */
export function findChargesOfPayment(db: Reader, paymentId: string): Promise<SimulatedCharge[]> {
  return chargesByPayment(db, { paymentId });
}

/** Records that the request arrived now; undefined if it arrived before. */
export async function arriveCharge(
  tx: Tx,
  gatewayReference: string,
): Promise<SimulatedCharge | undefined> {
  return (await arrive(tx, { gatewayReference, arrivedAt: tx.now }))[0];
}

/** Saves the decision; undefined, and nothing written, if the charge was decided before. */
export async function decideCharge(
  tx: Tx,
  decision: ChargeDecision,
): Promise<SimulatedCharge | undefined> {
  return (await decide(tx, decision))[0];
}

/** Counts one more requested push; returns the charge with the new count. */
export async function countChargePush(
  tx: Tx,
  gatewayReference: string,
): Promise<SimulatedCharge | undefined> {
  return (await countPush(tx, { gatewayReference }))[0];
}

export async function findRefund(
  db: Reader,
  reference: string,
): Promise<SimulatedRefund | undefined> {
  return (await refundByReference(db, { reference }))[0];
}

/** The refunds of a charge, in the order of their references. */
export function findRefundsOfCharge(
  db: Reader,
  gatewayReference: string,
): Promise<SimulatedRefund[]> {
  return refundsByCharge(db, { gatewayReference });
}

/** Minor units of all refunds that have not failed. */
export async function sumRefunds(db: Reader, gatewayReference: string): Promise<number> {
  return (await refundedOf(db, { gatewayReference }))[0]?.amountMinor ?? 0;
}

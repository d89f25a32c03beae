// All SQL of what the simulated gateway remembers.

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
const chargesByPayment = prepared<{ paymentId: string }>()((db, at) =>
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

/** What a person, a code or a cancellation did to a charge. */
export type ChargeDecision = Pick<
  SimulatedCharge,
  "gatewayReference" | "decision" | "failureCode" | "gatewayCode"
>;

const decide = preparedWrite<ChargeDecision>()((tx, at) =>
  tx
    .update(charges)
    .set({
      decision: sql`${at.decision}`,
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
const refundById = prepared<{ refundId: string }>()((db, at) =>
  db.select().from(refunds).where(eq(refunds.refundId, at.refundId)),
);
const refundedOf = prepared<{ gatewayReference: string }>()((db, at) =>
  db
    .select({ amountMinor: sql`COALESCE(SUM(${refunds.amountMinor}), 0)`.mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.gatewayReference, at.gatewayReference), ne(refunds.state, "failed"))),
);

export const insertCharge: (tx: Tx, row: SimulatedCharge) => Promise<void> =
  preparedInsert(charges);
export const insertRefund: (tx: Tx, row: SimulatedRefund) => Promise<void> =
  preparedInsert(refunds);

/** The charge; where a transaction asks, nobody else decides about it until that ends. */
export async function findCharge(
  db: Reader,
  gatewayReference: string,
): Promise<SimulatedCharge | undefined> {
  return (await chargeByReference(db, { gatewayReference }))[0];
}

/** The charge whose test page has this token. */
export async function findChargeByPage(
  db: Reader,
  pageToken: string,
): Promise<SimulatedCharge | undefined> {
  return (await chargeByPage(db, { pageToken }))[0];
}

/** Every charge of a payment, the oldest first. */
export function findChargesOfPayment(db: Reader, paymentId: string): Promise<SimulatedCharge[]> {
  return chargesByPayment(db, { paymentId });
}

/** The request reached the gateway now; undefined where it did before. */
export async function arriveCharge(
  tx: Tx,
  gatewayReference: string,
): Promise<SimulatedCharge | undefined> {
  return (await arrive(tx, { gatewayReference, arrivedAt: tx.now }))[0];
}

/** Undefined, and nothing changes, where it was decided before. */
export async function decideCharge(
  tx: Tx,
  decision: ChargeDecision,
): Promise<SimulatedCharge | undefined> {
  return (await decide(tx, decision))[0];
}

/** Counts one more push that somebody asked for; answers the charge with the count. */
export async function countChargePush(
  tx: Tx,
  gatewayReference: string,
): Promise<SimulatedCharge | undefined> {
  return (await countPush(tx, { gatewayReference }))[0];
}

export async function findRefund(
  db: Reader,
  refundId: string,
): Promise<SimulatedRefund | undefined> {
  return (await refundById(db, { refundId }))[0];
}

/** Minor units that went back or may yet. */
export async function sumRefunds(db: Reader, gatewayReference: string): Promise<number> {
  return (await refundedOf(db, { gatewayReference }))[0]?.amountMinor ?? 0;
}

// SQL of payments beside the statements of every record. Guards are part of the statement that writes.

import { and, asc, desc, eq, gt, sql } from "drizzle-orm";

import { type Id, isId } from "#kernel/id.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";
import {
  type IdempotentRequest,
  type KeyOfRequest,
  madeBefore,
} from "#platform/http/contract/idempotent.ts";

import type { PaymentStatus } from "./payment-life.ts";
import { type Payment, paymentNotFound } from "./payment.ts";
import { payments } from "./tables.ts";

/** Statements of the payment's row. `get` and `lock` refuse with `payment_not_found`. */
export const paymentRows = versionedStatements(payments, paymentNotFound);

const paymentByReference = prepared<{ reference: string }>({ by: "reference" })((db, at) =>
  db.select().from(payments).where(eq(payments.reference, at.reference)),
);
const paymentByGatewayReference = prepared<{ gateway: string; reference: string }>()((db, at) =>
  db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.gatewayReference, at.reference),
        sql`gateway_reference IS NOT NULL`,
        eq(payments.gateway, at.gateway),
      ),
    ),
);
const paymentsByKey = prepared<{ idempotencyKey: string } & Omit<KeyOfRequest, "key">>({
  by: "idempotencyKey",
})((db, at) =>
  db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.idempotencyKey, at.idempotencyKey),
        sql`${payments.lineage} IN (${at.lineage}, ${at.elsewhere})`,
        sql`idempotency_key IS NOT NULL`,
      ),
    ),
);
const paymentsByOrder = prepared<{ orderId: string }>({ by: "orderId" })((db, at) =>
  db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, at.orderId), sql`order_id IS NOT NULL`))
    .orderBy(asc(payments.id)),
);
const paymentsByTransaction = prepared<{ transactionKey: string; method: string }>({
  by: "transactionKey",
})((db, at) =>
  db
    .select({
      id: payments.id,
      orderId: payments.orderId,
      transactionCopy: payments.transactionCopy,
    })
    .from(payments)
    .where(
      and(
        eq(payments.transactionKey, at.transactionKey),
        eq(payments.method, at.method),
        sql`transaction_key IS NOT NULL`,
      ),
    )
    .orderBy(desc(payments.transactionCopy))
    .limit(1),
);
const paymentsByAccount = prepared<{ accountId: string }>()((db, at) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.accountId, at.accountId), sql`account_id IS NOT NULL`))
    .limit(1),
);
const promptsOfPhone = prepared<{ phone: string; after: number }>()((db, at) =>
  db
    .select({ createdAt: payments.createdAt })
    .from(payments)
    .where(
      and(
        eq(payments.phone, at.phone),
        sql`phone IS NOT NULL`,
        gt(payments.createdAt, at.after),
        eq(payments.method, "mobile_money"),
        sql`${payments.gateway} IS NOT NULL`,
      ),
    )
    .orderBy(asc(payments.createdAt)),
);
const paymentIdsOf = prepared<{ customerId: string }>()((db, at) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.customerId, at.customerId))
    .orderBy(asc(payments.id)),
);
const gatewayPayments = prepared<{ status: PaymentStatus; after: string; rows: number }>()(
  (db, at) =>
    db
      .select({ id: payments.id })
      .from(payments)
      .where(
        and(
          eq(payments.status, at.status),
          sql`${payments.gateway} IS NOT NULL`,
          gt(payments.id, at.after),
        ),
      )
      .orderBy(asc(payments.id))
      .limit(at.rows),
);
/** All payments, by id. */
export const paymentRowsAfter = prepared<{ after: string; rows: number }>()((db, at) =>
  db
    .select()
    .from(payments)
    .where(gt(payments.id, at.after))
    .orderBy(asc(payments.id))
    .limit(at.rows),
);

const noticed = preparedWrite<{ id: string; now: number }>()((tx, at) =>
  tx
    .update(payments)
    .set({ noticedAt: sql`${at.now}` })
    .where(eq(payments.id, at.id)),
);

const claim = preparedWrite<{ id: string; now: number; before: number }>()((tx, at) =>
  tx
    .update(payments)
    .set({ lookedAt: sql`${at.now}` })
    .where(and(eq(payments.id, at.id), sql`${payments.lookedAt} <= ${at.before}`))
    .returning({ id: payments.id }),
);
const setAside = preparedWrite<{ id: string; amount: number }>()((tx, at) =>
  tx
    .update(payments)
    .set({
      refundingMinor: sql`${payments.refundingMinor} + ${at.amount}`,
      version: sql`${payments.version} + 1`,
    })
    .where(
      and(
        eq(payments.id, at.id),
        sql`${payments.refundingMinor} + ${at.amount} <= CASE ${payments.status}
          WHEN 'review' THEN coalesce(${payments.receivedMinor}, 0)
          WHEN 'succeeded' THEN ${payments.capturedMinor}
          WHEN 'partially_refunded' THEN ${payments.capturedMinor}
          ELSE 0 END`,
      ),
    )
    .returning(),
);

/** Finds the payment with this reference or id. */
export async function findPaymentRow(db: Reader, reference: string): Promise<Payment | undefined> {
  const named = isId("payment", reference) ? await paymentRows.find(db, reference) : undefined;
  return named ?? (await paymentByReference(db, { reference }))[0];
}

export async function findPaymentByGatewayReference(
  db: Reader,
  gateway: string,
  reference: string,
): Promise<Payment | undefined> {
  return (await paymentByGatewayReference(db, { gateway, reference }))[0];
}

/** The payment that an earlier run of the request made. Refuses with `idempotency_key_reused`. */
export async function findPaymentByKey(
  db: Reader,
  request: IdempotentRequest,
): Promise<Payment | undefined> {
  const { key, lineage, elsewhere } = request;
  const found = await paymentsByKey(db, { idempotencyKey: key, lineage, elsewhere });
  return madeBefore(found, request)[0];
}

/** All attempts to pay an order, oldest first. */
export function findPaymentsOfOrder(db: Reader, orderId: string): Promise<Payment[]> {
  return paymentsByOrder(db, { orderId });
}

/** The last payment of a method that was recorded with the transaction's key; undefined where none was. */
export async function findLastOfTransaction(
  db: Reader,
  transaction: { readonly transactionKey: string; readonly method: PaymentMethod },
): Promise<Pick<Payment, "id" | "orderId" | "transactionCopy"> | undefined> {
  return (await paymentsByTransaction(db, transaction))[0];
}

/** Returns true if money was recorded that the account took. */
export async function hasPaymentsOfAccount(db: Reader, accountId: string): Promise<boolean> {
  return (await paymentsByAccount(db, { accountId })).length > 0;
}

/** When a gateway was called to ask this phone since then, oldest first. */
export async function findPromptTimes(
  db: Reader,
  phone: string,
  { after }: { readonly after: number },
): Promise<number[]> {
  return (await promptsOfPhone(db, { phone, after })).map(({ createdAt }) => createdAt);
}

/** The payments of a customer's orders. */
export async function findPaymentIdsOf(db: Reader, customerId: string): Promise<Id<"payment">[]> {
  return (await paymentIdsOf(db, { customerId })).map(({ id }) => id);
}

/** Attempts at a gateway that have a status, by id. */
export async function findGatewayPaymentIds(
  db: Reader,
  page: { readonly status: PaymentStatus; readonly after: string; readonly rows: number },
): Promise<Id<"payment">[]> {
  return (await gatewayPayments(db, page)).map((row) => row.id);
}

/** Records a poll now; false, and nothing written, if the last one is within the pause, milliseconds. */
export async function claimPoll(tx: Tx, id: string, pauseMs: number): Promise<boolean> {
  return (await claim(tx, { id, now: tx.now, before: tx.now - pauseMs })).length === 1;
}

/** Records that the gateway sent a notice of the payment. */
export async function recordNotice(tx: Tx, id: string): Promise<void> {
  await noticed(tx, { id, now: tx.now });
}

/** Sets an amount aside for a refund; undefined, and nothing written, if less can be refunded. */
export async function setAsideForRefund(
  tx: Tx,
  id: string,
  amountMinor: number,
): Promise<Payment | undefined> {
  return (await setAside(tx, { id, amount: amountMinor }))[0];
}

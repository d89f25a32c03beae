// SQL of what is kept of gateways: their names of payments, the bodies sent under their keys, and their notices.

import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";

import type { GatewayName } from "./payment-life.ts";
import type { Payment } from "./payment.ts";
import {
  gatewayKeys,
  gatewayNames,
  gatewayNotices as notices,
  type NoticeRow,
  payments,
} from "./tables.ts";

const insertName = preparedInsertIfFree(gatewayNames);
const namesOfPayment = prepared<{ paymentId: string }>()((db, at) =>
  db
    .select({ kind: gatewayNames.kind, name: gatewayNames.name })
    .from(gatewayNames)
    .where(eq(gatewayNames.paymentId, at.paymentId))
    .orderBy(asc(gatewayNames.name)),
);
const namedPayments = preparedByFilters<{ paymentIds: readonly string[] }>()((db, given) =>
  db
    .selectDistinct({ paymentId: gatewayNames.paymentId })
    .from(gatewayNames)
    .where(inArray(gatewayNames.paymentId, given.each("paymentIds"))),
);
const paymentByName = prepared<{ gateway: string; name: string }>()((db, at) =>
  db
    .select()
    .from(payments)
    .where(
      eq(
        payments.id,
        sql`${db
          .select({ paymentId: gatewayNames.paymentId })
          .from(gatewayNames)
          .where(and(eq(gatewayNames.gateway, at.gateway), eq(gatewayNames.name, at.name)))}`,
      ),
    ),
);

const insertKey = preparedInsertIfFree(gatewayKeys);
const bodyOfKey = prepared<{ gateway: string; key: string }>()((db, at) =>
  db
    .select({ bodyHash: gatewayKeys.bodyHash })
    .from(gatewayKeys)
    .where(and(eq(gatewayKeys.gateway, at.gateway), eq(gatewayKeys.key, at.key))),
);

/** Afterwards the gateway's key stands for this body. Returns false if it stands for another one. */
export async function saveKeyedBody(
  tx: Tx,
  { gateway, key, body }: { readonly gateway: string; readonly key: string; readonly body: string },
): Promise<boolean> {
  const bodyHash = new Bun.CryptoHasher("sha256").update(body).digest("hex");
  if (await insertKey(tx, { gateway, key, bodyHash })) return true;
  return (await bodyOfKey(tx, { gateway, key }))[0]?.bodyHash === bodyHash;
}

/** Afterwards its gateway's names lead to the payment; a name that leads to another payment is left as it is. */
export async function saveNames(
  tx: Tx,
  { id: paymentId, gateway }: Pick<Payment, "id" | "gateway">,
  names: readonly GatewayName[],
): Promise<void> {
  if (gateway === null) return;
  for (const { kind, name } of names) await insertName(tx, { gateway, kind, name, paymentId });
}

/** Finds the gateway's names of the payment, and of what belongs to it. */
export function findNames(db: Reader, paymentId: Id<"payment">): Promise<GatewayName[]> {
  return namesOfPayment(db, { paymentId });
}

/** Those of the payments that a gateway gave a name. */
export async function findNamed(
  db: Reader,
  paymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paymentIds.length === 0) return new Set();
  return new Set((await namedPayments(db, { paymentIds })).map(({ paymentId }) => paymentId));
}

/** The payment that the gateway calls by one of these names. */
export async function findPaymentByName(
  db: Reader,
  gateway: string,
  names: readonly GatewayName[],
): Promise<Payment | undefined> {
  for (const { name } of names) {
    const [payment] = await paymentByName(db, { gateway, name });
    if (payment !== undefined) return payment;
  }
  return undefined;
}

const addNotice = preparedWrite<NoticeRow>()((tx, at) =>
  tx
    .insert(notices)
    .values({
      gateway: at.gateway,
      dedupKey: at.dedupKey,
      topic: at.topic,
      gatewayReference: at.gatewayReference,
      isIgnored: at.isIgnored,
      createdAt: at.createdAt,
    })
    .onConflictDoNothing()
    .returning({ dedupKey: notices.dedupKey }),
);

/** Puts a notice into the inbox; a copy of one that is there already is dropped. */
export async function saveNotice(tx: Tx, notice: NoticeRow): Promise<void> {
  await addNotice(tx, notice);
}

const dropNotices = preparedWrite<{ before: number; limit: number }>()((tx, at) => {
  const oldest = tx
    .select({ gateway: notices.gateway, dedupKey: notices.dedupKey })
    .from(notices)
    .where(lt(notices.createdAt, at.before))
    .orderBy(asc(notices.createdAt))
    .limit(at.limit);
  return tx
    .delete(notices)
    .where(sql`(${notices.gateway}, ${notices.dedupKey}) IN ${oldest}`)
    .returning({ dedupKey: notices.dedupKey });
});

/** Forgets at most `limit` notices that came before an instant (epoch milliseconds); says how many. */
export async function deleteNotices(tx: Tx, before: number, limit: number): Promise<number> {
  return (await dropNotices(tx, { before, limit })).length;
}

const newestNotice = prepared<{ gateway: string }>()((db, at) =>
  db
    .select({ createdAt: notices.createdAt })
    .from(notices)
    .where(eq(notices.gateway, at.gateway))
    .orderBy(desc(notices.createdAt))
    .limit(1),
);
const newestPaid = prepared<{ gateway: string; rows: number }>()((db, at) =>
  db
    .select({ id: payments.id, noticedAt: payments.noticedAt })
    .from(payments)
    .where(and(eq(payments.gateway, at.gateway), sql`${payments.receivedMinor} IS NOT NULL`))
    .orderBy(desc(payments.id))
    .limit(at.rows),
);

/** When the last notice of the gateway came that was new; null if none did in the last 90 days. */
export async function findLastNotice(db: Reader, gateway: string): Promise<number | null> {
  return (await newestNotice(db, { gateway }))[0]?.createdAt ?? null;
}

/** The gateway's newest paid payments, and when the last notice of each came, null if none did. */
export function findNoticesOfPaid(db: Reader, gateway: string, rows: number) {
  return newestPaid(db, { gateway, rows });
}

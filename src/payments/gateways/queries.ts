// SQL of the names that gateways give to payments.

import { and, asc, eq, inArray, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { gatewayKeys, gatewayNames, payments } from "#payments/payments/tables.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedInsertIfFree } from "#platform/database/prepared.ts";

import type { GatewayName } from "./gateway-name.ts";

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

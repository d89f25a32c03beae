// All SQL of accounts at gateways, and of gateways of the merchant's own.

import { asc, eq, sql } from "drizzle-orm";

import { payments } from "#payments/rows/tables.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  hasRow,
  prepared,
  preparedInsert,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";

import {
  type CustomGatewayRow,
  customGateways,
  type GatewayAccountRow,
  gatewayAccounts,
} from "./tables.ts";

const allAccounts = prepared()((db) =>
  db.select().from(gatewayAccounts).orderBy(asc(gatewayAccounts.gateway)),
);
const byGateway = prepared<{ gateway: string }>()((db, at) =>
  db.select().from(gatewayAccounts).where(eq(gatewayAccounts.gateway, at.gateway)),
);
const toLock = preparedLock<{ gateway: string }>()((db, at) =>
  db.select().from(gatewayAccounts).where(eq(gatewayAccounts.gateway, at.gateway)),
);
const insert = preparedInsert(gatewayAccounts);
const remove = preparedWrite<{ gateway: string }>()((tx, at) =>
  tx
    .delete(gatewayAccounts)
    .where(eq(gatewayAccounts.gateway, at.gateway))
    .returning({ gateway: gatewayAccounts.gateway }),
);
const removeAll = preparedWrite()((tx) => tx.delete(gatewayAccounts));
const replaceSeals = preparedWrite<
  Pick<GatewayAccountRow, "gateway" | "placedSecret" | "placedWebhookSecrets">
>()((tx, at) =>
  tx
    .update(gatewayAccounts)
    .set({
      placedSecret: sql`${at.placedSecret}`,
      placedWebhookSecrets: sql`${at.placedWebhookSecrets}`,
    })
    .where(eq(gatewayAccounts.gateway, at.gateway)),
);

/** Every stored account, by gateway. */
export function listAccountRows(db: Reader): Promise<GatewayAccountRow[]> {
  return allAccounts(db, {});
}

export async function findAccountRow(
  db: Reader,
  gateway: string,
): Promise<GatewayAccountRow | undefined> {
  return (await byGateway(db, { gateway }))[0];
}

/** The account, which no other transaction changes until this one ends. */
export async function lockAccountRow(
  tx: Tx,
  gateway: string,
): Promise<GatewayAccountRow | undefined> {
  return (await toLock(tx, { gateway }))[0];
}

/** Saves the account in place of the one that the gateway had. */
export async function putAccountRow(tx: Tx, account: GatewayAccountRow): Promise<void> {
  await remove(tx, { gateway: account.gateway });
  await insert(tx, account);
}

/** Deletes the account; false if there was none. */
export async function deleteAccountRow(tx: Tx, gateway: string): Promise<boolean> {
  return hasRow(await remove(tx, { gateway }));
}

export async function deleteAccountRows(tx: Tx): Promise<void> {
  await removeAll(tx, {});
}

/** Saves the same secrets under other seals. */
export async function saveAccountSeals(
  tx: Tx,
  { gateway, placedSecret, placedWebhookSecrets }: GatewayAccountRow,
): Promise<void> {
  await replaceSeals(tx, { gateway, placedSecret, placedWebhookSecrets });
}

const allCustom = prepared()((db) =>
  db.select().from(customGateways).orderBy(asc(customGateways.createdAt), asc(customGateways.id)),
);
const customToLock = preparedLock<{ id: string }>({ by: "id" })((db, at) =>
  db.select().from(customGateways).where(eq(customGateways.id, at.id)),
);
const insertCustom = preparedInsert(customGateways);
const removeCustom = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(customGateways).where(eq(customGateways.id, at.id)),
);
const firstPayment = prepared<{ gateway: string }>()((db, at) =>
  db.select({ id: payments.id }).from(payments).where(eq(payments.gateway, at.gateway)).limit(1),
);

/** Every gateway of the merchant's own, the oldest first. */
export function listCustomRows(db: Reader): Promise<CustomGatewayRow[]> {
  return allCustom(db, {});
}

/** The gateway, which no other transaction changes until this one ends. */
export async function lockCustomRow(tx: Tx, id: string): Promise<CustomGatewayRow | undefined> {
  return (await customToLock(tx, { id }))[0];
}

/** Saves the gateway in place of the one that had its id. */
export async function putCustomRow(tx: Tx, gateway: CustomGatewayRow): Promise<void> {
  await removeCustom(tx, { id: gateway.id });
  await insertCustom(tx, gateway);
}

export async function deleteCustomRow(tx: Tx, id: string): Promise<void> {
  await removeCustom(tx, { id });
}

/** Returns true if a payment was begun at the gateway. */
export async function hasPayments(db: Reader, gateway: string): Promise<boolean> {
  return (await firstPayment(db, { gateway })).length > 0;
}

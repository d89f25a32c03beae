// Rules of what a person tells of money by hand beside its amount: the account that took it, its name there, the day.
// Invariant: of two records of one transfer the second is asked about, on both engines, also when they are made at once.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { Faults } from "#kernel/refusal.ts";
import { bareIdentifier } from "#kernel/text.ts";
import { dayAt } from "#kernel/time.ts";
import { confirmationDiffers, type Payment, transactionSeen } from "#payments/rows/payment.ts";
import { findLastOfTransaction } from "#payments/rows/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import { findLockedAccount, getStore } from "#shop/store/lookups.ts";

/** The facts that a person tells; null for what was not told. */
export interface Told extends Pick<
  Payment,
  "accountId" | "receivedOn" | "transactionReference" | "note"
> {
  /** True if the person knows that money with this reference was recorded before: one transfer can pay two orders. */
  readonly isSeen: boolean;
}

export const untold: Told = {
  accountId: null,
  receivedOn: null,
  transactionReference: null,
  note: null,
  isSeen: false,
};

/** The columns of a payment that say what was told. */
export type ToldFacts = Omit<Told, "isSeen"> & Pick<Payment, "transactionKey" | "transactionCopy">;

/** The money that is told of. */
interface OfMoney {
  readonly method: PaymentMethod;
  readonly faults: Faults;
  /** The JSON Pointer of the object that tells. */
  readonly at: string;
}

/** Adds the faults of what was told. The account stays as it is until the transaction ends. */
export async function checkTold(
  tx: Tx,
  { accountId, receivedOn }: Told,
  { method, faults, at }: OfMoney,
): Promise<void> {
  await checkAccount(tx, accountId, { method, faults, at });
  await checkDay(tx, receivedOn, { faults, at });
}

/** An account that customers are not told any more can have taken money. */
async function checkAccount(
  tx: Tx,
  accountId: string | null,
  { method, faults, at }: OfMoney,
): Promise<void> {
  if (accountId === null) return;
  const account = await findLockedAccount(tx, accountId);
  const pointer = `${at}/account_id`;
  if (account === undefined) {
    faults.add(pointer, "unknown_account", "There is no such receiving account.");
  } else if (account.method !== method) {
    faults.add(pointer, "account_of_other_method", `This account takes ${account.method}.`);
  }
}

/** Money is recorded within a year: a day further back is a typing error. */
const RECEIVED_DAYS_BACK = 366;

async function checkDay(
  tx: Tx,
  receivedOn: string | null,
  { faults, at }: Pick<OfMoney, "faults" | "at">,
): Promise<void> {
  if (receivedOn === null) return;
  const { timezone } = await getStore(tx);
  const today = dayAt(tx.now, timezone);
  const first = dayAt(tx.now, timezone, -RECEIVED_DAYS_BACK);
  if (receivedOn >= first && receivedOn <= today) return;
  faults.add(`${at}/received_on`, "date_invalid", `This must be a day from ${first} to ${today}.`);
}

/**
 * Returns the columns. Refuses with `transaction_seen` where other money of the method has the reference, unless the
 * person knows it. Of two at once the unique index lets one in; the other runs again, and finds it.
 */
export async function readTold(
  tx: Tx,
  { isSeen, ...told }: Told,
  method: PaymentMethod,
): Promise<ToldFacts> {
  const transactionKey = bareIdentifier(told.transactionReference ?? "");
  const facts = { ...told, transactionKey, transactionCopy: 0 };
  if (transactionKey === null) return facts;
  const last = await findLastOfTransaction(tx, { transactionKey, method });
  if (last === undefined) return facts;
  if (!isSeen) {
    const order = last.orderId === null ? undefined : await findOrder(tx, last.orderId);
    const members = { payment_id: last.id, order_number: order?.number ?? null };
    const detail = order && `Order ${order.number} has money with this reference.`;
    throw transactionSeen({ members, ...(detail !== undefined && { detail }) });
  }
  return { ...facts, transactionCopy: last.transactionCopy + 1 };
}

/**
 * Refuses with `confirmation_differs` a repeat that tells otherwise than the first confirmation: it would change nothing,
 * and the person would believe that it did.
 */
export function requireSameTold(payment: Payment, told: Told): void {
  const pairs = [
    [told.accountId, payment.accountId],
    [told.receivedOn, payment.receivedOn],
    [bareIdentifier(told.transactionReference ?? ""), payment.transactionKey],
    [told.note, payment.note],
  ] as const;
  const isOther = pairs.some(([said, kept]) => said !== null && said !== kept);
  if (isOther) throw confirmationDiffers();
}

const toldFaults = defineFaults({
  account_of_other_method: "The account does not take money of this method.",
  date_invalid: "The day is in the future or more than 366 days ago.",
  unknown_account: "There is no such receiving account.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof toldFaults> {}
}

// Story: an order is placed and, where the customer stands before the merchant, paid and taken along in
// the same transaction; or it is told what that would come to.

import { formatAmount, readAmount, readPositiveAmount } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import { rehearse } from "#payments/settling/preview-act.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import { fulfillOrder } from "#sales/changing/fulfillments.ts";
import type { PlacedOrder } from "#sales/links/link-addresses.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import type { OrderRequest } from "#sales/placing/order-request.ts";
import { placeOrder } from "#sales/placing/place-order.ts";
import type { Order } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";
import { requireOffered } from "#shop/store/payment-methods.ts";
import { unlimited } from "#shop/store/public-limits.ts";

import { recordMoney } from "./record-money.ts";
import { checkTold, type Told } from "./told-facts.ts";

/** Money that changed hands; amounts in major units of the order's currency. */
interface MoneyTaken {
  readonly method: PaymentMethod;
  /** The order's total if undefined. */
  readonly amount?: number | string | undefined;
  /** The money that the customer handed over, change included. */
  readonly tendered?: number | string | undefined;
  readonly told: Told;
}

export interface CounterSale {
  readonly request: OrderRequest;
  readonly paid: MoneyTaken | null;
  /** True if the customer takes everything along. */
  readonly isFulfilled: boolean;
  readonly mode: Mode;
}

/** An order and the change that the customer gets back, minor units; null without tendered money. */
export interface SoldOrder {
  readonly placed: PlacedOrder;
  readonly changeMinor: number | null;
}

/**
 * Places the order, then records its payment by hand, then ships all of it, each with its events. Refuses
 * as `placeOrder` does, and with `validation_failed` for an amount above the total (`amount_exceeds_due`)
 * and for less tendered than paid, and
 * with `transaction_seen`.
 */
export async function sellAtCounter(
  tx: Tx,
  { request, paid, isFulfilled, mode }: CounterSale,
): Promise<SoldOrder> {
  const isPlacedOnly = paid === null && !isFulfilled;
  if (!isPlacedOnly) tx.alone();
  const placed = await placeOrder(tx, request);
  const { order } = placed;
  if (isPlacedOnly) return { placed, changeMinor: null };
  const changeMinor = paid === null ? null : await takeMoney(tx, order, { paid, mode });
  if (isFulfilled) {
    const everything = { lines: undefined, tracking: null, isForced: false, metadata: {} };
    await fulfillOrder(tx, order.id, { request: everything, expected: null });
  }
  return { placed: { ...placed, ...(await getOrder(tx, order.id)) }, changeMinor };
}

/** Returns the change. */
async function takeMoney(
  tx: Tx,
  order: Order,
  { paid, mode }: { readonly paid: MoneyTaken; readonly mode: Mode },
): Promise<number | null> {
  const store = await getStore(tx);
  requireOffered(store, paid.method, unlimited);
  const faults = new Faults();
  const { amountMinor, changeMinor } = readMoney(order, paid, faults);
  const { method, told } = paid;
  await checkTold(tx, told, { method, faults, at: "/paid" });
  faults.refuseIfAny();
  if (amountMinor === 0) return changeMinor;
  await recordMoney(tx, order, { method, amountMinor, mode, told });
  return changeMinor;
}

function readMoney(order: Order, { amount, tendered }: MoneyTaken, faults: Faults) {
  const { totalMinor, currency } = order;
  const amountMinor =
    amount === undefined
      ? totalMinor
      : (readPositiveAmount(amount, currency, { faults, pointer: "/paid/amount" }) ?? 0);
  if (amountMinor > totalMinor) {
    const detail = `The total is ${formatAmount(totalMinor, currency)} ${currency}.`;
    faults.add("/paid/amount", "amount_exceeds_due", detail);
  }
  const tenderedMinor =
    tendered === undefined
      ? null
      : readAmount(tendered, currency, { faults, pointer: "/paid/tendered" });
  if (tenderedMinor !== null && tenderedMinor < amountMinor) {
    const detail = `This must be at least the amount of ${formatAmount(amountMinor, currency)} ${currency}.`;
    faults.add("/paid/tendered", "too_small", detail);
  }
  return { amountMinor, changeMinor: tenderedMinor === null ? null : tenderedMinor - amountMinor };
}

/** The order as it would be placed, paid and taken along. Nothing is changed. Refuses as `sellAtCounter` does. */
export function previewSale({ database }: Shop, sale: CounterSale): Promise<SoldOrder> {
  return rehearse(database, (tx) => sellAtCounter(tx, sale));
}

// Orders of the schema 0071 after random lives by the rules of that time, as statements for both engines, and what they
// owed by these rules.

import fc from "fast-check";

const LIVES = 150;
const SEED = 71;
const TOTAL = 100;
const FIRST = 5_000;

interface OldRefund {
  readonly amountMinor: number;
  readonly namedMinor: number;
  readonly isAutomatic: boolean;
}

interface OldOrder {
  readonly status: "open" | "cancelled";
  readonly creditedMinor: number;
  readonly keptMinor: number;
  readonly writtenOffMinor: number;
  readonly saleMinor: number | null;
  readonly paidMinor: number;
  readonly refunds: readonly OldRefund[];
}

const fresh: OldOrder = {
  status: "open",
  creditedMinor: 0,
  keptMinor: 0,
  writtenOffMinor: 0,
  saleMinor: null,
  paidMinor: 0,
  refunds: [],
};

const sumOf = (refunds: readonly OldRefund[], of: (refund: OldRefund) => number) =>
  refunds.reduce((sum, refund) => sum + of(refund), 0);
const amountOf = ({ amountMinor }: OldRefund) => amountMinor;
const netOf = ({ paidMinor, refunds }: OldOrder) => paidMinor - sumOf(refunds, amountOf);
const owedOf = ({ creditedMinor, keptMinor, writtenOffMinor }: OldOrder) =>
  TOTAL - creditedMinor + keptMinor - writtenOffMinor;
const overpaidOf = (order: OldOrder) => Math.max(0, netOf(order) - owedOf(order));
const isNothingDue = ({ saleMinor, status }: OldOrder) =>
  saleMinor !== null || status === "cancelled";
const dueOf = (order: OldOrder) =>
  isNothingDue(order) ? 0 : Math.max(0, owedOf(order) - netOf(order));

/** As much of the sale went back. */
function refundedOf(order: OldOrder): number {
  const { saleMinor, refunds, paidMinor, writtenOffMinor } = order;
  if (saleMinor === null) return 0;
  const late = refunds.filter(({ isAutomatic }) => isAutomatic);
  const lateMinor = sumOf(late, amountOf);
  const namedMinor = sumOf(refunds, (refund) => refund.namedMinor);
  const beyondMinor = Math.max(0, paidMinor - lateMinor - (saleMinor - writtenOffMinor));
  const unnamedMinor = sumOf(refunds, amountOf) - lateMinor - namedMinor;
  return Math.min(namedMinor + Math.max(0, unnamedMinor - beyondMinor), saleMinor);
}

function unsoldOf(order: OldOrder): number {
  const { saleMinor, refunds, paidMinor, writtenOffMinor, creditedMinor, keptMinor } = order;
  if (saleMinor === null) return 0;
  const lateMinor = sumOf(
    refunds.filter(({ isAutomatic }) => isAutomatic),
    amountOf,
  );
  const unpaidMinor = saleMinor - writtenOffMinor - (paidMinor - lateMinor);
  const accountedMinor = TOTAL - creditedMinor + keptMinor + refundedOf(order) + overpaidOf(order);
  return Math.max(0, Math.min(unpaidMinor, saleMinor - accountedMinor));
}

function settled(order: OldOrder): OldOrder {
  const withoutIt = owedOf({ ...order, writtenOffMinor: 0 }) - netOf(order);
  const writtenOffMinor = Math.min(order.writtenOffMinor, Math.max(0, withoutIt));
  const after = { ...order, writtenOffMinor };
  const isPaid = !isNothingDue(after) && dueOf(after) === 0 && netOf(after) > 0;
  return isPaid ? { ...after, saleMinor: TOTAL - after.creditedMinor } : after;
}

function refunded(order: OldOrder, refund: Partial<OldRefund>): OldOrder {
  const amountMinor = Math.min(refund.amountMinor ?? 0, netOf(order));
  if (amountMinor === 0) return order;
  const namedMinor = order.saleMinor === null ? 0 : Math.min(amountMinor, refund.namedMinor ?? 0);
  const one = { isAutomatic: false, ...refund, amountMinor, namedMinor };
  return settled({ ...order, refunds: [...order.refunds, one] });
}

/** The money of a gateway of which nothing is owed goes back at once. */
function paid(order: OldOrder, minor: number, isAutomatic: boolean): OldOrder {
  const after = settled({ ...order, paidMinor: order.paidMinor + minor });
  const neededMinor = dueOf(order) + order.writtenOffMinor - after.writtenOffMinor;
  const amountMinor = Math.max(0, minor - neededMinor);
  return isAutomatic ? refunded(after, { amountMinor, isAutomatic }) : after;
}

/** Money that was overpaid before is neither kept nor part of what goes back for the units. */
function credited(
  order: OldOrder,
  minor: number,
  {
    isRefunded,
    promisedMinor = overpaidOf(order),
  }: { readonly isRefunded: boolean; readonly promisedMinor?: number },
): OldOrder {
  if (order.status === "cancelled") return order;
  const creditedMinor = Math.min(TOTAL, order.creditedMinor + minor);
  const after = settled({ ...order, creditedMinor, saleMinor: order.saleMinor ?? 0 });
  const moreMinor = Math.max(0, overpaidOf(after) - promisedMinor);
  const settledAfter = settled({
    ...order,
    creditedMinor,
    keptMinor: order.keptMinor + (isRefunded ? 0 : moreMinor),
    status: creditedMinor === TOTAL ? "cancelled" : "open",
  });
  const reduced = reducedBy(settledAfter, order);
  // A timer refunds what is overpaid.
  return refunded(reduced, { amountMinor: overpaidOf(reduced) });
}

function reducedBy(order: OldOrder, { saleMinor }: OldOrder): OldOrder {
  if (saleMinor === null || order.saleMinor === null) return order;
  return { ...order, saleMinor: order.saleMinor - unsoldOf(order) };
}

const minor = fc.integer({ min: 1, max: 60 });
const step = fc
  .tuple(
    fc.constantFrom("pay", "pay", "pay again", "refund", "units", "credit", "keep", "write off"),
    minor,
  )
  .map(([act, given]) => (order: OldOrder): OldOrder => {
    switch (act) {
      case "pay":
        return paid(order, 2 * given, false);
      case "pay again":
        return paid(order, given, true);
      case "refund":
        return refunded(order, { amountMinor: given });
      case "units": {
        const named = { amountMinor: given, namedMinor: given };
        const terms = { isRefunded: false, promisedMinor: overpaidOf(order) };
        return credited(refunded(order, named), given, terms);
      }
      case "credit":
        return credited(order, given, { isRefunded: true });
      case "keep":
        return credited(order, given, { isRefunded: false });
      default:
        return settled({
          ...order,
          writtenOffMinor: order.writtenOffMinor + Math.min(given, dueOf(order)),
        });
    }
  });

const lives = fc
  .sample(fc.array(step, { minLength: 2, maxLength: 9, size: "max" }), {
    numRuns: LIVES,
    seed: SEED,
  })
  .map((steps) => steps.reduce((order, take) => take(order), fresh));

/**
 * By the number of the order: due, overpaid, and what is refunded of its sale; that is null where more was paid later,
 * by which former refunds seemed to be of that money.
 */
export const owedBy0071 = lives.map((order, index) => [
  FIRST + index,
  dueOf(order),
  overpaidOf(order),
  overpaidOf(order) > 0 ? null : refundedOf(order),
]);

/** One that was paid, and of which the payment was corrected to less. */
export const CORRECTED = FIRST + LIVES;
export const correctedBy = 30;

/** Reads the columns of `owedBy0071`. */
export const OWED = `SELECT number, due_minor,
  CASE WHEN paid_minor - refunding_minor > owed THEN paid_minor - refunding_minor - owed ELSE 0 END, refunded
FROM (SELECT number, due_minor, paid_minor, refunding_minor,
    CASE WHEN sale_total_minor IS NULL THEN total_minor - credited_minor ELSE sale_total_minor - sale_refunding_minor END
      + kept_apart_minor - kept_refunding_minor - written_off_minor AS owed,
    coalesce((SELECT sum(sale_minor) FROM refunds WHERE refunds.order_id = orders.id), 0) AS refunded
  FROM orders) AS owing ORDER BY number`;

const stamps = { version: 1, created_at: 1, updated_at: 1 };
type Row = Readonly<Record<string, string | number | boolean | null>>;

function insert(table: string, row: Row): string {
  const values = Object.values(row).map((value) =>
    typeof value === "string" ? `'${value}'` : String(value),
  );
  return `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")})`;
}

function rowsOf(order: OldOrder, number: number): string[] {
  const refundingMinor = sumOf(order.refunds, amountOf);
  const id = `ord_${number}`;
  return [
    insert("orders", {
      id,
      number,
      status: order.status,
      payment_status: "paid",
      fulfillment_status: "unfulfilled",
      payment_method: "cash",
      currency: "USD",
      channel: "pos",
      metadata: "{}",
      subtotal_minor: TOTAL,
      discount_minor: 0,
      shipping_minor: 0,
      tax_minor: 0,
      total_minor: TOTAL,
      credited_minor: order.creditedMinor,
      kept_minor: order.keptMinor,
      written_off_minor: order.writtenOffMinor,
      sale_total_minor: order.saleMinor,
      paid_minor: order.paidMinor,
      refunding_minor: refundingMinor,
      refunded_minor: refundingMinor,
      payments_in_review: 0,
      open_attempts: 0,
      paid_at: order.saleMinor === null ? null : 1,
      ...stamps,
    }),
    ...(order.paidMinor === 0 ? [] : paymentRows(order, { id, refundingMinor })),
  ];
}

/** One payment for each refund of late money, which a payment has once, and one for the rest. */
function paymentRows(
  { paidMinor, refunds }: OldOrder,
  { id: orderId, refundingMinor }: { readonly id: string; readonly refundingMinor: number },
): string[] {
  const payment = (id: string) =>
    insert("payments", {
      id,
      reference: id,
      status: "succeeded",
      order_id: orderId,
      method: "cash",
      attempt_number: 1,
      amount_minor: paidMinor,
      currency: "USD",
      captured_minor: paidMinor,
      refunding_minor: refundingMinor,
      refunded_minor: refundingMinor,
      is_unknown: false,
      not_found_looks: 0,
      looked_at: 1,
      metadata: "{}",
      ...stamps,
    });
  return [
    payment(`pay_${orderId}`),
    ...refunds.flatMap(({ amountMinor, namedMinor, isAutomatic }, index) => {
      const paymentId = isAutomatic ? `pay_${orderId}_${index}` : `pay_${orderId}`;
      const refund = insert("refunds", {
        id: `ref_${orderId}_${index}`,
        payment_id: paymentId,
        order_id: orderId,
        status: "succeeded",
        amount_minor: amountMinor,
        named_minor: namedMinor,
        currency: "USD",
        reason: "other",
        lines: "[]",
        is_automatic: isAutomatic,
        is_unknown: false,
        succeeded_at: 1,
        ...stamps,
      });
      return isAutomatic ? [payment(paymentId), refund] : [refund];
    }),
  ];
}

const corrected = { ...paid(fresh, TOTAL, false), paidMinor: TOTAL - correctedBy };

/** The statements that fill a database of the schema 0071. */
export const ordersOf0071: readonly string[] = [...lives, corrected].flatMap((order, index) =>
  rowsOf(order, FIRST + index),
);

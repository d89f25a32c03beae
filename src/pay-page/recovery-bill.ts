// The texts and amounts of the recovery page: what is to be paid, what changed since the cart was
// abandoned, and why it cannot be paid. Pure; the sentences are written for customers.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { type CartDifference, cartTotal, type QuotedLine } from "#pricing/quote/price-cart.ts";
import { dueOf } from "#sales/balance/balance.ts";
import type { Order, OrderLine } from "#sales/orders/order.ts";

import type { Recovery } from "./get-recovery.ts";

export interface BillLine {
  readonly name: string;
  readonly quantity: number;
  /** With its currency, such as `GHS 249.50`; null if the variant no longer has a price. */
  readonly unitPrice: string | null;
  readonly total: string | null;
}

/** Why nothing can be paid, with the HTTP status of the answer. */
export interface Obstacle {
  readonly status: 409 | 410 | 503;
  readonly sentence: string;
}

export interface RecoveryBill {
  readonly heading: string;
  readonly state: "open" | "paid" | "cancelled";
  /** The amount to pay, or the total of a paid or cancelled order. */
  readonly amount: string;
  readonly changes: readonly string[];
  readonly obstacle: Obstacle | null;
  readonly lines: readonly BillLine[];
  /** Name and amount; the last one is the amount to pay or the total. */
  readonly sums: readonly (readonly [string, string])[];
}

const NO_GATEWAY: Obstacle = {
  status: 503,
  sentence: "This shop cannot take payments here at the moment. Please contact the shop.",
};

/** The bill of a recovery; without `takesPayments` nothing can be paid. */
export function billOf(recovery: Recovery, takesPayments: boolean): RecoveryBill {
  const bill = recovery.kind === "cart" ? billOfCart(recovery) : billOfOrder(recovery);
  return takesPayments || bill.obstacle !== null ? bill : { ...bill, obstacle: NO_GATEWAY };
}

type FoundCart = Extract<Recovery, { readonly kind: "cart" }>;

function billOfCart({ cart, lines, differences }: FoundCart): RecoveryBill {
  const { currency } = cart;
  const names = new Map(cart.remembered.map((line) => [line.variantId, line.name]));
  const nameOf = (line: QuotedLine) => line.name ?? names.get(line.variantId) ?? "An item";
  const total = print(cartTotal(lines), currency);
  return {
    heading: "Your cart",
    state: "open",
    amount: total,
    changes: changesOf(lines, differences, { nameOf, currency }),
    obstacle: obstacleOfCart(lines),
    lines: lines.map((line) => ({
      name: nameOf(line),
      quantity: line.quantity,
      unitPrice: printOrNull(line.unitPriceMinor, currency),
      total: printOrNull(line.totalMinor, currency),
    })),
    sums: [["Total", total]],
  };
}

function obstacleOfCart(lines: readonly QuotedLine[]): Obstacle | null {
  if (lines.length === 0) return { status: 409, sentence: "This cart is empty." };
  if (lines.every((line) => line.problem === null)) return null;
  const sentence = "This cart cannot be ordered as it is. Please contact the shop.";
  return { status: 409, sentence };
}

interface Wording {
  readonly nameOf: (line: QuotedLine) => string;
  readonly currency: CurrencyCode;
}

/** A sentence for each variant that changed; a problem hides a change of price. */
function changesOf(
  lines: readonly QuotedLine[],
  differences: readonly CartDifference[],
  wording: Wording,
): string[] {
  const variants = new Map(lines.map((line) => [line.variantId, line]));
  return [...variants.values()].flatMap((line) => {
    const ofLine = differences.filter((one) => one.variantId === line.variantId);
    return problemOf(line, wording) ?? priceChangeOf(line, ofLine, wording) ?? [];
  });
}

function problemOf(line: QuotedLine, { nameOf, currency }: Wording): string | null {
  const name = nameOf(line);
  switch (line.problem) {
    case null:
      return null;
    case "insufficient_stock":
      return (line.available ?? 0) > 0
        ? `Only ${line.available} of ${name} can be ordered now.`
        : `${name} is sold out.`;
    case "price_missing":
      return `${name} is no longer sold in ${currency}.`;
    case "amount_too_large":
      return `${name} costs more than a single order allows.`;
    case "unknown_variant":
    case "variant_not_for_sale":
      return `${name} is no longer for sale.`;
  }
}

function priceChangeOf(
  line: QuotedLine,
  differences: readonly CartDifference[],
  { nameOf, currency }: Wording,
): string | null {
  for (const one of differences) {
    if (one.field !== "unit_price" || one.before === null || one.after === null) continue;
    const [before, after] = [print(one.before, currency), print(one.after, currency)];
    return `${nameOf(line)} now costs ${after} instead of ${before}.`;
  }
  return differences.length === 0 ? null : `${nameOf(line)} can be ordered again.`;
}

type FoundOrder = Extract<Recovery, { readonly kind: "order" }>;

function billOfOrder({ whole: { order, lines }, payments }: FoundOrder): RecoveryBill {
  const isPaid = dueOf(order) === 0;
  const isCancelled = order.status === "cancelled";
  const verb = isCancelled ? " was cancelled" : isPaid ? " is paid" : "";
  return {
    heading: `Order #${order.number}${verb}`,
    state: isCancelled ? "cancelled" : isPaid ? "paid" : "open",
    amount: print(isPaid || isCancelled ? order.totalMinor : dueOf(order), order.currency),
    changes: [],
    obstacle: obstacleOfOrder(order, payments),
    lines: lines.map((line) => billLineOf(line, order.currency)),
    sums: sumsOf(order),
  };
}

function obstacleOfOrder(order: Order, payments: readonly Payment[]): Obstacle | null {
  if (order.status === "cancelled") {
    return { status: 410, sentence: "It can no longer be paid." };
  }
  if (dueOf(order) === 0) {
    return { status: 409, sentence: "It is already paid. Thank you." };
  }
  // A second payment while the first one is on its way would charge the customer twice.
  if (!payments.some(({ status }) => status === "processing" || status === "review")) return null;
  return {
    status: 409,
    sentence: "Your payment is being checked. You do not need to do anything.",
  };
}

function billLineOf(line: OrderLine, currency: CurrencyCode): BillLine {
  return {
    name: line.name,
    quantity: line.quantity,
    unitPrice: print(line.unitPriceMinor, currency),
    total: print(line.subtotalMinor, currency),
  };
}

/** The amounts between the lines and the amount to pay; parts of zero are left out. */
function sumsOf(order: Order): [string, string][] {
  const { currency } = order;
  const parts: [string, number][] = [
    ["Discount", -order.discountMinor],
    ["Shipping", order.shippingMinor],
    ["Tax", order.taxMinor],
  ];
  const sums: [string, number][] = [
    ...parts.filter(([, minor]) => minor !== 0),
    ["Total", order.totalMinor],
  ];
  if (order.paidMinor > 0 && dueOf(order) > 0) {
    sums.push(["Paid", -order.paidMinor], ["To pay", dueOf(order)]);
  }
  return sums.map(([name, minor]) => [name, print(minor, currency)]);
}

function print(amountMinor: number, currency: CurrencyCode): string {
  return `${currency} ${formatAmount(amountMinor, currency)}`;
}

function printOrNull(amountMinor: number | null, currency: CurrencyCode): string | null {
  return amountMinor === null ? null : print(amountMinor, currency);
}

// The model of a shop on one page: stock, reservations, and what each order owes, received, gave back and kept. It
// knows no table, no gateway and no timer.

import type { Goods } from "../support/cast.ts";

export const SHELF = 8;
const PRICE_MINOR = 1250;
/** An attempt on a page is open for an hour, and expires a second before its order. */
const PAGE_MS = 3_600_000;
const BEFORE_ORDER_MS = 1_000;
const DAY_MS = 86_400_000;
/** How long an unpaid order of its way to pay has. */
const TIME_TO_PAY_MS = { gateway: DAY_MS, transfer: 3 * DAY_MS } as const;

/** One of the two products. */
export type Which = 0 | 1;
export const both: readonly Which[] = [0, 1];
export type Units = readonly [number, number];

/** An open payment page. */
export interface Attempt {
  readonly id: string;
  readonly amountMinor: number;
  readonly endsAt: number;
  state: "open" | "paid" | "declined" | "over";
}

/** Money that came: by a gateway, by one that fails every refund, or by hand. */
export interface ModelPayment {
  readonly id: string;
  readonly by: "gateway" | "failing" | "hand";
  capturedMinor: number;
  refundingMinor: number;
}

export interface ModelRefund {
  readonly payment: ModelPayment;
  readonly amountMinor: number;
  status: "pending" | "succeeded" | "failed" | "needs_attention" | "closed";
}

/** Units that move with a refund. */
export interface Moved {
  readonly cancelled?: Units;
  readonly returned?: Units;
  readonly isRestocked?: boolean;
}

export interface ModelOrder {
  readonly id: string;
  readonly units: Units;
  /** By product; none if it was not ordered. */
  readonly lines: readonly [string | null, string | null];
  readonly cancelled: [number, number];
  readonly shipped: [number, number];
  readonly returned: [number, number];
  readonly attempts: Attempt[];
  /** The share of what is owed that keeps the order. */
  readonly depositPercent: number;
  /** When it expires; null once its deposit is paid, it is fulfilled in part, or nothing is due. */
  expiresAt: number | null;
  /** The way of its last money that was due. */
  way: keyof typeof TIME_TO_PAY_MS;
  status: "open" | "completed" | "cancelled";
  readonly payments: ModelPayment[];
  readonly refunds: ModelRefund[];
  /** What the merchant keeps of the money for units that were cancelled or came back. */
  keptMinor: number;
  writtenOffMinor: number;
  /** The total that `order.paid` announced; null before. */
  saleMinor: number | null;
  /** Whether a timer is about to refund what is overpaid. */
  owesRefund: boolean;
}

export class Model {
  readonly goods: readonly [Goods, Goods];
  readonly onHand: [number, number] = [SHELF, SHELF];
  readonly orders: ModelOrder[] = [];
  /** The share that new orders are placed with. */
  depositPercent = 100;
  nowMs: number;

  constructor(goods: readonly [Goods, Goods], nowMs: number) {
    this.goods = goods;
    this.nowMs = nowMs;
  }

  reserved(which: Which): number {
    return this.orders.reduce((sum, order) => sum + openOf(order, which), 0);
  }

  isEnough(units: Units): boolean {
    return both.every((which) => units[which] <= 0 || units[which] <= this.#available(which));
  }

  #available(which: Which): number {
    return this.onHand[which] - this.reserved(which);
  }

  /** Opens a page. */
  ask(order: ModelOrder, { id, amountMinor }: Pick<Attempt, "id" | "amountMinor">): void {
    const endsAt = Math.min(
      this.nowMs + PAGE_MS,
      order.expiresAt === null ? Infinity : order.expiresAt - BEFORE_ORDER_MS,
    );
    order.attempts.push({ id, amountMinor, endsAt, state: "open" });
  }

  /**
   * Receives money. What is not owed goes back at once. What came by hand stays on an order that is not cancelled; of
   * a cancelled one a person hands it back. Pages that ask for more than is due close.
   */
  receive(
    order: ModelOrder,
    {
      id,
      amountMinor,
      by = "gateway",
    }: Pick<Attempt, "id" | "amountMinor"> & Partial<ModelPayment>,
  ): void {
    const payment: ModelPayment = { id, by, capturedMinor: amountMinor, refundingMinor: 0 };
    if (dueOf(order) > 0) order.way = by === "hand" ? "transfer" : "gateway";
    order.payments.push(payment);
    settle(order);
    if (by === "hand" && order.status !== "cancelled") return;
    const surplusMinor = Math.min(amountMinor, surplusOf(order));
    if (surplusMinor > 0) send(order, [openSideEffect(order, payment, surplusMinor)]);
  }

  /** Accepts money that came short. The rest is written off, or the time to pay it starts anew. */
  accept(order: ModelOrder, money: Pick<Attempt, "id" | "amountMinor">, isRestWrittenOff: boolean) {
    this.receive(order, money);
    if (isRestWrittenOff) this.writeOff(order, dueOf(order));
    else if (order.expiresAt !== null) order.expiresAt = this.nowMs + TIME_TO_PAY_MS[order.way];
  }

  /** Corrects what came by hand. */
  correct(order: ModelOrder, payment: ModelPayment, amountMinor: number): void {
    payment.capturedMinor = amountMinor;
    settle(order);
  }

  ship(order: ModelOrder, which: Which, quantity: number): void {
    this.onHand[which] -= quantity;
    order.shipped[which] += quantity;
    settle(order);
  }

  /** Cancels open units; what was paid for them goes back, or is kept. */
  cancel(order: ModelOrder, units: Units, isRefunded = true): void {
    this.#move(order, { cancelled: units }, { isRefunded });
    refundLater(order);
  }

  /** Takes shipped units back. */
  takeBack(order: ModelOrder, units: Units, terms: { isRestocked: boolean; isRefunded: boolean }) {
    this.#move(order, { returned: units, isRestocked: terms.isRestocked }, terms);
    refundLater(order);
  }

  /** Money that was promised before is neither kept nor part of what goes back now. */
  #move(
    order: ModelOrder,
    { cancelled = [0, 0], returned = [0, 0], isRestocked = false }: Moved,
    {
      isRefunded,
      promisedMinor = surplusOf(order),
    }: { readonly isRefunded: boolean; readonly promisedMinor?: number },
  ): void {
    for (const which of both) {
      order.cancelled[which] += cancelled[which];
      order.returned[which] += returned[which];
      if (isRestocked) this.onHand[which] += returned[which];
    }
    if (!isRefunded) order.keptMinor += Math.max(0, surplusOf(order) - promisedMinor);
    settle(order);
    order.owesRefund = surplusOf(order) > 0;
  }

  /** Gives money back as a person asks, with units or without. */
  refund(order: ModelOrder, amountMinor: number, moved: Moved = {}): void {
    const promisedMinor = surplusOf(order);
    const opened = spread(order, amountMinor);
    if (moved.cancelled !== undefined || moved.returned !== undefined) {
      this.#move(order, moved, { isRefunded: false, promisedMinor });
    }
    send(order, opened);
    refundLater(order);
  }

  /** A refund that failed is tried again. Its gateway fails it again. */
  retry(order: ModelOrder, refund: ModelRefund): void {
    setAside(order, refund);
    refund.status = "pending";
    send(order, [refund]);
  }

  /** A refund was given back another way. */
  close(order: ModelOrder, refund: ModelRefund): void {
    if (refund.status === "failed") setAside(order, refund);
    refund.status = "closed";
    settle(order);
  }

  writeOff(order: ModelOrder, amountMinor: number): void {
    order.writtenOffMinor += amountMinor;
    settle(order);
  }

  /** Advances time: pages close, and unpaid orders expire. */
  pass(seconds: number): void {
    this.nowMs += seconds * 1000;
    for (const order of this.orders) {
      for (const attempt of order.attempts.filter(isOpen)) {
        if (attempt.endsAt <= this.nowMs) attempt.state = "over";
      }
      if (order.expiresAt !== null && order.expiresAt <= this.nowMs) {
        this.cancel(order, openUnitsOf(order));
      }
    }
  }
}

export function isOpen({ state }: Attempt): boolean {
  return state === "open";
}

/** Units that are neither cancelled nor shipped. */
export function openOf(order: ModelOrder, which: Which): number {
  return order.units[which] - order.cancelled[which] - order.shipped[which];
}

export function openUnitsOf(order: ModelOrder): Units {
  return [openOf(order, 0), openOf(order, 1)];
}

export function hasOpenUnits(order: ModelOrder): boolean {
  return both.some((which) => openOf(order, which) > 0);
}

export function isPayable(order: ModelOrder): boolean {
  return order.status !== "cancelled" && dueOf(order) > 0;
}

/** Whether the order was paid and all its money went back. */
export function isGivenBack(order: ModelOrder): boolean {
  return order.saleMinor !== null && paidOf(order) > 0 && leftOf(order) === 0;
}

export function dueOf(order: ModelOrder): number {
  if (order.saleMinor !== null || order.status === "cancelled") return 0;
  return Math.max(0, owedOf(order) - leftOf(order));
}

/** What is missing for the order to be kept. */
export function depositDueOf(order: ModelOrder): number {
  if (dueOf(order) === 0) return 0;
  return Math.max(0, Math.ceil((owedOf(order) * order.depositPercent) / 100) - leftOf(order));
}

/** What came, less every refund that did not fail. */
export function leftOf(order: ModelOrder): number {
  return paidOf(order) - refundingOf(order);
}

export function refundableOf({ capturedMinor, refundingMinor }: ModelPayment): number {
  return capturedMinor - refundingMinor;
}

function paidOf({ payments }: ModelOrder): number {
  return payments.reduce((total, { capturedMinor }) => total + capturedMinor, 0);
}

function refundingOf({ payments }: ModelOrder): number {
  return payments.reduce((total, { refundingMinor }) => total + refundingMinor, 0);
}

/** What the customer has back. */
function refundedOf({ refunds }: ModelOrder): number {
  return refunds
    .filter(({ status }) => status === "succeeded" || status === "closed")
    .reduce((total, { amountMinor }) => total + amountMinor, 0);
}

/** Opens refunds: gateways' payments first, newest first. */
function spread(order: ModelOrder, amountMinor: number, isSideEffect = false): ModelRefund[] {
  const newest = order.payments.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const byGateway = newest.filter(({ by }) => by !== "hand");
  const byHand = newest.filter(({ by }) => by === "hand");
  let openMinor = amountMinor;
  return [...byGateway, ...byHand].flatMap((payment) => {
    const minor = Math.min(openMinor, refundableOf(payment));
    if (minor === 0) return [];
    openMinor -= minor;
    const open = isSideEffect ? openSideEffect : openRefund;
    return [open(order, payment, minor)];
  });
}

function openRefund(order: ModelOrder, payment: ModelPayment, amountMinor: number): ModelRefund {
  const refund: ModelRefund = { payment, amountMinor, status: "pending" };
  order.refunds.push(refund);
  setAside(order, refund);
  return refund;
}

/** Opens a refund that no person asked for: money by hand waits for one. */
function openSideEffect(
  order: ModelOrder,
  payment: ModelPayment,
  amountMinor: number,
): ModelRefund {
  const refund = openRefund(order, payment, amountMinor);
  if (payment.by === "hand") refund.status = "needs_attention";
  return refund;
}

function setAside(order: ModelOrder, { payment, amountMinor }: ModelRefund): void {
  payment.refundingMinor += amountMinor;
  settle(order);
}

/** Each gateway answers; a failure frees the amount. */
function send(order: ModelOrder, opened: readonly ModelRefund[]): void {
  for (const refund of opened.filter(({ status }) => status === "pending")) {
    const isFailed = refund.payment.by === "failing";
    refund.status = isFailed ? "failed" : "succeeded";
    if (isFailed) refund.payment.refundingMinor -= refund.amountMinor;
    settle(order);
  }
}

/** The timer that was set where the order was overpaid refunds what it is overpaid then. */
function refundLater(order: ModelOrder): void {
  if (!order.owesRefund) return;
  order.owesRefund = false;
  send(order, spread(order, surplusOf(order), true));
}

const sum = ([one, other]: readonly [number, number]): number => one + other;

function totalOf({ units }: ModelOrder): number {
  return sum(units) * PRICE_MINOR;
}

function creditedOf({ cancelled, returned }: ModelOrder): number {
  return (sum(cancelled) + sum(returned)) * PRICE_MINOR;
}

function owedOf(order: ModelOrder): number {
  return totalOf(order) - creditedOf(order) + order.keptMinor - order.writtenOffMinor;
}

function surplusOf(order: ModelOrder): number {
  return Math.max(0, leftOf(order) - owedOf({ ...order, writtenOffMinor: 0 }));
}

/** What follows from any change. */
function settle(order: ModelOrder): void {
  const withoutIt = owedOf({ ...order, writtenOffMinor: 0 }) - leftOf(order);
  order.writtenOffMinor = Math.min(order.writtenOffMinor, Math.max(0, withoutIt));
  if (order.status === "open" && !hasOpenUnits(order) && sum(order.shipped) === 0) {
    order.status = "cancelled";
  }
  if (order.status !== "cancelled" && dueOf(order) === 0 && leftOf(order) > 0) {
    order.saleMinor ??= totalOf(order) - creditedOf(order);
  }
  closePages(order);
  end(order);
}

/** A kept order does not expire; one that is paid is completed once nothing is open. */
function end(order: ModelOrder): void {
  if (depositDueOf(order) === 0 || sum(order.shipped) > 0) order.expiresAt = null;
  const isDone = dueOf(order) === 0 && !hasOpenUnits(order);
  if (order.status === "open" && isDone) order.status = "completed";
}

/** Pages that ask for more than is due. */
function closePages(order: ModelOrder): void {
  for (const attempt of order.attempts.filter(isOpen)) {
    if (attempt.amountMinor > dueOf(order)) attempt.state = "over";
  }
}

/** The order as the interface must show it. */
export function shownOf(order: ModelOrder): object {
  return {
    status: order.status,
    payment_status: paymentStatusOf(order),
    fulfillment_status: fulfillmentStatusOf(order),
    total_minor: totalOf(order),
    credited_total_minor: creditedOf(order),
    kept_total_minor: order.keptMinor,
    written_off_total_minor: order.writtenOffMinor,
    paid_total_minor: paidOf(order),
    refunded_total_minor: refundedOf(order),
    refunding_total_minor: refundingOf(order),
    due_minor: dueOf(order),
    deposit_due_minor: depositDueOf(order),
    expires_at: order.expiresAt === null ? null : new Date(order.expiresAt).toISOString(),
  };
}

function fulfillmentStatusOf(order: ModelOrder): string {
  if (sum(order.shipped) === 0) return "unfulfilled";
  return hasOpenUnits(order) ? "partially_fulfilled" : "fulfilled";
}

function paymentStatusOf(order: ModelOrder): string {
  if (dueOf(order) > 0) {
    if (leftOf(order) > 0) return "partially_paid";
    return order.attempts.some(isOpen) ? "pending" : "unpaid";
  }
  if (paidOf(order) === 0) return order.saleMinor === null ? "unpaid" : "paid";
  if (refundedOf(order) === paidOf(order)) return "refunded";
  if (leftOf(order) > owedOf(order)) return "overpaid";
  return refundedOf(order) > 0 ? "partially_refunded" : "paid";
}

/** The refunds of the order as the interface must show them, in any order. */
export function refundsOf({ refunds }: ModelOrder): string[] {
  return refunds
    .map(({ payment, amountMinor, status }) => `${payment.id} ${amountMinor} ${status}`)
    .toSorted();
}

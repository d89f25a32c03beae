// The model of a shop on one page: stock, reservations, and what each order owes, received, gave back and kept. It
// knows no table, no gateway and no timer.

import type { Goods } from "../support/cast.ts";
import {
  type Attempt,
  both,
  creditedOf,
  depositDueOf,
  dueOf,
  halfUp,
  hasOpenUnits,
  isOpen,
  leftOf,
  type ModelOrder,
  type ModelPayment,
  type ModelRefund,
  type Moved,
  openOf,
  openUnitsOf,
  owedOf,
  refundableOf,
  surplusOf,
  totalOf,
  type Units,
  unitsIn,
  type Which,
} from "./shop-order.ts";
import type { ModelDiscount, PriceList, Wish } from "./shop-prices.ts";

export const SHELF = 8;
/** An attempt on a page is open for an hour, and expires a second before its order. */
const PAGE_MS = 3_600_000;
const BEFORE_ORDER_MS = 1_000;
const DAY_MS = 86_400_000;
/** How long an unpaid order of its way to pay has. */
const TIME_TO_PAY_MS = { gateway: DAY_MS, transfer: 3 * DAY_MS } as const;

/** A cart that is not completed, and the codes that applied when it was answered last. */
interface ModelCart {
  readonly id: string;
  readonly wish: Wish;
  readonly appliedCodes: readonly string[];
}

export class Model {
  readonly goods: readonly [Goods, Goods];
  readonly prices: PriceList;
  readonly carts: ModelCart[] = [];
  readonly onHand: [number, number] = [SHELF, SHELF];
  readonly orders: ModelOrder[] = [];
  /** The share that new orders are placed with. */
  depositPercent = 100;
  nowMs: number;

  constructor(goods: readonly [Goods, Goods], prices: PriceList, nowMs: number) {
    this.goods = goods;
    this.prices = prices;
    this.nowMs = nowMs;
  }

  /** The orders that count as uses of the discount: all but those that were cancelled without keeping money. */
  usesOf({ id }: ModelDiscount): readonly ModelOrder[] {
    return this.orders.filter(
      ({ price, status, keptMinor }) =>
        price.discounts.some((one) => one.id === id) && (status !== "cancelled" || keptMinor > 0),
    );
  }

  /** Prices a wish. A cart tells nothing of what its customer did before. */
  quote(wish: Wish, place: "order" | "cart" = "order") {
    return this.prices.quote(wish, (one) => {
      const uses = this.usesOf(one);
      const { limit, isOncePerCustomer } = one.deal;
      if (limit !== null && uses.length >= limit) return "exhausted";
      if (!isOncePerCustomer || place === "cart") return null;
      if (wish.email === null) return "customer_required";
      return uses.some(({ email }) => email === wish.email) ? "used_by_customer" : null;
    });
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

  /** Changes the units of an order that is not paid, by what was agreed. */
  edit(order: ModelOrder, units: Units): void {
    order.units = units;
    order.price = this.prices.requote(order.price, units);
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
  refund(order: ModelOrder, amountMinor: number, terms: Moved & { shippingMinor?: number } = {}) {
    const { shippingMinor = 0, ...moved } = terms;
    const promisedMinor = surplusOf(order);
    const opened = spread(order, { amountMinor, shippingMinor });
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

/** Opens refunds: gateways' payments first, newest first. */
function spread(
  order: ModelOrder,
  { amountMinor, shippingMinor = 0 }: { amountMinor: number; shippingMinor?: number },
  isSideEffect = false,
): ModelRefund[] {
  const newest = order.payments.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const byGateway = newest.filter(({ by }) => by !== "hand");
  const byHand = newest.filter(({ by }) => by === "hand");
  let openMinor = Math.min(
    amountMinor,
    newest.reduce((left, payment) => left + refundableOf(payment), 0),
  );
  let shippingOpenMinor = shippingMinor;
  return [...byGateway, ...byHand].flatMap((payment) => {
    const minor = Math.min(openMinor, refundableOf(payment));
    if (minor === 0) return [];
    const ofShippingMinor = openMinor === 0 ? 0 : halfUp(shippingOpenMinor * minor, openMinor);
    openMinor -= minor;
    shippingOpenMinor -= ofShippingMinor;
    if (isSideEffect) return [openSideEffect(order, payment, minor)];
    return [openRefund(order, payment, { amountMinor: minor, shippingMinor: ofShippingMinor })];
  });
}

function openRefund(
  order: ModelOrder,
  payment: ModelPayment,
  amounts: Pick<ModelRefund, "amountMinor" | "shippingMinor">,
): ModelRefund {
  const refund: ModelRefund = { payment, ...amounts, status: "pending" };
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
  const refund = openRefund(order, payment, { amountMinor, shippingMinor: 0 });
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
  send(order, spread(order, { amountMinor: surplusOf(order) }, true));
}

/** What follows from any change. */
export function settle(order: ModelOrder): void {
  const withoutIt = owedOf({ ...order, writtenOffMinor: 0 }) - leftOf(order);
  order.writtenOffMinor = Math.min(order.writtenOffMinor, Math.max(0, withoutIt));
  if (order.status === "open" && !hasOpenUnits(order) && unitsIn(order.shipped) === 0) {
    order.status = "cancelled";
  }
  const isMoneyless = leftOf(order) <= 0 && totalOf(order) > 0;
  if (order.status !== "cancelled" && dueOf(order) === 0 && !isMoneyless) {
    order.saleMinor ??= totalOf(order) - creditedOf(order);
  }
  closePages(order);
  end(order);
}

/** A kept order does not expire; one that is paid is completed once nothing is open. */
function end(order: ModelOrder): void {
  if (depositDueOf(order) === 0 || unitsIn(order.shipped) > 0) order.expiresAt = null;
  const isDone = dueOf(order) === 0 && !hasOpenUnits(order);
  if (order.status === "open" && isDone) order.status = "completed";
}

/** Pages that ask for more than is due. */
function closePages(order: ModelOrder): void {
  for (const attempt of order.attempts.filter(isOpen)) {
    if (attempt.amountMinor > dueOf(order)) attempt.state = "over";
  }
}

// The model of a shop on one page: stock, reservations, and what each order owes, received, gave back and kept. It
// knows no table, no gateway and no timer.

import type { Goods } from "../support/cast.ts";
import {
  type Attempt,
  both,
  creditedOf,
  debtOf,
  depositDueOf,
  dueOf,
  freedOf,
  halfUp,
  hasOpenUnits,
  isOpen,
  keptReturningOf,
  leftOf,
  type ModelOrder,
  type ModelPayment,
  type ModelRefund,
  type Moved,
  openOf,
  openUnitsOf,
  refundableOf,
  surplusOf,
  toReturnOf,
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
      ({ price, status, keepsDiscounts }) =>
        price.discounts.some((one) => one.id === id) && (status !== "cancelled" || keepsDiscounts),
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
    order.debtMinor -= amountMinor;
    settle(order);
    if (by === "hand" && order.status !== "cancelled") return;
    const surplusMinor = Math.min(amountMinor, surplusOf(order));
    const amounts = { amountMinor: surplusMinor, shippingMinor: 0, namedMinor: 0 };
    if (surplusMinor > 0) send(order, [openSideEffect(order, payment, amounts)]);
  }

  /** Accepts money that came short. The rest is written off, or the time to pay it starts anew. */
  accept(order: ModelOrder, money: Pick<Attempt, "id" | "amountMinor">, isRestWrittenOff: boolean) {
    this.receive(order, money);
    if (isRestWrittenOff) this.writeOff(order, dueOf(order));
    else if (order.expiresAt !== null) order.expiresAt = this.nowMs + TIME_TO_PAY_MS[order.way];
  }

  /** Corrects what came by hand. */
  correct(order: ModelOrder, payment: ModelPayment, amountMinor: number): void {
    const moreMinor = amountMinor - payment.capturedMinor;
    payment.capturedMinor = amountMinor;
    order.debtMinor -= moreMinor;
    settle(order);
    if (order.status !== "cancelled" || moreMinor <= 0) return;
    const handedMinor = Math.min(moreMinor, surplusOf(order));
    const amounts = { amountMinor: handedMinor, shippingMinor: 0, namedMinor: 0 };
    if (handedMinor > 0) openSideEffect(order, payment, amounts);
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
    giveBack(order);
  }

  /** Takes shipped units back. */
  takeBack(order: ModelOrder, units: Units, terms: { isRestocked: boolean; isRefunded: boolean }) {
    this.#move(order, { returned: units, isRestocked: terms.isRestocked }, terms);
    giveBack(order);
  }

  /** What is due, and what was written off, falls first; the rest of the money for the units goes back or is kept. */
  #move(
    order: ModelOrder,
    { cancelled = [0, 0], returned = [0, 0], isRestocked = false }: Moved,
    { isRefunded }: { readonly isRefunded: boolean },
  ): void {
    const creditedMinor = creditedOf(order);
    const owingMinor = Math.max(0, debtOf(order) + order.writtenOffMinor);
    for (const which of both) {
      order.cancelled[which] += cancelled[which];
      order.returned[which] += returned[which];
      if (isRestocked) this.onHand[which] += returned[which];
    }
    const ofUnitsMinor = creditedOf(order) - creditedMinor;
    if (order.saleMinor === null) {
      const paidMinor = ofUnitsMinor - Math.min(ofUnitsMinor, owingMinor);
      order.keptApartMinor += isRefunded ? 0 : paidMinor;
    } else {
      const freedMinor = freedOf(order, ofUnitsMinor);
      const unpaidMinor = Math.min(freedMinor, owingMinor);
      order.saleLeftMinor -= unpaidMinor;
      order.debtMinor -= unpaidMinor;
      order.keptOfSaleMinor += isRefunded ? 0 : freedMinor - unpaidMinor;
    }
    settle(order);
  }

  /** Gives money back as a person asks, with units or without. */
  refund(
    order: ModelOrder,
    amountMinor: number,
    terms: Moved & { readonly shippingMinor?: number; readonly namedMinor?: number } = {},
  ): void {
    const { shippingMinor = 0, namedMinor = shippingMinor, ...moved } = terms;
    const opened = spread(order, { amountMinor, shippingMinor, namedMinor });
    if (moved.cancelled !== undefined || moved.returned !== undefined) {
      this.#move(order, moved, { isRefunded: false });
    }
    send(order, opened);
  }

  /** A refund that failed is tried again. Its gateway fails it again. */
  retry(order: ModelOrder, refund: ModelRefund): void {
    setAside(order, refund);
    refund.status = "pending";
    send(order, [refund]);
  }

  /** A refund that was made came back. */
  failLate(order: ModelOrder, refund: ModelRefund): void {
    refund.status = "failed";
    free(order, refund);
    settle(order);
  }

  /** A refund was given back another way. */
  close(order: ModelOrder, refund: ModelRefund): void {
    if (refund.status === "failed") setAside(order, refund);
    refund.status = "closed";
    settle(order);
  }

  writeOff(order: ModelOrder, amountMinor: number): void {
    order.writtenOffMinor += amountMinor;
    order.debtMinor -= amountMinor;
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

type Amounts = Pick<ModelRefund, "amountMinor" | "shippingMinor" | "namedMinor">;

/** Opens refunds: gateways' payments first, newest first. */
function spread(
  order: ModelOrder,
  { amountMinor, shippingMinor, namedMinor }: Amounts,
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
  let namedOpenMinor = order.saleMinor === null ? 0 : Math.min(openMinor, namedMinor);
  return [...byGateway, ...byHand].flatMap((payment) => {
    const minor = Math.min(openMinor, refundableOf(payment));
    if (minor === 0) return [];
    const ofShippingMinor = openMinor === 0 ? 0 : halfUp(shippingOpenMinor * minor, openMinor);
    const ofNamedMinor = openMinor === 0 ? 0 : halfUp(namedOpenMinor * minor, openMinor);
    openMinor -= minor;
    shippingOpenMinor -= ofShippingMinor;
    namedOpenMinor -= ofNamedMinor;
    const amounts = {
      amountMinor: minor,
      shippingMinor: ofShippingMinor,
      namedMinor: ofNamedMinor,
    };
    const open = isSideEffect ? openSideEffect : openRefund;
    return [open(order, payment, amounts)];
  });
}

function openRefund(order: ModelOrder, payment: ModelPayment, amounts: Amounts): ModelRefund {
  const refund: ModelRefund = {
    payment,
    ...amounts,
    saleMinor: 0,
    keptMinor: 0,
    status: "pending",
  };
  setAside(order, refund);
  order.refunds.push(refund);
  return refund;
}

/** Opens a refund that no person asked for: money by hand waits for one. */
function openSideEffect(order: ModelOrder, payment: ModelPayment, amounts: Amounts): ModelRefund {
  const refund = openRefund(order, payment, amounts);
  if (payment.by === "hand") refund.status = "needs_attention";
  return refund;
}

/** What was named is of the sale; the rest is of what was not owed, of what was kept, and then of the sale. */
function setAside(order: ModelOrder, refund: ModelRefund): void {
  const { payment, amountMinor, namedMinor } = refund;
  refund.saleMinor = 0;
  refund.keptMinor = 0;
  if (order.saleMinor !== null || order.status === "cancelled") {
    const wholeMinor = Math.min(amountMinor, namedMinor, order.saleLeftMinor);
    const unneededMinor = Math.min(amountMinor - wholeMinor, surplusOf(order));
    const keptLeftMinor = order.keptApartMinor - keptReturningOf(order);
    refund.keptMinor = Math.min(amountMinor - wholeMinor - unneededMinor, keptLeftMinor);
    refund.saleMinor = amountMinor - unneededMinor - refund.keptMinor;
    order.saleLeftMinor -= refund.saleMinor;
    order.debtMinor += unneededMinor;
  }
  payment.refundingMinor += amountMinor;
  settle(order);
}

/** Each gateway answers; a failure frees the amount. */
function send(order: ModelOrder, opened: readonly ModelRefund[]): void {
  for (const refund of opened.filter(({ status }) => status === "pending")) {
    const isFailed = refund.payment.by === "failing";
    refund.status = isFailed ? "failed" : "succeeded";
    if (isFailed) free(order, refund);
    settle(order);
  }
}

/** The money is there again, and what it was of is sold or kept as before. */
function free(
  order: ModelOrder,
  { payment, amountMinor, saleMinor, keptMinor }: ModelRefund,
): void {
  payment.refundingMinor -= amountMinor;
  order.saleLeftMinor += saleMinor;
  order.debtMinor -= amountMinor - saleMinor - keptMinor;
}

/** Refunds that failed are tried again as far as they have to go back; the rest has new ones. */
function giveBack(order: ModelOrder): void {
  const failed = order.refunds.filter(
    ({ payment, status }) => status === "failed" && payment.by !== "hand",
  );
  let openMinor = toReturnOf(order);
  const again = failed.filter((refund) => {
    if (refund.amountMinor > Math.min(openMinor, refundableOf(refund.payment))) return false;
    openMinor -= refund.amountMinor;
    setAside(order, refund);
    refund.status = "pending";
    return true;
  });
  const amountMinor = toReturnOf(order);
  const namedMinor = amountMinor - surplusOf(order);
  const opened = spread(order, { amountMinor, shippingMinor: 0, namedMinor }, true);
  send(order, [...again, ...opened]);
}

/** What follows from any change. */
export function settle(order: ModelOrder): void {
  const takenMinor = Math.min(order.writtenOffMinor, surplusOf(order));
  order.writtenOffMinor -= takenMinor;
  order.debtMinor += takenMinor;
  if (order.status === "open" && !hasOpenUnits(order) && unitsIn(order.shipped) === 0) {
    order.status = "cancelled";
    order.keepsDiscounts = order.keptApartMinor + order.keptOfSaleMinor > 0;
  }
  if (order.status === "cancelled" && debtOf(order) > 0) forgive(order, debtOf(order));
  if (order.saleMinor === null && order.status !== "cancelled") sellIfPaid(order);
  closePages(order);
  end(order);
}

function sellIfPaid(order: ModelOrder): void {
  const isMoneyless = leftOf(order) <= 0 && totalOf(order) > 0;
  if (dueOf(order) > 0 || isMoneyless) return;
  order.debtMinor = debtOf(order);
  order.saleMinor = totalOf(order) - creditedOf(order);
  order.saleLeftMinor = order.saleMinor;
}

/** What a correction took from a cancelled order is kept no more, and then sold no more. */
function forgive(order: ModelOrder, minor: number): void {
  const apartMinor = Math.min(minor, order.keptApartMinor - keptReturningOf(order));
  const restMinor = minor - apartMinor;
  order.keptApartMinor -= apartMinor;
  order.keptOfSaleMinor -= Math.min(restMinor, order.keptOfSaleMinor);
  order.saleLeftMinor -= restMinor;
  order.debtMinor = 0;
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

// The life of one order, told at once: what becomes of it, and what happens when on the way. The
// rules and the announcements are the shop's own; only the course of things is made up here.

import type { MovementReason } from "#catalog/rows/inventory.ts";
import { type Id, newId } from "#kernel/id.ts";
import { isGatewayMethod } from "#kernel/payment-method.ts";
import { composePayment } from "#payments/attempts/payment-request.ts";
import { moneyReturned, paymentMoved } from "#payments/rows/events.ts";
import { gatewayReferenceOf, type Payment } from "#payments/rows/payment.ts";
import type { Refund } from "#payments/rows/refund.ts";
import type { Announcement } from "#platform/database/database.ts";
import { NO_LINEAGE } from "#platform/http/contract/idempotent.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import {
  orderCancelled,
  orderFulfilled,
  orderPaid,
  orderPartlyFulfilled,
  orderPlaced,
} from "#sales/orders/events.ts";
import { dueOf, isDone, partsOfRefund, paymentStatusOf } from "#sales/rows/balance.ts";
import type { CancelReason } from "#sales/rows/order-life.ts";
import {
  type Fulfillment,
  fulfillmentStatusOf,
  type Order,
  type OrderLine,
  unitsByVariant,
} from "#sales/rows/order.ts";
import { saleOf } from "#sales/rows/sale.ts";
import { unlimited } from "#shop/store/public-limits.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What the longest life takes; the last order of a built shop is older than this. */
export const LIFE_MS_MAX = 48 * HOUR_MS;

/** Units of one variant that come or go. */
export interface StockMove {
  readonly variantId: Id<"variant">;
  readonly deltaOnHand: number;
  readonly deltaReserved: number;
  readonly reason: MovementReason;
}

/** What happens in one commit. */
export interface Happening {
  readonly at: number;
  /** Whether a caller did it, or the shop by itself. */
  readonly isAsked: boolean;
  readonly moves: readonly StockMove[];
  readonly announcements: readonly Announcement[];
}

/** How often each course of things comes, of a thousand orders. The rest is paid and shipped. */
const shares = {
  expired: 60,
  cancelled: 25,
  refunded: 25,
  waiting: 25,
  partlyShipped: 25,
  partlyReturned: 25,
  partlyPaid: 25,
  overpaid: 25,
  transferAwaited: 25,
} as const;
export type Course = keyof typeof shares | "sold";

/** What a bank transfer alone can become. */
const transfers: ReadonlySet<Course> = new Set(["partlyPaid", "overpaid", "transferAwaited"]);
/** What is paid before it ships, or never. */
const prepaid: ReadonlySet<Course> = new Set(["expired", "refunded"]);

/** The course for a share of 0 to 1. */
export function courseAt(share: number): Course {
  let left = share * 1000;
  for (const course of coursesInOrder) {
    left -= shares[course];
    if (left < 0) return course;
  }
  return "sold";
}

const coursesInOrder = [
  "expired",
  "cancelled",
  "refunded",
  "waiting",
  "partlyShipped",
  "partlyReturned",
  "partlyPaid",
  "overpaid",
  "transferAwaited",
] as const;

/** How such an order is paid, for a share of 0 to 1. */
export function methodOf(course: Course, share: number): Order["paymentMethod"] {
  if (transfers.has(course)) return "bank_transfer";
  if (share < 0.5) return "mobile_money";
  if (share < 0.7) return "card";
  if (share < 0.8 || prepaid.has(course)) return "gateway";
  return share < 0.95 ? "cash_on_delivery" : "bank_transfer";
}

/** What the links of the built shop are made with; no server opens them. */
const publicUrl = "http://127.0.0.1:8080";
const linkTerms = { secret: "built", publicUrl, orderUrlTemplate: null };

/** An order as it is in the end, with everything that led there. */
export class OrderLife {
  order: Order;
  lines: readonly OrderLine[];
  readonly fulfillments: Fulfillment[] = [];
  readonly payments: Payment[] = [];
  readonly refunds: Refund[] = [];
  readonly happenings: Happening[] = [];

  constructor(order: Order, lines: readonly OrderLine[]) {
    this.order = order;
    this.lines = lines;
    this.#tell(order.createdAt, {
      moves: this.#moves("reservation", 0, 1),
      announcements: [orderPlaced({ order, lines }, orderLinkOf(linkTerms, order).statusUrl)],
    });
  }

  /** Lets the course happen; `pace` from 0 to 1 says how fast. */
  run(course: Course, pace: number): this {
    const start = this.order.createdAt;
    const paidAt = start + Math.round(MINUTE_MS * (2 + 20 * pace));
    const shippedAt = start + Math.round(HOUR_MS * (2 + 24 * pace));
    switch (course) {
      case "expired":
        if (pace < 0.5) this.#fail(paidAt);
        this.#cancel(start + 24 * HOUR_MS, "expired");
        break;
      case "cancelled":
        this.#cancel(shippedAt, "customer");
        break;
      case "refunded":
        this.#pay(paidAt, this.order.totalMinor);
        this.#cancel(shippedAt, "merchant");
        this.#giveBack(shippedAt + 2 * MINUTE_MS, this.order.totalMinor);
        break;
      case "transferAwaited":
        this.#open(paidAt, this.order.totalMinor);
        break;
      case "partlyPaid":
        this.#pay(paidAt, Math.ceil(this.order.totalMinor / 2));
        break;
      default:
        this.#sell(course, { paidAt, shippedAt });
    }
    return this;
  }

  #sell(
    course: "sold" | "waiting" | "partlyShipped" | "partlyReturned" | "overpaid",
    { paidAt, shippedAt }: { readonly paidAt: number; readonly shippedAt: number },
  ): void {
    const { totalMinor, paymentMethod } = this.order;
    const isCash = paymentMethod === "cash_on_delivery";
    const received = course === "overpaid" ? totalMinor + 500 : totalMinor;
    if (!isCash) this.#pay(paidAt, totalMinor, received);
    if (course !== "waiting") this.#ship(shippedAt, course === "partlyShipped");
    if (isCash) this.#pay(shippedAt + 2 * HOUR_MS, totalMinor);
    if (course === "partlyReturned") {
      this.#giveBack(shippedAt + 18 * HOUR_MS, Math.ceil(totalMinor / 4));
    }
  }

  /** The order's next version, with what follows from its totals and lines. */
  #change(at: number, change: Partial<Order>): Order {
    const after = { ...this.order, ...change, version: this.order.version + 1, updatedAt: at };
    const fulfillmentStatus = fulfillmentStatusOf(this.lines);
    const isComplete = after.status === "open" && isDone({ ...after, fulfillmentStatus });
    this.order = {
      ...after,
      fulfillmentStatus,
      paymentStatus: paymentStatusOf(after),
      dueMinor: dueOf(after),
      status: isComplete ? "completed" : after.status,
    };
    return this.order;
  }

  #tell(at: number, { moves = [], announcements, isAsked = true }: Told): void {
    this.happenings.push({ at, isAsked, moves, announcements });
  }

  #open(at: number, amountMinor: number): Payment {
    const { paymentMethod: method, currency, customer } = this.order;
    const payment = composePayment(
      {
        orderId: this.order.id,
        amount: undefined,
        isDeposit: false,
        gateway: null,
        currency: undefined,
        method: undefined,
        phone: method === "mobile_money" ? (customer?.phone ?? "+254700000000") : null,
        provider: method === "mobile_money" ? "mpesa" : null,
        cardToken: method === "card" ? "tok_test_visa" : null,
        returnUrl: null,
        reference: null,
        metadata: {},
        isFromMerchant: true,
        askedBy: unlimited,
        lineage,
        seesAll: true,
      },
      {
        now: at,
        order: this.order,
        method,
        gateway: isGatewayMethod(method)
          ? { id: "simulated", newReference: gatewayReferenceOf }
          : null,
        byHand: isGatewayMethod(method)
          ? null
          : { instructions: "Pay when your order arrives.", accounts: [] },
        amountMinor,
        currency,
        idempotent: idempotentRequest(),
      },
    );
    const order = this.#change(at, { openAttempts: this.order.openAttempts + 1 });
    this.payments.push(payment);
    this.#tell(at, { announcements: [paymentMoved("payment.initialized", payment, order)] });
    return payment;
  }

  #pay(at: number, amountMinor: number, receivedMinor = amountMinor): void {
    const opened = this.#open(at, amountMinor);
    const succeededAt = at + 2 * MINUTE_MS;
    const payment = this.#movePayment(opened, succeededAt, {
      status: "succeeded",
      receivedMinor,
      receivedCurrency: opened.currency,
      capturedMinor: receivedMinor,
      succeededAt,
    });
    const moved = paymentMoved("payment.succeeded", payment, this.order);
    const paidMinor = this.order.paidMinor + receivedMinor;
    const isSettled = dueOf({ ...this.order, paidMinor }) === 0;
    const order = this.#change(succeededAt, {
      paidMinor,
      openAttempts: this.order.openAttempts - 1,
      ...(isSettled
        ? { expiresAt: null, paidAt: succeededAt, saleTotalMinor: this.order.totalMinor }
        : {}),
    });
    const announcements = isSettled
      ? [
          moved,
          orderPaid(order, saleOf(order, this.lines), orderLinkOf(linkTerms, order).statusUrl),
        ]
      : [moved];
    this.#tell(succeededAt, { announcements, isAsked: opened.gateway === null });
  }

  #fail(at: number): void {
    const opened = this.#open(at, this.order.totalMinor);
    const failedAt = at + MINUTE_MS;
    const payment = this.#movePayment(opened, failedAt, {
      status: "failed",
      failureCode: "insufficient_funds",
      failedAt,
    });
    const moved = paymentMoved("payment.failed", payment, this.order);
    this.#change(failedAt, { openAttempts: this.order.openAttempts - 1 });
    this.#tell(failedAt, { announcements: [moved], isAsked: false });
  }

  #movePayment(before: Payment, at: number, change: Partial<Payment>): Payment {
    const after = { ...before, ...change, version: before.version + 1, updatedAt: at };
    this.payments[this.payments.length - 1] = after;
    return after;
  }

  /** All that is open, or all but one unit. */
  #ship(at: number, isPart: boolean): void {
    const shipped = this.lines.map((line, index) => ({
      line,
      quantity: line.quantity - (isPart && index === 0 ? 1 : 0),
    }));
    const leaving = shipped.filter(({ quantity }) => quantity > 0);
    const fulfillment: Fulfillment = {
      orderId: this.order.id,
      id: newId("fulfillment", at),
      lines: leaving.map(({ line, quantity }) => ({ lineItemId: line.id, quantity })),
      tracking: { carrier: "Boda Express", number: `BX${this.order.number}`, url: null },
      metadata: {},
      cancelledAt: null,
      cancelNote: null,
      createdAt: at,
    };
    this.fulfillments.push(fulfillment);
    const units = leaving.map(({ line, quantity }) => ({ ...line, quantity }));
    this.lines = shipped.map(({ line, quantity }) => ({ ...line, fulfilledQuantity: quantity }));
    const order = this.#change(at, { fulfilledAt: isPart ? null : at, expiresAt: null });
    this.#tell(at, {
      moves: unitsByVariant(units).map(({ variantId, quantity }) => ({
        variantId,
        deltaOnHand: -quantity,
        deltaReserved: -quantity,
        reason: "fulfillment",
      })),
      announcements: [
        isPart ? orderPartlyFulfilled(order, fulfillment) : orderFulfilled(order, fulfillment),
      ],
    });
  }

  #cancel(at: number, cancelReason: CancelReason): void {
    const change = { status: "cancelled", cancelReason, cancelledAt: at, expiresAt: null } as const;
    const order = this.#change(at, change);
    this.#tell(at, {
      moves: this.#moves("release", 0, -1),
      announcements: [orderCancelled(order, true)],
      isAsked: cancelReason !== "expired",
    });
  }

  /** Out of the last payment, which captured at least as much. */
  #giveBack(at: number, amountMinor: number): void {
    const payment = this.payments.at(-1);
    if (payment === undefined) throw new Error("There is no payment to give back.");
    const refund: Refund = {
      id: newId("refund", at - MINUTE_MS),
      paymentId: payment.id,
      orderId: this.order.id,
      status: "succeeded",
      amountMinor,
      currency: payment.currency,
      reason: this.order.status === "cancelled" ? "order_cancelled" : "requested_by_customer",
      note: null,
      lines: [],
      shippingMinor: 0,
      namedMinor: 0,
      ...partsOfRefund(this.order, { amountMinor, namedMinor: 0 }),
      keptTaxes: [],
      taxes: [],
      isAutomatic: false,
      isExternal: false,
      gatewayRefundId: null,
      gatewayCode: null,
      askedAt: at - MINUTE_MS,
      missedAt: null,
      isUnknown: false,
      attention: null,
      retriedAt: null,
      actorId: null,
      reopenedAt: null,
      approval: null,
      closedAt: null,
      closeNote: null,
      givenBy: null,
      lineage: NO_LINEAGE,
      idempotencyKey: null,
      fingerprint: null,
      succeededAt: at,
      version: 2,
      createdAt: at - MINUTE_MS,
      updatedAt: at,
    };
    this.refunds.push(refund);
    const isWhole = amountMinor === payment.capturedMinor;
    this.#movePayment(payment, at, {
      status: isWhole ? "refunded" : "partially_refunded",
      refundingMinor: amountMinor,
      refundedMinor: amountMinor,
    });
    const order = this.#change(at, {
      refundingMinor: this.order.refundingMinor + amountMinor,
      saleRefundingMinor: this.order.saleRefundingMinor + refund.saleMinor,
      refundedMinor: this.order.refundedMinor + amountMinor,
    });
    const returned = moneyReturned(order, { refund, payment, all: this.refunds });
    this.#tell(at, { announcements: [returned], isAsked: false });
  }

  #moves(reason: MovementReason, onHand: number, reserved: number): StockMove[] {
    return unitsByVariant(this.lines).map(({ variantId, quantity }) => ({
      variantId,
      deltaOnHand: onHand * quantity,
      deltaReserved: reserved * quantity,
      reason,
    }));
  }
}

interface Told {
  readonly moves?: readonly StockMove[];
  readonly announcements: readonly Announcement[];
  readonly isAsked?: boolean;
}

/** As a careful client sends it. */
const lineage = "key_1";

function idempotentRequest() {
  const key = crypto.randomUUID();
  const fingerprint = new Bun.CryptoHasher("sha256").update(key).digest("hex");
  return { key, lineage, elsewhere: lineage, fingerprint };
}

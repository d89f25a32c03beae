// A year of orders, minute by minute: who orders what, and everything that follows, in the order in
// which it happens. Invariant: the same number makes the same year, whenever it is made.

import type { CurrencyCode } from "#kernel/currency.ts";
import { newId } from "#kernel/id.ts";
import { isPrepaid } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import { agreedSale } from "#pricing/quote/agreed-sale.ts";
import { type PricedLine, priceLines } from "#pricing/quote/price-order.ts";
import { dueOf, paymentStatusOf } from "#sales/rows/balance.ts";
import { emptyShared } from "#sales/rows/cart.ts";
import type { CustomerSnapshot } from "#sales/rows/order-life.ts";
import type { Order, OrderLine } from "#sales/rows/order.ts";

import { type Catalog, homeOf, type Ware } from "./catalog.ts";
import {
  type Course,
  courseAt,
  type Happening,
  LIFE_MS_MAX,
  methodOf,
  OrderLife,
} from "./order-life.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Where the numbers of a shop start. */
const FIRST_NUMBER = 1001;
const LINES_MAX = 4;
/** Steps of this share through 0 to 1 come evenly, however few are taken. */
const GOLDEN = 0.618_033_988_749_895;
const SEED = 20_260_101;

const unpaid = {
  depositPercent: 100,
  isFromPublicKey: false,
  isStrangers: false,
  creditedMinor: 0,
  keptMinor: 0,
  keptApartMinor: 0,
  saleRefundingMinor: 0,
  keptRefundingMinor: 0,
  writtenOffMinor: 0,
  saleTotalMinor: null,
  paidMinor: 0,
  refundingMinor: 0,
  refundedMinor: 0,
  openAttempts: 0,
  paymentsInReview: 0,
} as const;
const noDelivery = { shippingLabel: null, shippingMinor: 0, shippingAddress: null } as const;
/** Nothing happened with it yet. */
const untouched = {
  status: "open",
  fulfillmentStatus: "unfulfilled",
  ...emptyShared,
  cartId: null,
  cancelReason: null,
  cancelNote: null,
  taxId: null,
  breakdown: null,
  paidAt: null,
  fulfilledAt: null,
  cancelledAt: null,
  version: 1,
} as const;

/** Takes down what a year brings. */
export interface Book {
  /** A new order as it is in the end. */
  place(life: OrderLife): void;
  happen(orderId: Order["id"], happening: Happening): void;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly orders: number;
}

interface Due {
  readonly orderId: Order["id"];
  readonly happening: Happening;
}

export class Year {
  readonly #catalog: Catalog;
  readonly #span: Span;
  readonly #random = randomFrom(SEED);
  /** By minute. What an order brings about comes minutes after it at least. */
  readonly #due = new Map<number, Due[]>();
  #placed = 0;

  constructor(catalog: Catalog, span: Span) {
    this.#catalog = catalog;
    this.#span = span;
  }

  /** Lets the year pass; tells how many orders there are so far. */
  run(book: Book, onProgress: (orders: number) => void): void {
    const last = minuteOf(this.#span.end + LIFE_MS_MAX);
    for (let minute = minuteOf(this.#span.start); minute <= last; minute += 1) {
      while (this.#placed < this.#span.orders && minuteOf(this.#nextAt()) <= minute) {
        this.#place(book);
        if (this.#placed % 100 === 0) onProgress(this.#placed);
      }
      const due = this.#due.get(minute) ?? [];
      this.#due.delete(minute);
      due.sort((one, other) => one.happening.at - other.happening.at);
      for (const { orderId, happening } of due) book.happen(orderId, happening);
    }
    onProgress(this.#placed);
  }

  /** When the next order comes: evenly over the year. */
  #nextAt(): number {
    const { start, end, orders } = this.#span;
    return Math.floor(start + ((this.#placed + 0.5) * (end - start)) / orders);
  }

  #place(book: Book): void {
    const at = this.#nextAt();
    const course = courseAt((this.#placed * GOLDEN) % 1);
    const { order, lines } = this.#compose(at, course);
    const life = new OrderLife(order, lines).run(course, this.#random());
    this.#placed += 1;
    book.place(life);
    for (const happening of life.happenings) {
      const minute = minuteOf(happening.at);
      const others = this.#due.get(minute);
      const due = { orderId: order.id, happening };
      if (others === undefined) this.#due.set(minute, [due]);
      else others.push(due);
    }
  }

  #compose(at: number, course: Course): Pick<OrderLife, "order" | "lines"> {
    const id = newId("order", at);
    const channel = this.#channel();
    const customer = channel === "pos" ? null : this.#buyer();
    const currency: CurrencyCode = this.#random() < 0.85 ? "USD" : "KES";
    const delivery = customer === null ? noDelivery : this.#delivery(customer);
    const shipping = { label: null, amountMinor: delivery.shippingMinor };
    const sale = agreedSale(this.#price(currency), { quote: null, shipping });
    const lines: OrderLine[] = sale.lines.map((line) => ({
      ...line,
      orderId: id,
      id: newId("lineItem", at),
      cancelledQuantity: 0,
      fulfilledQuantity: 0,
      returnedQuantity: 0,
      isStrangers: false,
    }));
    const paymentMethod = methodOf(course, this.#random());
    const totals = { ...unpaid, ...sale.totals };
    const number = FIRST_NUMBER + this.#placed;
    const order: Order = {
      ...untouched,
      ...totals,
      ...delivery,
      id,
      number,
      paymentStatus: paymentStatusOf({ ...untouched, ...totals }),
      dueMinor: dueOf({ ...untouched, ...totals }),
      customerId: customer?.id ?? null,
      customer,
      ...contactOf(customer),
      paymentMethod,
      currency,
      channel,
      externalId: this.#random() < 0.3 ? `EXT-${number}` : null,
      metadata: { source: channel === "pos" ? "till" : "website" },
      expiresAt: isPrepaid(paymentMethod) ? at + DAY_MS : null,
      createdAt: at,
      updatedAt: at,
    };
    return { order, lines };
  }

  #price(currency: CurrencyCode): PricedLine[] {
    const wares = new Map(this.#basket().map((ware) => [ware.variantId, ware]));
    const requests = [...wares.keys()].map((variantId, index) => ({
      variantId,
      // One more of the first, so that a part of any order can be shipped.
      quantity: (index === 0 ? 2 : 1) + Math.floor(this.#random() ** 3 * 3),
    }));
    return priceLines(requests, wares, { currency, faults: new Faults() });
  }

  #delivery({ name }: CustomerSnapshot) {
    if (this.#random() < 0.3) return noDelivery;
    const shippingAddress = homeOf(name, this.#placed);
    return { shippingLabel: "Standard", shippingMinor: 450, shippingAddress };
  }

  #channel(): string {
    const share = this.#random();
    if (share < 0.6) return "online_store";
    if (share < 0.75) return "pos";
    if (share < 0.85) return "social";
    return share < 0.95 ? "marketplace" : "phone";
  }

  /** A few buy often, most seldom. */
  #buyer(): CustomerSnapshot {
    const { customers } = this.#catalog;
    return memberAt(customers, this.#random() ** 4);
  }

  /** A few wares sell well, most seldom. */
  #basket(): Ware[] {
    const count = 1 + Math.floor(this.#random() * LINES_MAX);
    return Array.from({ length: count }, () => memberAt(this.#catalog.wares, this.#random() ** 2));
  }
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS);
}

/** The member of a list that stands at a share of it. */
function memberAt<T>(list: readonly T[], share: number): T {
  const member = list[Math.floor(list.length * share)];
  if (member === undefined) throw new Error("The list is empty.");
  return member;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function contactOf(customer: Order["customer"]): Pick<Order, "contactEmail" | "contactPhone"> {
  return { contactEmail: customer?.email ?? null, contactPhone: customer?.phone ?? null };
}

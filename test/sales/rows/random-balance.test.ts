// Random lives of the money of one order, by the rules alone, beside the account that a bookkeeper keeps of the customer:
// what is due or overpaid is always what the entries come to.

import { expect, test } from "bun:test";

import fc from "fast-check";

import {
  becomesPaid,
  coveredOf,
  dueOf,
  freedOf,
  netOf,
  overpaidOf,
  partsOfRefund,
  type RefundParts,
  toReturnOf,
  unneededOf,
  writtenOffOf,
} from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";

import { runs } from "../../support/runs.ts";
import { unpaidOrder } from "../changing/plain-orders.ts";

const TOTAL = 100;
const RUNS = runs(1_000);

interface Opened extends RefundParts {
  readonly amountMinor: number;
}

/** An order with its refunds, and what the customer owes by the entries of the books since it was sold. */
class Life {
  order: Order = unpaidOrder;
  readonly open: Opened[] = [];
  readonly failed: Opened[] = [];
  accountMinor = 0;

  /** What follows from any change, each of which is an entry. */
  #settle(change: Partial<Order>, entryMinor: number): void {
    const before = this.order;
    const changed = { ...before, ...change };
    const written = { ...changed, writtenOffMinor: writtenOffOf(changed) };
    const order = { ...written, ...coveredOf(written) };
    this.accountMinor += entryMinor;
    if (order.saleTotalMinor !== null) {
      this.accountMinor += changed.writtenOffMinor - order.writtenOffMinor;
      this.accountMinor -= (changed.saleTotalMinor ?? 0) - order.saleTotalMinor;
      this.accountMinor -= changed.keptApartMinor - order.keptApartMinor;
    }
    this.order = order;
    if (!becomesPaid(order)) return;
    const saleTotalMinor = order.totalMinor - order.creditedMinor;
    this.order = { ...order, saleTotalMinor, paidAt: 1 };
    this.accountMinor =
      saleTotalMinor + order.keptApartMinor - order.writtenOffMinor - netOf(order);
  }

  pay(minor: number): void {
    this.#settle({ paidMinor: this.order.paidMinor + minor }, -minor);
  }

  /** A second payment of a gateway: what is not owed goes back at once. */
  payAgain(minor: number): void {
    this.pay(minor);
    const unneededMinor = unneededOf(minor, this.order);
    if (unneededMinor > 0) this.refund(unneededMinor);
  }

  correct(lessMinor: number): void {
    const minor = Math.min(lessMinor, netOf(this.order));
    this.#settle({ paidMinor: this.order.paidMinor - minor }, minor);
  }

  refund(wantedMinor: number, namedMinor = 0): void {
    const amountMinor = Math.min(wantedMinor, netOf(this.order));
    if (amountMinor === 0) return;
    const refund = { amountMinor, ...partsOfRefund(this.order, { amountMinor, namedMinor }) };
    this.open.push(refund);
    this.#set(refund, 1);
  }

  fail(at: number): void {
    const [refund] = this.open.splice(at % Math.max(1, this.open.length), 1);
    if (refund === undefined) return;
    this.failed.push(refund);
    this.#set(refund, -1);
  }

  retry(at: number): void {
    const refund = this.failed[at % Math.max(1, this.failed.length)];
    if (refund === undefined || refund.amountMinor > netOf(this.order)) return;
    this.failed.splice(this.failed.indexOf(refund), 1);
    this.refund(refund.amountMinor);
  }

  #set({ amountMinor, saleMinor, keptMinor }: Opened, sign: 1 | -1): void {
    const { refundingMinor, saleRefundingMinor, keptRefundingMinor } = this.order;
    const change = {
      refundingMinor: refundingMinor + sign * amountMinor,
      saleRefundingMinor: saleRefundingMinor + sign * saleMinor,
      keptRefundingMinor: keptRefundingMinor + sign * keptMinor,
    };
    this.#settle(change, sign * (amountMinor - saleMinor - keptMinor));
  }

  /** Units are cancelled or come back; their money goes back, or is kept. */
  credit(minor: number, isRefunded: boolean): void {
    const { order } = this;
    if (order.status === "cancelled") return;
    const creditedMinor = Math.min(TOTAL, order.creditedMinor + minor);
    const { unpaidMinor, paidMinor } = freedOf(order, creditedMinor);
    const isSold = order.saleTotalMinor !== null;
    const keptMinor = isRefunded ? 0 : paidMinor;
    const change: Partial<Order> = {
      creditedMinor,
      status: creditedMinor === TOTAL ? "cancelled" : "open",
      keptMinor: order.keptMinor + keptMinor,
      ...(isSold
        ? { saleTotalMinor: (order.saleTotalMinor ?? 0) - unpaidMinor }
        : { keptApartMinor: order.keptApartMinor + keptMinor }),
    };
    this.#settle(change, isSold ? -unpaidMinor : 0);
    if (!isRefunded) return;
    const backMinor = toReturnOf(this.order);
    this.refund(backMinor, backMinor - overpaidOf(this.order));
    expect(toReturnOf(this.order)).toBe(0);
  }

  writeOff(share: number): void {
    const minor = Math.floor((dueOf(this.order) * share) / 100);
    this.#settle({ writtenOffMinor: this.order.writtenOffMinor + minor }, -minor);
  }
}

const minor = fc.integer({ min: 1, max: 60 });
const step = fc.oneof(
  fc.record({ act: fc.constant("pay"), minor: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ act: fc.constant("pay again"), minor }),
  fc.record({ act: fc.constant("correct"), minor }),
  fc.record({ act: fc.constant("refund"), minor }),
  fc.record({ act: fc.constant("refund units"), minor }),
  fc.record({ act: fc.constant("fail"), minor: fc.nat(9) }),
  fc.record({ act: fc.constant("retry"), minor: fc.nat(9) }),
  fc.record({ act: fc.constant("credit"), minor }),
  fc.record({ act: fc.constant("credit and keep"), minor }),
  fc.record({ act: fc.constant("write off"), minor: fc.integer({ min: 1, max: 100 }) }),
);

function take(life: Life, { act, minor: given }: { act: string; minor: number }): void {
  const takes: Readonly<Record<string, () => void>> = {
    pay: () => life.pay(given),
    "pay again": () => life.payAgain(given),
    correct: () => life.correct(given),
    refund: () => life.refund(given),
    "refund units": () => life.refund(given, given),
    fail: () => life.fail(given),
    retry: () => life.retry(given),
    credit: () => life.credit(given, true),
    "credit and keep": () => life.credit(given, false),
    "write off": () => life.writeOff(given),
  };
  takes[act]?.();
}

test("what is due or overpaid after a sale is what the entries of its books come to", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25, size: "max" }), (steps) => {
      const life = new Life();
      for (const one of steps) {
        take(life, one);
        const { order } = life;
        const sum = (of: (refund: Opened) => number) =>
          life.open.reduce((total, refund) => total + of(refund), 0);
        expect(order.saleRefundingMinor).toBe(sum(({ saleMinor }) => saleMinor));
        expect(order.keptRefundingMinor).toBe(sum(({ keptMinor }) => keptMinor));
        expect(order.saleRefundingMinor).toBeLessThanOrEqual(order.saleTotalMinor ?? 0);
        expect(order.keptRefundingMinor).toBeLessThanOrEqual(order.keptApartMinor);
        expect(order.keptApartMinor).toBeLessThanOrEqual(order.keptMinor);
        expect(order.writtenOffMinor).toBeGreaterThanOrEqual(0);
        if (order.saleTotalMinor !== null) {
          expect(dueOf(order) - overpaidOf(order)).toBe(life.accountMinor);
        }
      }
    }),
    { numRuns: RUNS },
  );
});

// The books of a vendor hold for every history of charges, refunds, disputes and payouts.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { Books, BooksFault } from "#mocks/books.ts";

import { runs } from "../support/runs.ts";

const DAY_MS = 86_400_000;

function openBooks() {
  const clock = { now: 0 };
  return { clock, books: new Books({ now: () => clock.now, waitMs: 2 * DAY_MS }) };
}

const charged = { id: "ch_1", amountMinor: 1000, currency: "EUR", feeMinor: 54 };

test("a charge is in the balance without its fee", () => {
  const { books } = openBooks();

  books.charge(charged);

  expect(books.balanceMinor("EUR")).toBe(946);
  expect(books.balanceMinor("USD")).toBe(0);
});

test("a promised refund counts against its charge before it is paid", () => {
  const { books } = openBooks();
  books.charge(charged);

  books.openRefund({ id: "re_1", charge: "ch_1", amountMinor: 700 });

  expect(books.refundableMinor("ch_1")).toBe(300);
  expect(books.balanceMinor("EUR")).toBe(946);
  expect(() => books.openRefund({ id: "re_2", charge: "ch_1", amountMinor: 301 })).toThrow(
    BooksFault,
  );
});

test("a refund that comes back can be made again", () => {
  const { books } = openBooks();
  books.charge(charged);
  books.openRefund({ id: "re_1", charge: "ch_1", amountMinor: 1000 });
  books.payRefund("re_1");

  const returned = books.returnRefund("re_1");

  expect(returned).toMatchObject({ kind: "refund_returned", amountMinor: 1000 });
  expect(books.refundableMinor("ch_1")).toBe(1000);
  expect(books.balanceMinor("EUR")).toBe(946);
});

test("a refund that was never paid leaves no entry when it fails", () => {
  const { books } = openBooks();
  books.charge(charged);
  books.openRefund({ id: "re_1", charge: "ch_1", amountMinor: 1000 });

  expect(books.returnRefund("re_1")).toBeNull();
  expect(books.entries).toHaveLength(1);
});

test("a dispute takes the money and a fee; winning it brings back the money alone", () => {
  const { books } = openBooks();
  books.charge(charged);
  books.openDispute({ id: "dp_1", charge: "ch_1", amountMinor: 1000, feeMinor: 20 });

  books.withdrawDispute("dp_1");
  const withdrawn = books.balanceMinor("EUR");
  books.returnDispute("dp_1");

  expect([withdrawn, books.balanceMinor("EUR")]).toEqual([-74, 926]);
});

test("a payout has what is available, once", () => {
  const { books, clock } = openBooks();
  books.charge(charged);
  const early = books.payOut("po_1", "EUR");
  clock.now = 2 * DAY_MS;
  books.charge({ ...charged, id: "ch_2" });

  const payout = books.payOut("po_2", "EUR");

  expect(early).toBeNull();
  expect(payout).toMatchObject({ kind: "payout", amountMinor: -946 });
  expect(books.entries.map(({ payout: of }) => of)).toEqual(["po_2", null, "po_2"]);
  expect(books.payOut("po_3", "EUR")).toBeNull();
});

const step = fc.record({
  act: fc.constantFrom(
    "charge",
    "openRefund",
    "payRefund",
    "returnRefund",
    "openDispute",
    "withdrawDispute",
    "returnDispute",
    "payOut",
    "wait",
  ),
  which: fc.integer({ min: 1, max: 6 }),
  of: fc.integer({ min: 1, max: 2 }),
  amountMinor: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 20 }), weight: 8 },
    { arbitrary: fc.constantFrom(-5, 0, 0.5), weight: 1 },
  ),
  currency: fc.constantFrom("EUR", "GHS"),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function play({ books, clock }: ReturnType<typeof openBooks>, given: Step): void {
  const { act, which, of, amountMinor, currency } = given;
  const charge = `ch_${of}`;
  const acts = {
    charge: () => books.charge({ id: `ch_${which}`, amountMinor, currency, feeMinor: of }),
    openRefund: () => books.openRefund({ id: `re_${which}`, charge, amountMinor }),
    payRefund: () => books.payRefund(`re_${which}`),
    returnRefund: () => books.returnRefund(`re_${which}`),
    openDispute: () => books.openDispute({ id: `dp_${which}`, charge, amountMinor, feeMinor: of }),
    withdrawDispute: () => books.withdrawDispute(`dp_${which}`),
    returnDispute: () => books.returnDispute(`dp_${which}`),
    payOut: () => books.payOut(`po_${which}`, currency),
    wait: () => {
      clock.now += of * DAY_MS;
    },
  };
  acts[act]();
}

/** What of each charge is out, told by the acts that the books took. */
class Promised {
  readonly #charged = new Map<string, number>();
  readonly #refunds = new Map<string, { readonly charge: string; amountMinor: number }>();

  took({ act, which, of, amountMinor }: Step): void {
    if (act === "charge") this.#charged.set(`ch_${which}`, amountMinor);
    if (act === "openRefund") this.#refunds.set(`re_${which}`, { charge: `ch_${of}`, amountMinor });
    const refund = this.#refunds.get(`re_${which}`);
    if (act === "returnRefund" && refund !== undefined) refund.amountMinor = 0;
  }

  /** What is left of the charges. */
  left(): number[] {
    return [...this.#charged].map(([id, amountMinor]) => {
      const refunds = [...this.#refunds.values()].filter(({ charge }) => charge === id);
      return amountMinor - refunds.reduce((sum, refund) => sum + refund.amountMinor, 0);
    });
  }
}

test("no history breaks the books, and what they refuse changes nothing", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
      const opened = openBooks();
      const { books } = opened;
      const promised = new Promised();
      for (const [n, given] of steps.entries()) {
        const before = [...books.entries];
        const unique = given.act === "payOut" ? { ...given, which: n } : given;
        try {
          play(opened, unique);
          promised.took(unique);
        } catch (error) {
          expect(error).toBeInstanceOf(BooksFault);
          expect(books.entries).toEqual(before);
        }
        expect(books.faults()).toEqual([]);
        expect(promised.left().filter((left) => left < 0)).toEqual([]);
        for (const currency of ["EUR", "GHS"]) {
          const own = books.entries.filter((entry) => entry.currency === currency);
          const sum = own.reduce(
            (all, { amountMinor, feeMinor }) => all + amountMinor - feeMinor,
            0,
          );
          expect(books.balanceMinor(currency)).toBe(sum);
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

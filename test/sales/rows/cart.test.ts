// The rules of a cart on plain data: its life, its totals, the addresses of its recovery links.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { type Id, newId } from "#kernel/id.ts";
import { arrow } from "#kernel/machine.ts";
import { MAX_AMOUNT_MINOR } from "#kernel/money.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import {
  cartTotal,
  type CatalogNow,
  differencesOf,
  type QuotedLine,
  quoteLines,
  validateLines,
} from "#pricing/quote/price-cart.ts";
import { recoveryUrl } from "#sales/links/link-addresses.ts";
import { cartForbids, contactOf, requireOpen } from "#sales/rows/cart.ts";
import { cartLife, cartStatuses } from "#sales/rows/order-life.ts";

const orderId: Id<"order"> = "ord_01h455vb4pex5vsknk084sn02q";
const mug = newId("variant", 0);
const bowl = newId("variant", 1);

const actions = ["checkout", "abandon", "complete", "empty", "expire"] as const;
const arrows: Record<string, { readonly next: string; readonly event: string | null }> = {
  "active checkout": { next: "checkout", event: "checkout.started" },
  "active complete": { next: "completed", event: null },
  "active expire": { next: "expired", event: null },
  "checkout abandon": { next: "abandoned", event: "cart.abandoned" },
  "checkout complete": { next: "completed", event: null },
  "checkout empty": { next: "active", event: null },
  "abandoned checkout": { next: "checkout", event: "cart.recovered" },
  "abandoned complete": { next: "completed", event: "cart.recovered" },
  "abandoned empty": { next: "active", event: null },
  "abandoned expire": { next: "expired", event: null },
};

describe("a cart's life", () => {
  test.each(cartStatuses.flatMap((from) => actions.map((action) => [from, action] as const)))(
    "from %s by %s",
    (from, action) => {
      const step: unknown = arrow(cartLife, from, action);

      expect(step).toEqual(arrows[`${from} ${action}`] ?? null);
    },
  );

  test("has a row for each status and no other", () => {
    expect(Object.keys(cartLife)).toEqual([...cartStatuses]);
  });

  test("is open before it is completed or expired", () => {
    for (const status of ["active", "checkout", "abandoned"] as const) {
      expect(() => requireOpen({ status, orderId: null })).not.toThrow();
    }
  });

  test("refuses a completed cart with its order, and an expired one", () => {
    expect(refusal(() => requireOpen({ status: "completed", orderId }))).toEqual([
      "cart_completed",
      { order_id: orderId },
    ]);
    expect(refusal(() => requireOpen({ status: "expired", orderId: null }))).toEqual([
      "cart_expired",
      undefined,
    ]);
  });

  test("throws for an action that no caller can request", () => {
    expect(() => cartForbids({ status: "active", orderId: null })).toThrow("A cart in active");
  });
});

test("a contact without any detail is none", () => {
  expect(contactOf({ email: null, phone: null, name: null })).toBeNull();
  expect(contactOf({ email: null, phone: null, name: "Ada" })).toEqual({
    email: null,
    phone: null,
    name: "Ada",
  });
});

/** A catalog with one variant at this price and with this many units to sell. */
function todayWith(amountMinor: number, units: number | null = null): CatalogNow {
  const prices = [{ currency: "USD" as const, amountMinor, compareAtMinor: null }];
  const shown = { slug: "mug", title: null, options: {}, image: null, mediaUrl: "" };
  const productId = newId("product", 0);
  const entry = { productId, sku: null, name: "Mug", isForSale: true, prices, shown };
  return { entries: new Map([[mug, entry]]), sellable: new Map([[mug, units]]) };
}

const id = "cl_01h455vb4pex5vsknk084sn02q" as const;

function line(variantId: Id<"variant">, quantity: number) {
  return { id, variantId, quantity, metadata: {} };
}

describe("the lines of a cart", () => {
  test("that exceed the stock together are each short", () => {
    const lines = quoteLines([line(mug, 2), line(mug, 2)], "USD", todayWith(100, 3));

    expect(lines.map((one) => one.problem)).toEqual(["insufficient_stock", "insufficient_stock"]);
  });

  test("of an untracked variant are never short", () => {
    const lines = quoteLines([line(mug, 1_000_000)], "USD", todayWith(100));

    expect(lines).toMatchObject([{ problem: null, available: null, totalMinor: 100_000_000 }]);
  });

  test("of a deleted variant have neither name nor price", () => {
    const lines = quoteLines([line(bowl, 1)], "USD", todayWith(100));

    expect(lines).toEqual([
      {
        id,
        variantId: bowl,
        quantity: 1,
        metadata: {},
        productId: null,
        sku: null,
        name: null,
        unitPriceMinor: null,
        totalMinor: null,
        available: null,
        problem: "unknown_variant",
        shown: null,
      },
    ]);
    expect(cartTotal(lines)).toBe(0);
  });

  test("that exceed the largest amount have no total", () => {
    const lines = quoteLines([line(mug, 2)], "USD", todayWith(MAX_AMOUNT_MINOR));
    const faults = new Faults();
    validateLines(lines, { currency: "USD", pointers: new Map([[0, "/line_items/0"]]), faults });

    expect(lines).toMatchObject([{ totalMinor: null, problem: "amount_too_large" }]);
    expect(() => faults.refuseIfAny()).toThrow(Refusal);
  });

  test("are valid without stock", () => {
    const faults = new Faults();

    const pointers = new Map([[0, "/line_items/0"]]);
    const lines = quoteLines([line(mug, 9)], "USD", todayWith(100, 0));
    validateLines(lines, { currency: "USD", pointers, faults });

    expect(() => faults.refuseIfAny()).not.toThrow();
  });

  test("add up exactly, whatever is in them", () => {
    const some = fc.record({
      price: fc.integer({ min: 0, max: MAX_AMOUNT_MINOR }),
      quantities: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 100 }),
    });

    fc.assert(
      fc.property(some, ({ price, quantities }) => {
        const requests = quantities.map((quantity) => line(mug, quantity));
        const lines = quoteLines(requests, "USD", todayWith(price));
        const exact = quantities
          .map((quantity) => BigInt(price) * BigInt(quantity))
          .filter((total) => total <= BigInt(MAX_AMOUNT_MINOR))
          .reduce((left, right) => left + right, 0n);
        expect(BigInt(cartTotal(lines))).toBe(exact);
        expect(Number.isSafeInteger(cartTotal(lines))).toBeTrue();
      }),
    );
  });
});

describe("the differences of a cart", () => {
  const [before] = quoteLines([line(mug, 1)], "USD", todayWith(100));
  const seen: readonly QuotedLine[] = before === undefined ? [] : [before];

  test("are none without a change", () => {
    expect(differencesOf(seen, seen)).toEqual([]);
  });

  test("name a variant once, however many lines it has", () => {
    const now = quoteLines([line(mug, 1), line(mug, 2)], "USD", todayWith(120));

    expect(differencesOf(seen, now)).toEqual([
      { variantId: mug, field: "unit_price", before: 100, after: 120 },
    ]);
  });

  test("are a price and a problem for a variant that is no longer sold", () => {
    const now = quoteLines([line(mug, 1)], "KES", todayWith(120));

    expect(differencesOf(seen, now)).toEqual([
      { variantId: mug, field: "unit_price", before: 100, after: null },
      { variantId: mug, field: "problem", before: null, after: "price_missing" },
    ]);
  });

  test("are none for a line that is new", () => {
    expect(differencesOf([], seen)).toEqual([]);
  });
});

test.each([
  [null, "http://localhost:4000/recover/T.1.S"],
  ["https://shop.example/back", "https://shop.example/back?token=T.1.S"],
  ["https://shop.example/back?lang=en#top", "https://shop.example/back?lang=en&token=T.1.S#top"],
  ["https://shop.example/{token}/back", "https://shop.example/T.1.S/back"],
  ["https://shop.example/#/back/{token}", "https://shop.example/#/back/T.1.S"],
])("the template %p makes %s", (template, url) => {
  expect(recoveryUrl(template, "http://localhost:4000", "T.1.S")).toBe(url);
});

/** The code and the members of the refusal. */
function refusal(work: () => unknown): unknown[] {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return [error.definition.code, error.details.members];
    throw error;
  }
  return [];
}

// The ledger detects every kind of broken promise.

import { expect, test } from "bun:test";

import { type Deed, Ledger } from "./ledger.ts";
import type { SeenShop } from "./seen-shop.ts";

const order: Deed = {
  kind: "order",
  mark: "ada-order",
  method: "POST",
  path: "/v2/orders",
  body: {},
};
const placed = { id: "ord_1", status: "open", units: 2, shippedUnits: 0, wasPaid: false };

/** A ledger in which Ada's order was acknowledged. */
function adasLedger(): Ledger {
  const ledger = new Ledger();
  ledger.attempt(order);
  ledger.acknowledge({ deed: order, status: 201, text: "{}" });
  return ledger;
}

/** A shop that contains Ada's order; the given fields replace its own. */
function shopWith(given: Partial<SeenShop> = {}): SeenShop {
  const none = new Map<string, number>();
  return {
    marks: {
      order: new Map([["ada-order", 1]]),
      payment: none,
      shipment: none,
      adjustment: none,
    },
    orders: new Map([["ord_1", placed]]),
    payments: new Map(),
    announced: new Map([["order.placed ord_1", 1]]),
    stock: stock(2),
    faults: [],
    ...given,
  };
}

function stock(soldReserved: number): SeenShop["stock"] {
  return {
    soldId: "var_1",
    soldBefore: 10,
    soldOnHand: 10,
    soldReserved,
    countedId: "var_2",
    countedBefore: 5,
    countedOnHand: 5,
    adjusted: 0,
  };
}

function marksOf(times: number): SeenShop["marks"] {
  return { ...shopWith().marks, order: new Map([["ada-order", times]]) };
}

test("a correct shop has no broken promise", () => {
  expect(adasLedger().compare(shopWith(), true)).toEqual([]);
});

test("an acknowledged order that is missing is detected", () => {
  const seen = shopWith({
    marks: { ...marksOf(0), order: new Map() },
    orders: new Map(),
    stock: stock(0),
  });

  expect(adasLedger().compare(seen, true)).toEqual([
    "the order ada-order was acknowledged and is not there",
  ]);
});

test("a duplicate order is detected", () => {
  expect(adasLedger().compare(shopWith({ marks: marksOf(2) }), true)).toEqual([
    "the order ada-order is there 2 times",
  ]);
});

test("an order without a request is detected", () => {
  expect(new Ledger().compare(shopWith(), true)).toEqual([
    "no client requested the order ada-order",
  ]);
});

test("stock reserved without an order is detected", () => {
  expect(adasLedger().compare(shopWith({ stock: stock(4) }), true)).toEqual([
    "reserved should be 2 and is 4",
  ]);
});

test("an order announced twice is detected", () => {
  const seen = shopWith({ announced: new Map([["order.placed ord_1", 2]]) });

  expect(adasLedger().compare(seen, true)).toEqual(["order.placed of ord_1: 2, not 1 to 1"]);
});

test("work in progress may be incomplete until it is settled", () => {
  const seen = shopWith({
    announced: new Map([
      ["order.placed ord_1", 1],
      ["order.paid ord_1", 1],
    ]),
  });

  expect(adasLedger().compare(seen, false)).toEqual([]);
  expect(adasLedger().compare(seen, true)).toEqual(["order.paid of ord_1: 1, not 0 to 0"]);
});

test("acknowledged money that is missing is detected", () => {
  const ledger = adasLedger();
  const payment: Deed = { ...order, kind: "payment", mark: "ada-payment", orderId: "ord_1" };
  ledger.attempt(payment);
  ledger.acknowledge({ deed: payment, status: 201, text: '{"status":"succeeded"}' });
  const seen = shopWith({
    marks: { ...marksOf(1), payment: new Map([["ada-payment", 1]]) },
    payments: new Map([["ada-payment", "processing"]]),
  });

  expect(ledger.compare(seen, true)).toEqual([
    "the payment ada-payment was acknowledged as succeeded, and is processing",
    "the payment ada-payment had time to end, and is processing",
  ]);
});

test("money that arrived after a cancellation and was refunded breaks no promise", () => {
  const ledger = adasLedger();
  const payment: Deed = { ...order, kind: "payment", mark: "ada-payment", orderId: "ord_1" };
  ledger.attempt(payment);
  const seen = shopWith({
    marks: { ...marksOf(1), payment: new Map([["ada-payment", 1]]) },
    payments: new Map([["ada-payment", "refunded"]]),
    orders: new Map([["ord_1", { ...placed, status: "cancelled" }]]),
    announced: new Map([
      ["order.placed ord_1", 1],
      ["order.cancelled ord_1", 1],
    ]),
    stock: stock(0),
  });

  expect(ledger.compare(seen, true)).toEqual([]);
});

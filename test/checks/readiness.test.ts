// How each method of a shop is paid, from its settings alone: who takes the money, and whether customers learn where.

import { describe, expect, test } from "bun:test";

import { reasons, type Way, waysOf } from "#checks/readiness.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { modes } from "#platform/database/shop.ts";
import { type PaymentSettings, takers } from "#shop/store/payment-methods.ts";

const fresh: PaymentSettings = {
  gatewayMethods: [],
  gatewayCurrencies: {},
  paymentMethods: {},
  receivingAccounts: [],
  orderExpiryMinutes: null,
};
const gateway: PaymentSettings = {
  ...fresh,
  gatewayMethods: ["mobile_money", "card", "gateway"],
  gatewayCurrencies: { mobile_money: ["GHS", "KES"] },
};
const ecobank = {
  method: "bank_transfer",
  label: "Ecobank",
  instructions: "GH12 3456",
  currencies: ["GHS"],
} as const;

type Taken = Omit<Way, "method">;

function wayOf(settings: PaymentSettings, method: PaymentMethod): Taken | undefined {
  const [way] = waysOf(settings, "live").filter((one) => one.method === method);
  if (way === undefined) return undefined;
  const { method: _, ...rest } = way;
  return rest;
}

const nobody: Taken = {
  taker: null,
  told: false,
  currencies: [],
  offered: false,
  why: "no_gateway",
};
const untold: Taken = {
  taker: "hand",
  told: false,
  currencies: [],
  offered: false,
  why: "nowhere_to_pay",
};
const atHand: Taken = {
  taker: "hand",
  told: true,
  currencies: [],
  offered: false,
  why: "not_online",
};
const toldByHand: Taken = { taker: "hand", told: true, currencies: [], offered: true, why: null };

describe("a fresh live shop", () => {
  test("tells customers nowhere to pay, and has no page of a gateway", () => {
    expect(wayOf(fresh, "mobile_money")).toEqual(untold);
    expect(wayOf(fresh, "bank_transfer")).toEqual(untold);
    expect(wayOf(fresh, "card")).toEqual(untold);
    expect(wayOf(fresh, "gateway")).toEqual(nobody);
  });

  test("takes cash where the customer stands, which no web page offers", () => {
    expect(wayOf(fresh, "cash")).toEqual(atHand);
    expect(wayOf(fresh, "cash_on_delivery")).toEqual(atHand);
  });
});

describe("a way by hand is offered", () => {
  test("once the merchant wrote where to pay", () => {
    const set = { ...fresh, paymentMethods: { bank_transfer: { instructions: "GH12" } } };

    expect(wayOf(set, "bank_transfer")).toEqual(toldByHand);
  });

  test("once an account takes its money, in the currencies of the accounts", () => {
    const one = { ...fresh, receivingAccounts: [ecobank] };
    const all = { ...fresh, receivingAccounts: [ecobank, { ...ecobank, currencies: [] }] };

    expect(wayOf(one, "bank_transfer")).toEqual({ ...toldByHand, currencies: ["GHS"] });
    expect(wayOf(all, "bank_transfer")).toEqual(toldByHand);
    expect(wayOf(one, "mobile_money")).toEqual(untold);
  });

  test("on the merchant's word alone, without telling where to pay", () => {
    const set = { ...fresh, paymentMethods: { bank_transfer: { storefront: true } } };

    expect(wayOf(set, "bank_transfer")).toEqual({ ...untold, offered: true, why: null });
  });

  test("unless it is off, or kept from web pages", () => {
    const off = { ...fresh, paymentMethods: { bank_transfer: { enabled: false } } };
    const kept = {
      ...fresh,
      paymentMethods: { bank_transfer: { instructions: "GH12", storefront: false } },
    };

    expect(wayOf(off, "bank_transfer")).toEqual({ ...untold, why: "off" });
    expect(wayOf(kept, "bank_transfer")).toEqual(atHand);
  });
});

describe("a gateway", () => {
  test("takes its methods in its currencies, and shows where to pay", () => {
    const taken: Taken = { taker: "gateway", told: true, currencies: [], offered: true, why: null };

    expect(wayOf(gateway, "card")).toEqual(taken);
    expect(wayOf(gateway, "gateway")).toEqual(taken);
    expect(wayOf(gateway, "mobile_money")).toEqual({ ...taken, currencies: ["GHS", "KES"] });
  });

  test("that a method was left to, and is not there, takes nothing", () => {
    const left = { ...fresh, paymentMethods: { card: { by: "gateway" } } } as const;

    expect(wayOf(left, "card")).toEqual(nobody);
  });
});

test("whatever is set, a way is offered or has a reason, is taken if it is told, and in live mode says where to pay", () => {
  const options = [undefined, true, false];
  const settings = options.flatMap((enabled) =>
    options.flatMap((storefront) =>
      [null, "Till 123456"].flatMap((instructions) =>
        [undefined, ...takers].flatMap((by) =>
          [fresh, gateway].flatMap((of) =>
            [[], [ecobank], [{ ...ecobank, method: "card" as const }]].map((receivingAccounts) => {
              const set = {
                ...(enabled === undefined ? {} : { enabled }),
                ...(storefront === undefined ? {} : { storefront }),
                ...(by === undefined ? {} : { by }),
                instructions,
              };
              const all = Object.fromEntries(paymentMethods.map((method) => [method, set]));
              return { ...of, receivingAccounts, paymentMethods: all };
            }),
          ),
        ),
      ),
    ),
  );
  const ways = settings.flatMap((one) =>
    modes.flatMap((mode) => waysOf(one, mode).map((way) => ({ ...way, mode, of: one }))),
  );

  expect(ways.length).toBe(3 * 3 * 2 * 3 * 2 * 3 * modes.length * paymentMethods.length);
  for (const { mode, of, ...way } of ways) {
    const isOnWord = of.paymentMethods[way.method]?.storefront === true;
    expect(way.offered).toBe(way.why === null);
    expect(way.why === null || reasons.includes(way.why)).toBe(true);
    if (way.told || way.offered) expect(way.taker).not.toBeNull();
    if (way.offered && !isOnWord) expect(way.told).toBe(true);
    if (mode === "live" && way.method === "gateway") expect(way.taker).not.toBe("hand");
  }
});

// The table of vendors: a secret of the wrong kind makes no gateway, and is never repeated.

import { describe, expect, test } from "bun:test";

import { realClock } from "#kernel/time.ts";
import {
  openVendors,
  placeOfSecret,
  secretFault,
  type Vendor,
} from "#payments/gateways/vendors.ts";

import { CallbackGateway } from "../vendors/callback-gateway.ts";

const callback: Vendor = {
  id: "callback",
  prefixes: { test: ["cb_test_"], live: ["cb_live_"] },
  construct: ({ secret }) => new CallbackGateway(secret),
};

describe("a secret", () => {
  test("begins as its vendor and its mode ask", () => {
    expect(secretFault(callback, "test", "cb_test_4eC39HqL")).toBeNull();
    expect(secretFault(callback, "live", "cb_live_4eC39HqL")).toBeNull();
  });

  test.each([
    ["live", "cb_test_4eC39HqL", "is a secret of test mode"],
    ["test", "cb_live_4eC39HqL", "is a secret of live mode"],
    ["test", "cb_test_4eC3 9HqL", "contains white space"],
    ["test", "cb_test_4eC39HqL\n", "contains white space"],
    ["test", "cb_test_4eC39\u00e9qL", "has other characters than letters, digits and _"],
    ["test", "4eC39HqL", "must begin with cb_test_"],
    ["test", "cb_test_", "must begin with cb_test_"],
  ] as const)("of %s mode is not %p", (mode, secret, fault) => {
    expect(secretFault(callback, mode, secret)).toBe(fault);
  });
});

test("a vendor has a gateway once it has a secret", () => {
  const terms = {
    mode: "test",
    clock: realClock,
    secret: "cb_test_4eC39HqL",
    webhookSecrets: [],
    address: "https://callback.example",
  } as const;

  const none = openVendors([callback], () => null);
  const one = openVendors([callback], () => terms);

  expect([none.length, one.map(({ id }) => id)]).toEqual([0, ["callback"]]);
});

test("the secrets of two modes are sealed for two places", () => {
  expect(placeOfSecret(callback, "live")).toBe("gateway callback live secret");
  expect(placeOfSecret(callback, "test")).not.toBe(placeOfSecret(callback, "live"));
});

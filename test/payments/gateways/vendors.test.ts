// The rules of vendors: a secret of the wrong kind is told from a right one, and is never repeated.

import { describe, expect, test } from "bun:test";

import {
  addressFault,
  secretFault,
  shownSecret,
  vendorAddressOf,
  webhookSecretsFault,
} from "#payments/gateways/vendors.ts";

import { scriptedVendor as vendor } from "../../support/scripted-vendor.ts";

const FACE = "http://127.0.0.1:4010";

describe("a secret", () => {
  test("begins as its vendor and its mode ask", () => {
    expect(secretFault(vendor, "test", "sk_test_4eC39HqL")).toBeNull();
    expect(secretFault(vendor, "test", "rk_test_4eC39HqL")).toBeNull();
    expect(secretFault(vendor, "live", "sk_live_4eC39HqL")).toBeNull();
  });

  test.each([
    ["live", "sk_test_4eC39HqL", "is a secret of test mode"],
    ["test", "rk_live_4eC39HqL", "is a secret of live mode"],
    ["test", "sk_test_4eC3 9HqL", "contains white space"],
    ["test", "sk_test_4eC39HqL\n", "contains white space"],
    ["test", "sk_test_4eC39\u00e9qL", "has other characters than letters, digits and _"],
    ["test", "4eC39HqL", "must begin with sk_test_ or rk_test_"],
    ["test", "sk_test_", "must begin with sk_test_ or rk_test_"],
    ["test", "whsec_4eC39HqL", "must begin with sk_test_ or rk_test_"],
  ] as const)("of %s mode is not %p", (mode, secret, fault) => {
    expect(secretFault(vendor, mode, secret)).toBe(fault);
  });

  test("is shown by its kind and its last four characters", () => {
    expect(shownSecret(vendor, "live", "rk_live_4eC39HqLyjWDarjtT1zd1234")).toBe("rk_live_…1234");
  });

  test("of few characters is shown by its kind alone", () => {
    expect(shownSecret(vendor, "test", "sk_test_4eC39HqL")).toBe("sk_test_…");
  });
});

describe("the secrets that sign notices", () => {
  test("are one, or one with the former one", () => {
    expect(webhookSecretsFault(vendor, [])).toBeNull();
    expect(webhookSecretsFault(vendor, ["whsec_one", "whsec_former"])).toBeNull();
  });

  test.each([
    [["whsec_a", "whsec_b", "whsec_c"], "has more than 2 secrets"],
    [["whsec_a", "sk_test_4eC39HqL"], "must begin with whsec_"],
    [["whsec_a", ""], "has other characters than letters, digits and _"],
  ])("are not %p", (given, fault) => {
    expect(webhookSecretsFault(vendor, given)).toBe(fault);
  });

  test("are not taken by a vendor that signs with its secret", () => {
    const signing = { ...vendor, webhookPrefix: null };

    expect(webhookSecretsFault(signing, ["whsec_one"])).toBe(
      "is not needed: the vendor signs notices with its secret",
    );
  });
});

describe("the address of a vendor", () => {
  test("is its own, unless the operator set another one for test mode", () => {
    expect(vendorAddressOf(vendor, "test", null)).toBe("https://api.vendor.example");
    expect(vendorAddressOf(vendor, "test", FACE)).toBe(FACE);
  });

  test("is its own in live mode, whatever the operator set", () => {
    expect(vendorAddressOf(vendor, "live", FACE)).toBe("https://api.vendor.example");
  });

  test("may be on this machine with test secrets alone", () => {
    expect(addressFault(vendor, FACE, ["test"])).toBeNull();
    expect(addressFault(vendor, FACE, ["test", "live"])).toBe(
      "must be https://api.vendor.example, because there is a live secret",
    );
  });

  test("may not be another host with a live secret, with https either", () => {
    expect(
      addressFault(vendor, "https://api.vendor.example.evil.example", ["live"]),
    ).not.toBeNull();
    expect(addressFault(vendor, "https://api.vendor.example", ["live"])).toBeNull();
  });

  test("is not called without encryption over a network", () => {
    expect(addressFault(vendor, "http://10.0.0.7:4010", ["test"])).toBe(
      "must begin with https://, except for this machine",
    );
  });
});

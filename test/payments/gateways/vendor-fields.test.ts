// The secret of a vendor that is several fields: what is wrong of it is said at once, and no value is repeated.

import { describe, expect, test } from "bun:test";

import {
  addressFault,
  secretFault,
  secretTexts,
  shownSecret,
  vendorAddressOf,
  webhookSecretsFault,
} from "#payments/gateways/vendors.ts";

import { fieldedVendor as vendor } from "../../support/scripted-vendor.ts";

const KEY = "k3yk3yk3yk3y";
const secret = JSON.stringify({ key: KEY, shortcode: "600000" });
const names = "key, shortcode, till";

describe("a secret of fields", () => {
  test("has every field that its vendor needs, and others that it may have", () => {
    expect(secretFault(vendor, "live", secret)).toBeNull();
    const withTill = JSON.stringify({ key: KEY, shortcode: "600000", till: "512345" });
    expect(secretFault(vendor, "live", withTill)).toBeNull();
  });

  test.each([
    ['{"key":"k3yk3yk3y"}', "lacks shortcode"],
    ['{"till":"5"}', "lacks key; lacks shortcode; has till in another form than the vendor's"],
    [`{"key":"${KEY}","shortcode":"600000","kee":""}`, `has a field that is none of ${names}`],
    ["[]", `must be a JSON object of texts on one line, with the fields ${names}`],
    ["sk_test_4eC39HqL", `must be a JSON object of texts on one line, with the fields ${names}`],
    [
      '{"key":"k3yk3yk3y","shortcode":600000}',
      `must be a JSON object of texts on one line, with the fields ${names}`,
    ],
  ])("%s is refused with all that is wrong of it", (given, fault) => {
    expect(secretFault(vendor, "test", given)).toBe(fault);
  });

  test("of the sandbox is for test mode alone", () => {
    const ofSandbox = JSON.stringify({ key: KEY, shortcode: "174379" });

    expect(secretFault(vendor, "test", ofSandbox)).toBeNull();
    expect(secretFault(vendor, "live", ofSandbox)).toBe("has the sandbox's shortcode");
  });

  test("is shown by its first field that is no secret", () => {
    expect(shownSecret(vendor, "live", secret)).toBe("600000");
  });

  test("is hidden in logs as a whole, and each secret field of it", () => {
    expect(secretTexts(vendor, secret)).toEqual([secret, KEY]);
  });

  test("has no other secret that signs notices", () => {
    expect(webhookSecretsFault(vendor, ["whsec_one"])).toBe(
      "is not needed: the vendor signs no notices",
    );
  });
});

test("a vendor with a sandbox is called there in test mode", () => {
  expect(vendorAddressOf(vendor, "test", null)).toBe("https://sandbox.vendor.example");
  expect(vendorAddressOf(vendor, "live", null)).toBe("https://api.vendor.example");
});

test("a live secret is told to no sandbox", () => {
  expect(addressFault(vendor, "https://sandbox.vendor.example", ["live"])).toBe(
    "must be https://api.vendor.example, because there is a live secret",
  );
});

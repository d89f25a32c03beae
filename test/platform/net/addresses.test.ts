// Whose address a request comes from, whatever its headers claim.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  addressBlock,
  clientAddress,
  isAddress,
  isForwardedUntrusted,
  isLoopback,
  isWithin,
  parseRanges,
} from "#platform/net/addresses.ts";

const proxies = parseRanges(["10.0.0.0/8", "192.0.2.1", "fd00::/8"]);

test.each([
  ["10.1.2.3", true],
  ["::ffff:10.1.2.3", true],
  ["fd00::9", true],
  ["192.0.2.2", false],
  ["unix", false],
])("%s is among these ranges: %p", (address, isAmong) => {
  expect(isWithin(address, proxies)).toBe(isAmong);
});

test.each([
  ["of a proxy", "10.0.0.1", "203.0.113.9", false],
  ["of a stranger", "203.0.113.1", "203.0.113.9", true],
  ["that is missing", "203.0.113.1", null, false],
])("a forwarded header %s", (...[, peer, header, isUntrusted]) => {
  expect(isForwardedUntrusted(peer, header, proxies)).toBe(isUntrusted);
});

describe("the address of a client", () => {
  test.each([
    ["without a proxy is the peer's", "203.0.113.9", null, "203.0.113.9"],
    ["behind a proxy is what the proxy wrote", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["behind two proxies is left of both", "10.0.0.1", "203.0.113.9, 10.2.2.2", "203.0.113.9"],
    ["is not what it claims itself", "10.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["is not taken from a stranger's header", "203.0.113.9", "1.1.1.1", "203.0.113.9"],
    ["is the last proxy's when all are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["is the proxy's when its entry is garbage", "10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"],
    ["is the proxy's when its entry is empty", "10.0.0.1", "1.1.1.1,", "10.0.0.1"],
    ["is not read from shortened numbers", "10.0.0.1", "127.1", "10.0.0.1"],
    ["is not read from octal numbers", "10.0.0.1", "010.0.0.9", "10.0.0.1"],
    ["is IPv4 when IPv6 wraps it", "::ffff:10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"],
    ["is not IPv4 when IPv6 merely ends in it", "::10.0.0.1", "1.1.1.1", "::a00:1"],
    ["is not read from octal numbers in IPv6", "10.0.0.1", "::ffff:010.0.0.9", "10.0.0.1"],
    ["is one text for one IPv6 address", "fd00::1", "2001:0DB8:0:0::0009", "2001:db8::9"],
    ["is found in front of a port", "10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["is found in brackets", "10.0.0.1", "[2001:db8::9]:4711", "2001:db8::9"],
    ["is the peer itself when that is no address", "unix", "1.1.1.1", "unix"],
  ])("%s", (...[, peer, forwardedFor, expected]) => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(expected);
  });

  test("is the peer's when no proxy is trusted", () => {
    expect(clientAddress("10.0.0.1", "203.0.113.9", [])).toBe("10.0.0.1");
  });

  test("cannot be chosen by what a caller puts in front of the proxy's entry", () => {
    fc.assert(
      fc.property(fc.string(), (claim) => {
        const address = clientAddress("10.0.0.1", `${claim}, 203.0.113.9`, proxies);
        return address === "203.0.113.9";
      }),
    );
  });
});

describe("trusted proxies", () => {
  test.each(["example.com", "10.0.0.0/33", "127.1", "127.1/8", "", "10.0.0.0/", "fd00::/129"])(
    "cannot be written as %p",
    (entry) => {
      expect(() => parseRanges([entry])).toThrow("neither an IP address nor a CIDR block");
    },
  );

  test.each(["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96"])(
    "cannot include every caller, as %s does",
    (entry) => {
      expect(() => parseRanges([entry])).toThrow("would trust every caller");
    },
  );

  test("may be an IPv4 block written as IPv6", () => {
    const mapped = parseRanges(["::ffff:10.0.0.0/104"]);

    expect(clientAddress("10.9.9.9", "203.0.113.9", mapped)).toBe("203.0.113.9");
    expect(clientAddress("11.9.9.9", "203.0.113.9", mapped)).toBe("11.9.9.9");
  });
});

test.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])("%s is loopback", (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each([
  "0.0.0.0",
  "::",
  "10.0.0.1",
  "localhost",
  "127.1",
  "",
  "::127.0.0.1",
  "64:ff9b::127.0.0.1",
])("%p is not loopback", (text) => {
  expect(isLoopback(text)).toBe(false);
});

test("an address is not a name and not half a number", () => {
  expect(["192.0.2.1", "::1", "shop.example", "1", "1.2.3"].filter(isAddress)).toEqual([
    "192.0.2.1",
    "::1",
  ]);
});

test("all addresses of one IPv6 network count as one caller", () => {
  expect(addressBlock("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressBlock("2001:db8:1:2::9")).toBe("2001:db8:1:2::/64");
  expect(addressBlock("2001:db8:1:3::9")).toBe("2001:db8:1:3::/64");
});

test("an IPv4 address counts for itself", () => {
  expect(addressBlock("203.0.113.9")).toBe("203.0.113.9");
});

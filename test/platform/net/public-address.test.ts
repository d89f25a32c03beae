// What belongs to the internet, and what to the operator's own network however it is wrapped.

import { describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";

import fc from "fast-check";

import { isOwnAddress, isPublicAddress } from "#platform/net/public-address.ts";

const anyIpv4 = fc.ipV4();

describe("the last address before and the first after a refused range are public:", () => {
  test.each([
    ["1.0.0.0", "9.255.255.255"],
    ["11.0.0.0", "100.63.255.255"],
    ["100.128.0.0", "126.255.255.255"],
    ["128.0.0.0", "169.253.255.255"],
    ["169.255.0.0", "172.15.255.255"],
    ["172.32.0.0", "191.255.255.255"],
    ["192.0.1.0", "192.0.1.255"],
    ["192.0.3.0", "192.88.98.255"],
    ["192.88.100.0", "192.167.255.255"],
    ["192.169.0.0", "198.17.255.255"],
    ["198.20.0.0", "198.51.99.255"],
    ["198.51.101.0", "203.0.112.255"],
    ["203.0.114.0", "223.255.255.255"],
    ["2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db9::", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2003::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("%s and %s", (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([true, true]);
  });
});

describe("the first and the last address of a refused range are not public:", () => {
  test.each([
    ["0.0.0.0", "0.255.255.255"],
    ["10.0.0.0", "10.255.255.255"],
    ["100.64.0.0", "100.127.255.255"],
    ["127.0.0.0", "127.255.255.255"],
    ["169.254.0.0", "169.254.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.0.0.0", "192.0.0.255"],
    ["192.0.2.0", "192.0.2.255"],
    ["192.88.99.0", "192.88.99.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["198.18.0.0", "198.19.255.255"],
    ["198.51.100.0", "198.51.100.255"],
    ["203.0.113.0", "203.0.113.255"],
    ["224.0.0.0", "239.255.255.255"],
    ["240.0.0.0", "255.255.255.255"],
    ["::", "::1"],
    ["::2", "::ffff:ffff"],
    ["::127.0.0.1", "::8.8.8.8"],
    ["::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
    ["64:ff9b::", "64:ff9b::ffff:ffff"],
    ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
    ["100::", "100::ffff:ffff:ffff:ffff"],
    ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe"],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fe80::1%eth0", "fe80::1%1"],
    ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("%s and %s", (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
  });
});

test.each([
  "",
  "shop.example",
  "8.8.8",
  "8.8.8.8.",
  "0x8.8.8.8",
  "010.8.8.8",
  "134744072",
  "[::1]",
])("%p is no address, so it is not public", (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

test("an IPv4 address is judged the same when IPv6 maps it, in either writing", () => {
  fc.assert(
    fc.property(anyIpv4, (address) => {
      const isPublic = isPublicAddress(address);
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const words = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;

      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublic);
      expect(isPublicAddress(`0:0:0:0:0:FFFF:${words}`)).toBe(isPublic);
    }),
  );
});

test("an IPv4 address in any other wrapping is not public", () => {
  fc.assert(
    fc.property(anyIpv4, (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const words = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
      const wrapped = [`::${address}`, `64:ff9b::${address}`, `64:ff9b:1::${address}`]
        .concat([`2002:${words}::1`, `2001:0:${words}::1`, `2001::${words}`])
        .concat([`::ffff:0:${address}`, `fe80::5efe:${address}`]);

      expect(wrapped.filter(isPublicAddress)).toEqual([]);
    }),
  );
});

test("this machine knows its own addresses", () => {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);

  expect(all.filter(({ address }) => !isOwnAddress(address))).toEqual([]);
  expect(isOwnAddress("127.0.0.1")).toBe(true);
});

test("its own addresses are known in every writing", () => {
  expect(isOwnAddress("::ffff:127.0.0.1")).toBe(true);
  expect(isOwnAddress("::ffff:7f00:1")).toBe(true);
});

test("an address of another machine or a name is not its own", () => {
  expect(isOwnAddress("192.0.2.77")).toBe(false);
  expect(isOwnAddress("localhost")).toBe(false);
});

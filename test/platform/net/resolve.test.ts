// From names to addresses, as the system has them.

import { describe, expect, test } from "bun:test";

import { systemResolve } from "#platform/net/target-url.ts";

const always = () => new AbortController().signal;

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
])("%s is its own address", async (host, address) => {
  expect(await systemResolve(host, always())).toEqual([address]);
});

test.each(["localhost", "LOCALHOST", "localhost.", "shop.localhost"])(
  "%s is this machine, IPv4 first",
  async (host) => {
    expect(await systemResolve(host, always())).toEqual(["127.0.0.1", "::1"]);
  },
);

describe("there is no address for", () => {
  test.each([`${"a".repeat(64)}.example`, "shop..example", "shop example"])("%s", async (host) => {
    const answer = systemResolve(host, always());

    expect(await answer.catch(() => "none")).toBe("none");
  });

  test("a name whose asker has already left", async () => {
    const answer = systemResolve("shop.example", AbortSignal.abort());

    expect(await answer.catch(() => "none")).toBe("none");
  });
});

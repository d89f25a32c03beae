// What keys may do: the presets are a promise to whoever puts a key somewhere.

import { describe, expect, test } from "bun:test";

import { expandScopes, readGrants, scopes } from "#shop/keys/scopes.ts";

describe("a preset", () => {
  test("full is every scope there is", () => {
    expect([...expandScopes(["full"])]).toEqual([...scopes]);
  });

  test("read_only reads everything and changes nothing", () => {
    const granted = [...expandScopes(["read_only"])];

    expect(granted).toEqual(scopes.filter((scope) => scope.endsWith(":read")));
    expect(granted).toContain("orders:read");
  });

  test("storefront sells, and lists no orders, customers or payments", () => {
    expect([...expandScopes(["storefront"])]).toEqual([
      "catalog:read",
      "carts:use",
      "payments:use",
      "orders:create",
      "customers:create",
    ]);
  });

  test("can be mixed with single scopes", () => {
    const granted = expandScopes(["storefront", "orders:read", "catalog:read"]);

    expect(granted.has("orders:read")).toBeTrue();
    expect(granted.has("carts:use")).toBeTrue();
    expect(granted.size).toBe(6);
  });
});

describe("scopes as a person writes them", () => {
  test("may be a list with commas, and are kept once, by the names that were given", () => {
    expect(readGrants(["storefront, orders:read", "orders:read"])).toEqual({
      grants: ["storefront", "orders:read"],
    });
  });

  test("are refused with the name that was probably meant", () => {
    expect(readGrants(["orders:read", "order:write"])).toEqual({
      unknown: "order:write",
      nearest: "orders:write",
    });
    expect(readGrants(["read-only"])).toEqual({ unknown: "read-only", nearest: "read_only" });
  });

  test("are refused without a guess where nothing is near", () => {
    expect(readGrants(["everything at all"])).toEqual({
      unknown: "everything at all",
      nearest: null,
    });
  });

  test("are never everything because nothing was written", () => {
    expect(readGrants([""])).toEqual({ unknown: "", nearest: null });
    expect(readGrants([])).toEqual({ grants: [] });
  });

  test("are no words of the language they are read with", () => {
    expect(readGrants(["constructor"])).toMatchObject({ unknown: "constructor" });
  });
});

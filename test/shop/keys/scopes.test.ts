// Scopes and presets. Merchants publish storefront keys, so what a preset includes is a promise.

import { describe, expect, test } from "bun:test";

import { expandScopes, readGrants, scopes } from "#shop/keys/scopes.ts";

describe("a preset", () => {
  test("full includes every scope", () => {
    expect([...expandScopes(["full"])]).toEqual([...scopes]);
  });

  test("read_only reads everything but the audit log and changes nothing", () => {
    const granted = [...expandScopes(["read_only"])];

    expect(granted.toSorted()).toEqual(
      scopes.filter((scope) => scope.endsWith(":read") && scope !== "audit:read").toSorted(),
    );
    expect(granted).toContain("orders:read");
  });

  test("storefront sells, and lists no orders, customers or payments", () => {
    expect([...expandScopes(["storefront"])]).toEqual([
      "catalog:read",
      "carts:use",
      "payments:use",
      "orders:create",
      "customers:create",
      "customers:login",
    ]);
  });

  test("can be mixed with single scopes", () => {
    const granted = expandScopes(["storefront", "orders:read", "catalog:read"]);

    expect(granted.has("orders:read")).toBeTrue();
    expect(granted.has("carts:use")).toBeTrue();
    expect(granted.size).toBe(7);
  });
});

describe("scopes from a command line", () => {
  test("may be comma lists, and are kept by name without duplicates", () => {
    expect(readGrants(["storefront, orders:read", "orders:read"])).toEqual({
      grants: ["storefront", "orders:read"],
    });
  });

  test("are refused with the nearest known name", () => {
    expect(readGrants(["orders:read", "order:write"])).toEqual({
      unknown: "order:write",
      nearest: "orders:write",
    });
    expect(readGrants(["read-only"])).toEqual({ unknown: "read-only", nearest: "read_only" });
  });

  test("are refused without a suggestion if no name is near", () => {
    expect(readGrants(["everything at all"])).toEqual({
      unknown: "everything at all",
      nearest: null,
    });
  });

  test("are refused when empty instead of meaning all scopes", () => {
    expect(readGrants([""])).toEqual({ unknown: "", nearest: null });
    expect(readGrants([])).toEqual({ grants: [] });
  });

  test("are not read from the properties of Object", () => {
    expect(readGrants(["constructor"])).toMatchObject({ unknown: "constructor" });
  });
});

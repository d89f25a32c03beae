// The codes of the countries of addresses.

import { expect, test } from "bun:test";

import { isCountry } from "#kernel/address.ts";

test("a country has one code, which the runtime knows", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const known = codes.filter(isCountry);
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

  expect(known).toHaveLength(250);
  expect(new Set(known.map((code) => names.of(code) ?? "")).size).toBe(250);
});

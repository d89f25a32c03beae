// Secrets that must stay readable are sealed, and what a seal says about its place holds.

import { expect, test } from "bun:test";

import { SealBroken } from "#platform/vault/vault.ts";

import { passingVault } from "../../support/passing-vault.ts";

test("a text that is sealed for a place does not unseal at another one", () => {
  const vault = passingVault();
  const sealed = vault.seal("sk_test_4eC39HqL", "gateway stripe test secret");

  expect(vault.unseal(sealed, "gateway stripe test secret")).toBe("sk_test_4eC39HqL");
  expect(() => vault.unseal(sealed, "gateway stripe live secret")).toThrow(SealBroken);
  expect(() => vault.unseal(sealed)).toThrow(SealBroken);
});

test("a text that was opened at its place still does not unseal at another one", () => {
  const vault = passingVault();
  const sealed = vault.seal("secret", "here");
  vault.unseal(sealed, "here");

  expect(() => vault.unseal(sealed, "there")).toThrow(SealBroken);
});

test("a text that is sealed for no place unseals as before", () => {
  const vault = passingVault();

  expect(vault.unseal(vault.seal("whsec_4eC39HqL"))).toBe("whsec_4eC39HqL");
});

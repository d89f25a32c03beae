// Which payments a public key reaches.

import { expect, test } from "bun:test";

import { openTestShop } from "../support/shop.ts";

test("a key in a public page reads a payment by its id and by no reference", async () => {
  await using shop = await openTestShop();
  const page = await shop.createKey({ scopes: ["storefront"] });
  const made = await shop.post("/v2/payments/initialize", {
    amount: 20,
    currency: "GHS",
    method: "gateway",
    reference: "INV-1",
  });

  const byId = await shop.get(`/v2/payments/${made.id}`, { key: page });
  const byReference = await shop.get("/v2/payments/INV-1", { key: page });
  const cancelled = await shop.post("/v2/payments/INV-1/cancel", undefined, { key: page });
  const byMerchant = await shop.get("/v2/payments/INV-1");

  expect([byId.status, byMerchant.status]).toEqual([200, 200]);
  expect([byReference.code, cancelled.code]).toEqual(["payment_not_found", "payment_not_found"]);
});

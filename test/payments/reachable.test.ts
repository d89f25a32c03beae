// Which payments a key reaches that may not list them.

import { expect, test } from "bun:test";

import { of, place } from "../sales/orders/counter.ts";
import { mug } from "../support/cast.ts";
import { sharedShop } from "../support/shop.ts";

const shop = sharedShop();

test("a key that only uses payments reads one by its id and by no reference", async () => {
  const page = await shop.createKey({ scopes: ["payments:use", "store:read"] });
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

test("a publishable key reads no payment that a secret key made", async () => {
  const page = await shop.createKey({ scopes: ["storefront"] });
  const order = await place(shop, [of(await mug(shop))]);
  const body = { order_id: order.id, method: "gateway", reference: "ord-1001" };
  const made = await shop.post("/v2/payments/initialize", body);

  const answers = [
    await shop.get(`/v2/payments/${made.id}`, { key: page }),
    await shop.get("/v2/payments/ord-1001", { key: page }),
    await shop.post(`/v2/payments/${made.id}/cancel`, {}, { key: page }),
    await shop.post(`/v2/payments/${made.id}/otp`, { otp: "123456" }, { key: page }),
  ];

  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => "payment_not_found"));
});

test("a publishable key reads the open attempt of the merchant that it was answered", async () => {
  const page = await shop.createKey({ scopes: ["storefront"] });
  const order = await place(shop, [of(await mug(shop))]);
  const body = { order_id: order.id, method: "gateway" };
  const made = await shop.post("/v2/payments/initialize", body);

  const answered = await shop.post("/v2/payments/initialize", body, { key: page });

  expect([answered.status, answered.id]).toEqual([200, made.id]);
  expect((await shop.get(`/v2/payments/${made.id}`, { key: page })).status).toBe(200);
});

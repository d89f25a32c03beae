// The most that is refunded at once by a caller without the scope `refunds:write`.

import { describe, expect, test } from "bun:test";

import type { TestShop } from "../support/shop.ts";
import { handedOver } from "./refund-counter.ts";
import { openScriptedShop } from "./scripted-shop.ts";

/** A shop that refunds at most 5.00 at once, a key of staff, and an order of 12.50 that was paid by hand. */
async function limitedShop() {
  const { shop } = await openScriptedShop();
  const { placed, payment } = await handedOver(shop);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["orders:write", "payments:write"] });
  return { shop, placed, payment, key };
}

async function refundedTotal(shop: TestShop, id: string): Promise<unknown> {
  return (await shop.get(`/v2/orders/${id}`)).at("/refunded_total");
}

describe("a refund above the limit", () => {
  test.each([
    ["of a payment", ({ payment }: { payment: string }) => `/v2/payments/${payment}/refunds`],
    ["of an order", ({ placed }: { placed: string }) => `/v2/orders/${placed}/refunds`],
  ])("%s is refused without its scope", async (...[, pathOf]) => {
    const { shop, placed, payment, key } = await limitedShop();
    await using _ = shop;
    const path = pathOf({ payment: payment.id, placed: placed.id });

    const refused = await shop.post(path, { amount: "5.01" }, { key });
    const whole = await shop.post(path, {}, { key });

    expect([refused.status, refused.code]).toEqual([403, "refund_limit_exceeded"]);
    expect(refused.at("/errors/0/pointer")).toBe("#/amount");
    expect(refused.at("/refundable_minor")).toBe(500);
    expect(whole.code).toBe("refund_limit_exceeded");
    expect(await refundedTotal(shop, placed.id)).toBe(0);
  });

  test("is made with its scope", async () => {
    const { shop, placed } = await limitedShop();
    await using _ = shop;
    const key = await shop.createKey({ scopes: ["payments:write", "refunds:write"] });

    const made = await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: "5.01" }, { key });

    expect(made.status).toBe(201);
  });

  test("does not follow from a cancellation", async () => {
    const { shop, placed, key } = await limitedShop();
    await using _ = shop;
    const path = `/v2/orders/${placed.id}/cancel`;

    const refused = await shop.put(path, { reason: "customer", refund: true }, { key });
    const kept = await shop.put(path, { reason: "customer", refund: false }, { key });

    expect([refused.status, refused.code]).toEqual([403, "refund_limit_exceeded"]);
    expect([kept.status, kept.at("/status")]).toEqual([200, "cancelled"]);
  });

  test("does not follow from a return", async () => {
    const { shop, placed, key } = await limitedShop();
    await using _ = shop;
    const line_items = [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }];
    await shop.put(`/v2/orders/${placed.id}/fulfill`);

    const returned = await shop.post(`/v2/orders/${placed.id}/returns`, { line_items }, { key });

    expect([returned.status, returned.code]).toEqual([403, "refund_limit_exceeded"]);
    expect(await refundedTotal(shop, placed.id)).toBe(0);
  });
});

test("a refund up to the limit needs no scope of its own", async () => {
  const { shop, placed, key } = await limitedShop();
  await using _ = shop;

  const made = await shop.post(`/v2/orders/${placed.id}/refunds`, { amount: "5.00" }, { key });

  expect(made.status).toBe(201);
  expect(await refundedTotal(shop, placed.id)).toBe(5);
});

describe("the limit", () => {
  test("is given anew with another currency", async () => {
    const { shop } = await limitedShop();
    await using _ = shop;

    const refused = await shop.put("/v2/store", { currency: "JPY" });
    const changed = await shop.put("/v2/store", { currency: "JPY", refund_limit: 700 });

    expect([refused.status, refused.at("/errors/0/pointer")]).toEqual([422, "#/refund_limit"]);
    expect(changed.body).toMatchObject({ refund_limit: 700, refund_limit_minor: 700 });
  });

  test("is taken away with null", async () => {
    const { shop, placed, key } = await limitedShop();
    await using _ = shop;

    await shop.put("/v2/store", { refund_limit: null });

    expect((await shop.post(`/v2/orders/${placed.id}/refunds`, {}, { key })).status).toBe(201);
  });
});

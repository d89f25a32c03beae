// The most that is refunded at once by a caller without the scope `refunds:write`.

import { describe, expect, test } from "bun:test";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { handedOver } from "../refund-counter.ts";

const shared = sharedShop();

/** An order of 12.50 that was paid by hand in a shop that refunds at most 5.00 at once, and a key of staff. */
async function limitedRefund(shop: TestShop) {
  const { placed, payment } = await handedOver(shop);
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["orders:write", "payments:write"] });
  return { placed, payment, key };
}

async function refundedTotal(shop: TestShop, id: string): Promise<unknown> {
  return (await shop.get(`/v2/orders/${id}`)).at("/refunded_total");
}

describe("a refund above the limit", () => {
  test.each([
    ["of a payment", ({ payment }: { payment: string }) => `/v2/payments/${payment}/refunds`],
    ["of an order", ({ placed }: { placed: string }) => `/v2/orders/${placed}/refunds`],
  ])("%s is refused without its scope", async (...[, pathOf]) => {
    const { placed, payment, key } = await limitedRefund(shared);
    const path = pathOf({ payment: payment.id, placed: placed.id });

    const refused = await shared.post(path, { amount: "5.01" }, { key });
    const whole = await shared.post(path, {}, { key });

    expect([refused.status, refused.code]).toEqual([403, "refund_limit_exceeded"]);
    expect(refused.at("/errors/0/pointer")).toBe("#/amount");
    expect(refused.at("/refundable_minor")).toBe(500);
    expect(whole.code).toBe("refund_limit_exceeded");
    expect(await refundedTotal(shared, placed.id)).toBe(0);
  });

  test("is made with its scope", async () => {
    const { placed } = await limitedRefund(shared);
    const key = await shared.createKey({ scopes: ["payments:write", "refunds:write"] });

    const made = await shared.post(`/v2/orders/${placed.id}/refunds`, { amount: "5.01" }, { key });

    expect(made.status).toBe(201);
  });

  test("does not follow from a cancellation", async () => {
    const { placed, key } = await limitedRefund(shared);
    const path = `/v2/orders/${placed.id}/cancel`;

    const refused = await shared.put(path, { reason: "customer", refund: true }, { key });
    const kept = await shared.put(path, { reason: "customer", refund: false }, { key });

    expect([refused.status, refused.code]).toEqual([403, "refund_limit_exceeded"]);
    expect([kept.status, kept.at("/status")]).toEqual([200, "cancelled"]);
  });

  test("does not follow from a return", async () => {
    const { placed, key } = await limitedRefund(shared);
    const line_items = [{ line_item_id: placed.string("/line_items/0/id"), quantity: 1 }];
    await shared.put(`/v2/orders/${placed.id}/fulfill`);

    const returned = await shared.post(`/v2/orders/${placed.id}/returns`, { line_items }, { key });

    expect([returned.status, returned.code]).toEqual([403, "refund_limit_exceeded"]);
    expect(await refundedTotal(shared, placed.id)).toBe(0);
  });
});

test("a refund up to the limit needs no scope of its own", async () => {
  const { placed, key } = await limitedRefund(shared);

  const made = await shared.post(`/v2/orders/${placed.id}/refunds`, { amount: "5.00" }, { key });

  expect(made.status).toBe(201);
  expect(await refundedTotal(shared, placed.id)).toBe(5);
});

describe("the limit", () => {
  test("is given anew with another currency", async () => {
    await using shop = await openTestShop();
    await limitedRefund(shop);

    const refused = await shop.put("/v2/store", { currency: "JPY" });
    const changed = await shop.put("/v2/store", { currency: "JPY", refund_limit: 700 });

    expect([refused.status, refused.at("/errors/0/pointer")]).toEqual([422, "#/refund_limit"]);
    expect(changed.body).toMatchObject({ refund_limit: 700, refund_limit_minor: 700 });
  });

  test("is taken away with null", async () => {
    await using shop = await openTestShop();
    const { placed, key } = await limitedRefund(shop);

    await shop.put("/v2/store", { refund_limit: null });

    expect((await shop.post(`/v2/orders/${placed.id}/refunds`, {}, { key })).status).toBe(201);
  });
});

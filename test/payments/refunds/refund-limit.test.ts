// The most that a caller without the scope `refunds:write` refunds in a day.

import { describe, expect, test } from "bun:test";

import { atOnce, statuses } from "../../support/at-once.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { handedOver, paidMug } from "../refund-counter.ts";
import { openScriptedShop, pass } from "../scripted-shop.ts";

const shared = sharedShop();

/** An order of 12.50 that was paid by hand in a shop whose staff refund at most 5.00 a day, and a key of staff. */
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

describe("what one of the staff refunds in a day", () => {
  test("stays within the limit, however many refunds it takes", async () => {
    const { placed, key } = await limitedRefund(shared);
    const path = `/v2/orders/${placed.id}/refunds`;

    const first = await shared.post(path, { amount: "3.00" }, { key });
    const refused = await shared.post(path, { amount: "2.01" }, { key });
    const rest = await shared.post(path, { amount: "2.00" }, { key });

    expect([first.status, refused.status, rest.status]).toEqual([201, 403, 201]);
    expect(refused.at("/refundable_minor")).toBe(200);
  });

  test("stays within the limit when twelve refunds come at once", async () => {
    const { placed, key } = await limitedRefund(shared);

    const answers = await atOnce(12, () =>
      shared.post(`/v2/orders/${placed.id}/refunds`, { amount: "1.00" }, { key }),
    );

    expect(statuses(answers)).toEqual([...Array(5).fill(201), ...Array(7).fill(403)]);
    expect(await refundedTotal(shared, placed.id)).toBe(5);
  });

  test("is what the keys that replace one another refunded", async () => {
    const { placed } = await limitedRefund(shared);
    const path = `/v2/orders/${placed.id}/refunds`;
    const scopes = ["orders:write", "payments:write"];
    const made = await shared.post("/v2/keys", { name: "Till", scopes });
    await shared.post(path, { amount: "5.00" }, { key: made.string("/key") });

    const rotated = await shared.post(`/v2/keys/${made.id}/rotate`, {});

    const refused = await shared.post(path, { amount: "1.00" }, { key: rotated.string("/key") });
    expect(refused.code).toBe("refund_limit_exceeded");
  });

  test("is not what others refunded", async () => {
    const { placed, key } = await limitedRefund(shared);
    const other = await shared.createKey({ scopes: ["payments:write"] });
    const path = `/v2/orders/${placed.id}/refunds`;
    await shared.post(path, { amount: "5.00" }, { key });

    expect((await shared.post(path, { amount: "5.00" }, { key: other })).status).toBe(201);
  });

  test("counts for 24 hours", async () => {
    await using shop = await openTestShop();
    const { placed, key } = await limitedRefund(shop);
    const path = `/v2/orders/${placed.id}/refunds`;
    await shop.post(path, { amount: "5.00" }, { key });

    await shop.post("/v2/test/clock/advance", { seconds: 86_399 });
    const early = await shop.post(path, { amount: "1.00" }, { key });
    await shop.post("/v2/test/clock/advance", { seconds: 1 });

    expect(early.status).toBe(403);
    expect((await shop.post(path, { amount: "1.00" }, { key })).status).toBe(201);
  });

  test("includes what follows from a cancellation", async () => {
    const { placed, key } = await limitedRefund(shared);
    const path = `/v2/orders/${placed.id}/cancel`;
    await shared.put(path, { reason: "customer", refund: "4.00" }, { key });
    const other = await limitedRefund(shared);

    const refused = await shared.post(
      `/v2/orders/${other.placed.id}/refunds`,
      { amount: "1.01" },
      { key },
    );

    expect([refused.status, refused.at("/refundable_minor")]).toEqual([403, 100]);
  });

  test("is told by a preview", async () => {
    const { placed, key } = await limitedRefund(shared);
    const path = `/v2/orders/${placed.id}/refunds`;
    await shared.post(path, { amount: "3.00" }, { key });

    const refused = await shared.post(`${path}/preview`, { amount: "2.01" }, { key });

    expect([refused.code, refused.at("/refundable_minor")]).toEqual(["refund_limit_exceeded", 200]);
  });

  test("includes a refund that failed and is tried again days later", async () => {
    const scripted = await openScriptedShop();
    await using shop = scripted.shop;
    const { placed } = await paidMug(scripted);
    await shop.put("/v2/store", { refund_limit: "5.00" });
    const key = await shop.createKey({ scopes: ["payments:write", "payments:read"] });
    const path = `/v2/orders/${placed.id}/refunds`;
    scripted.gateway.nextRefund = { kind: "failed", gatewayCode: null, gatewayRefundId: null };
    const failed = await shop.post(path, { amount: "5.00" }, { key });
    await pass(shop, 3 * 86_400);
    await shop.post(path, { amount: "5.00" }, { key });

    const id = failed.string("/refunds/0/id");
    const refused = await shop.post(`/v2/refunds/${id}/retry`, undefined, { key });
    const closing = await shop.post(`/v2/refunds/${id}/close`, {}, { key });
    await pass(shop, 86_400);
    const retried = await shop.post(`/v2/refunds/${id}/retry`, undefined, { key });
    const again = await shop.post(path, { amount: "1.00" }, { key });

    expect([refused.code, closing.code]).toEqual(Array(2).fill("refund_limit_exceeded"));
    expect([retried.status, again.status]).toEqual([200, 403]);
  });
});
